import { says, withEndingHooks } from '../support/fire-hooks.js';
import { formatNamed, formatNames } from '../support/formats.js';

const counts = 'cat > /dev/null; echo run >> runs';

test.each(formatNames)('a hook of %s is asked again after a rewrite, unless its "recheck" is false', async (name) => {
  const { dialect, settings, answers } = formatNamed(name);
  const rewrites = says(answers.rewrite({ path: 'a', mode: 'w' }));
  const runsWith = (recheck?: boolean) => {
    const counter = { command: counts, ...(recheck === undefined ? {} : { recheck }) };
    const options = { settings: settings([counter, { command: rewrites }]), dialects: [dialect('/etc')], dialect: name };
    return withEndingHooks(options, async ({ handler, read }) => {
      const { changes } = await handler.fireBeforeToolEvent('write_file', { path: 'a' });
      expect(changes.at(-1)).toMatchObject({ path: expect.stringMatching(/^tool_input/) });
      return read('runs');
    });
  };
  expect(await runsWith()).toBe('run\nrun\n');
  expect(await runsWith(true)).toBe('run\nrun\n');
  expect(await runsWith(false)).toBe('run\n');
});
