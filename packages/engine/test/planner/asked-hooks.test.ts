import type { HookDefinition } from '@tenterhook/protocol';
import { EventPlans } from '../../src/planner/event-plans.js';
import { fakeDialect, hookOf, toolEvent } from '../engine-rig.js';

/** Plans of BeforeTool whose dialects tell which hooks they were asked with. */
function plansOf(hooks: readonly HookDefinition[], keys: Readonly<Record<string, string | undefined>> = { fake: 'key', other: 'key' }) {
  const asked: { dialect: string; hooks: readonly HookDefinition[] }[] = [];
  const dialects = Object.keys(keys).map((name) =>
    fakeDialect({
      name,
      matchKey: (_eventName, _subject, _mcpContext, own) => {
        asked.push({ dialect: name, hooks: own });
        return keys[name];
      },
    }),
  );
  return { asked, plans: new EventPlans('BeforeTool', hooks, dialects) };
}

const skip = { skipReason: 'disabled', reason: 'off' } as const;

test('a dialect is asked for its key with its own hooks that may run, always with the same list', () => {
  const [a, b, off] = [hookOf('a'), hookOf('b', { dialect: 'other' }), hookOf('off', { skip })];
  const { asked, plans } = plansOf([a, b, off]);
  expect(plans.keyOf('write_file', undefined)).toBe('key');
  plans.keyOf('read_file', undefined);
  expect(asked.map(({ dialect, hooks }) => [dialect, hooks.map(({ id }) => id)])).toEqual([
    ['fake', ['a']],
    ['other', ['b']],
    ['fake', ['a']],
    ['other', ['b']],
  ]);
  expect(asked[2]?.hooks).toBe(asked[0]?.hooks);
});

test('one dialect without a key is enough that nothing is remembered', () => {
  const hooks = [hookOf('a'), hookOf('b', { dialect: 'other' })];
  const { plans } = plansOf(hooks, { fake: 'key', other: undefined });
  expect(plans.keyOf('write_file', undefined)).toBeUndefined();
  expect(plans.plan(toolEvent)).not.toBe(plans.plan(toolEvent));
});

test('with no hook that may run nobody is asked', () => {
  const { asked, plans } = plansOf([hookOf('off', { skip })]);
  expect(plans.keyOf('write_file', undefined)).toBe('');
  expect(plans.plan(toolEvent)).toBe(plans.plan(toolEvent));
  expect(asked).toEqual([]);
});
