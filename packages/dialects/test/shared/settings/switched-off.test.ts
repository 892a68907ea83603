import type { HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { SwitchedOffHooks } from '../../../src/shared/settings/switched-off.js';

const document: ParsedSettings = {
  source: 'user',
  file: '/home/ann/settings.json',
  hooks: [],
  diagnostics: [],
  locate: (path) => ({ line: path.length, column: 3 }),
};
const hook = { dialect: 'invented' } as HookDefinition;
const by = { document, path: ['a', 'b'], reason: 'It is off.', remedy: 'Write true.' };

test('each switch is one warning, at the switch, with the number of its hooks', () => {
  const off = new SwitchedOffHooks();
  off.add(hook, by);
  off.add(hook, by);
  off.add(hook, { ...by, path: ['c'], reason: 'It is missing.' });
  expect(off.off.map(({ reason }) => reason)).toEqual(['It is off. Write true.', 'It is off. Write true.', 'It is missing. Write true.']);
  expect(off.diagnostics).toEqual([
    {
      code: 'hooks_off',
      severity: 'warning',
      message: '2 hooks are switched off. It is off.',
      remedy: 'Write true.',
      file: '/home/ann/settings.json',
      line: 2,
      column: 3,
      path: 'a.b',
      dialect: 'invented',
      source: 'user',
    },
    expect.objectContaining({ message: '1 hook is switched off. It is missing.', line: 1, path: 'c' }),
  ]);
});

test('without hooks there is nothing to report, and without positions there is no line', () => {
  expect(new SwitchedOffHooks().diagnostics).toEqual([]);
  const off = new SwitchedOffHooks();
  off.add(hook, { ...by, document: { source: 'settings', hooks: [], diagnostics: [] } });
  expect(off.diagnostics[0]).not.toHaveProperty('line');
});
