import { mistake, settingsWith } from './mistake.js';

// Mistakes in hook scripts: what is wrong, where and how to fix it is printed by `fire`.

const settings = '.llxprt/settings.json';

mistake(
  {
    id: 'missing-script',
    files: { [settings]: settingsWith([{ name: 'guard', command: './guard.sh' }]) },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(`at ${settings}:5`);
    expect(text).toContain('Check the path');
  },
);
