import { deeds, fireShell, preToolCall } from './eca-hooks.js';

/** Rules of the public reference that no other test of this folder is about. `reference.json` lists all rules, each with its test. */

test('the description of a hook changes nothing', async () => {
  expect(deeds(await fireShell({ guard: preToolCall('exit 2', { description: 'No shell.' }) }))).toEqual([['guard', 'blocked']]);
});
