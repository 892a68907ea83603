import type { HookDefinition } from '@tenterhook/protocol';
import { layOutBySequential } from '../../../src/shared/settings/command-hooks.js';
import { read } from './invented-groups.js';

const hooksOf = (...groups: (boolean | undefined)[]) =>
  read({ hooks: { ring: groups.map((sequential) => ({ sequential, hooks: [{ command: 'x' }] })) } }).hooks;
const sizes = (hooks: readonly HookDefinition[]) => layOutBySequential(hooks).map((stage) => stage.hooks.length);

test('side by side, or one by one if any group asks for it', () => {
  expect(sizes(hooksOf())).toEqual([]);
  expect(sizes(hooksOf(undefined, false))).toEqual([2]);
  expect(sizes(hooksOf(undefined, true, undefined))).toEqual([1, 1, 1]);
});

test('what is neither true nor false is said and does nothing', () => {
  const { hooks, diagnostics } = read({ hooks: { ring: [{ sequential: 'yes', hooks: [{ command: 'x' }] }] } });
  expect(diagnostics).toMatchObject([{ code: 'invalid_field', path: 'hooks.ring[0].sequential', remedy: 'Write "sequential": true.' }]);
  expect(sizes(hooks)).toEqual([1]);
});
