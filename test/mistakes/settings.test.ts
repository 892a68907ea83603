import { mistake } from './mistake.js';

// Mistakes in settings files: what is wrong, where and how to fix it is printed by `validate`.

mistake(
  {
    id: 'event-typo',
    files: {
      '.llxprt/settings.json':
        '{\n  "tools": { "enableHooks": true },\n  "hooks": {\n    "BeforeTol": [{ "hooks": [{ "command": "exit 2" }] }]\n  }\n}\n',
    },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain('.llxprt/settings.json:4:18 hooks.BeforeTol: ');
    expect(text).toContain('Did you mean "BeforeTool"?');
  },
);
