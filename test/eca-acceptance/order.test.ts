import type { HookExecutionProgress } from '@tenterhook/protocol';
import { type Scene, says } from '../support/fire-hooks.js';
import { callShell, deeds, fireShell, idOf, preToolCall, seen, withEca } from './eca-hooks.js';

const approval = (word: string, additionalContext?: string) => preToolCall(says({ approval: word, additionalContext }));

/** Starts and ends as they happened, by the name of the hook. */
function happened({ progress }: Scene): string[] {
  return progress.flatMap((message: HookExecutionProgress) => {
    if (message.kind !== 'hook-started' && message.kind !== 'hook-finished') return [];
    return [`${message.kind} ${message.hookId.split('/').at(-1)}`];
  });
}

test('eca 13: hooks run in the order of their keys by code unit, one at a time', async () => {
  await withEca({ b: preToolCall('true'), a: preToolCall('true'), B: preToolCall('true') }, async (scene) => {
    const result = await callShell(scene.handler);
    expect(deeds(result)).toEqual([
      ['B', 'succeeded'],
      ['a', 'succeeded'],
      ['b', 'succeeded'],
    ]);
    expect(happened(scene)).toEqual(['B', 'a', 'b'].flatMap((name) => [`hook-started ${name}`, `hook-finished ${name}`]));
    expect(scene.progress[0]).toMatchObject({ kind: 'planned', stages: [[{ name: 'B' }], [{ name: 'a' }], [{ name: 'b' }]] });
  });
});

test('eca 13: a key that is a number is a text like any other, and no language sorts the letters', async () => {
  const hook = preToolCall('true');
  const result = await fireShell({ é: hook, z: hook, 10: hook, 9: hook, _: hook });
  expect(deeds(result).map(([name]) => name)).toEqual(['10', '9', '_', 'z', 'é']);
});

test('eca 14: the actions of a hook are hooks of their own, with numbers, in their order', async () => {
  const actions = [1, 2].map((number) => `cat > ${number}.json; echo ran >> ran`);
  await withEca({ k: preToolCall(actions) }, async (scene) => {
    const result = await callShell(scene.handler);
    expect(result.outcomes).toMatchObject([
      { hookId: idOf('k-1'), name: 'k-1', status: 'succeeded' },
      { hookId: idOf('k-2'), name: 'k-2', status: 'succeeded' },
    ]);
    expect(happened(scene)).toEqual(['hook-started k-1', 'hook-finished k-1', 'hook-started k-2', 'hook-finished k-2']);
    expect([seen(scene, '1.json'), seen(scene, '2.json')]).toMatchObject([{ hook_name: 'k-1' }, { hook_name: 'k-2' }]);
  });
});

test('eca 14: ten actions run in the order of the list, not of their names', async () => {
  const actions = Array.from({ length: 10 }, () => 'true');
  const result = await fireShell({ k: preToolCall(actions), 'k-0': preToolCall('true') });
  expect(deeds(result).map(([name]) => name)).toEqual([...actions.map((_, index) => `k-${index + 1}`), 'k-0']);
});

test('eca 15: a deny ends the chain', async () => {
  await withEca({ a: approval('deny', 'no'), b: preToolCall('touch ran') }, async ({ handler, read }) => {
    const result = await callShell(handler);
    expect(deeds(result)).toEqual([
      ['a', 'blocked'],
      ['b', 'skipped', 'chain-ended'],
    ]);
    expect(result.verdict).toMatchObject({ kind: 'deny', by: [idOf('a')] });
    expect(read('ran')).toBeUndefined();
  });
});

test.each([
  ['a deny', says({ approval: 'deny' })],
  ['exit 2', 'exit 2'],
])('eca 15: %s of the first action of a hook, and the second does not run', async (_, action) => {
  await withEca({ a: preToolCall([action, 'touch ran']) }, async ({ handler, read }) => {
    expect(deeds(await callShell(handler))).toEqual([
      ['a-1', 'blocked'],
      ['a-2', 'skipped', 'chain-ended'],
    ]);
    expect(read('ran')).toBeUndefined();
  });
});

test('eca 17: ask outranks allow, whichever comes first', async () => {
  const result = await fireShell({ a: approval('allow'), b: approval('ask') });
  expect(result.verdict).toMatchObject({ kind: 'ask', by: [idOf('b')] });
  expect((await fireShell({ a: approval('ask'), b: approval('allow') })).verdict).toMatchObject({ kind: 'ask', by: [idOf('a')] });
});

test('eca 17: a deny outranks the allow before it', async () => {
  const result = await fireShell({ a: approval('allow'), b: approval('deny', 'no') });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [idOf('b')] });
});

test('eca 17: allow and ask do not end the chain', async () => {
  const result = await fireShell({ a: approval('allow'), b: approval('ask'), c: approval('allow') });
  expect(deeds(result).map(([, status]) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
});
