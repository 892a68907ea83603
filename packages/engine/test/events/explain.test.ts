import type { HookDefinition } from '@tenterhook/protocol';
import { explainEvent } from '../../src/events/explain.js';
import type { HookSet } from '../../src/registry/registry.js';
import { HookRegistry } from '../../src/registry/registry.js';
import { CircuitBreaker } from '../../src/runner/circuit/circuit-breaker.js';
import { eventOf, fakeDialect, hookOf, outcomeOf, sourceOf, toolEvent } from '../engine-rig.js';

const reconsidering = fakeDialect({
  select: (hook, event) =>
    hook.matcher === undefined || event.input['tool_name'] === hook.matcher
      ? { run: true, reason: 'it matches' }
      : { run: false, skipReason: 'matcher', reason: 'it does not match yet', reconsider: true },
});

test('each hook that would run has its stage, hooks of one stage side by side', () => {
  expect(stagesOf(setOf([hookOf('a'), hookOf('b')]))).toEqual([1, 1]);
  expect(stagesOf(setOf([hookOf('a', { sequential: true }), hookOf('b', { matcher: 'read' }), hookOf('c')]))).toEqual([1, undefined, 2]);
});

test('what a hook is, as the settings say it', () => {
  const hook = hookOf('a', {
    name: 'guard',
    matcher: 'write',
    file: '/x.json',
    line: 3,
    timeoutMs: 5000,
    onError: 'block',
    hidden: true,
    action: { kind: 'command', command: './guard.sh' },
  });
  expect(explainEvent(setOf([hook]), toolEvent).hooks).toEqual([
    {
      hookId: 'a',
      name: 'guard',
      dialect: 'fake',
      source: 'user',
      file: '/x.json',
      line: 3,
      command: './guard.sh',
      matcher: 'write',
      timeoutMs: 5000,
      onError: 'block',
      hidden: true,
      stage: 1,
      wouldRun: true,
      reason: 'it matches',
    },
  ]);
});

test('of an event that nothing here fires, a hook says that it runs only when the agent publishes it', () => {
  const ofEvent = (eventName: 'SubagentStop' | 'PostCompress', changes: Partial<HookDefinition> = {}) => {
    const fields = { agent_type: 'explore', trigger: 'auto' };
    const set = setOf([hookOf('a', { eventName, ...changes })], fakeDialect({ select: () => ({ run: true, reason: 'it matches' }) }));
    return explainEvent(set, eventOf(eventName, fields)).hooks[0];
  };
  const reason = 'it matches; SubagentStop is fired only by agents that publish it themselves';
  expect(ofEvent('SubagentStop')).toMatchObject({ wouldRun: true, reason });
  expect(ofEvent('PostCompress')).toMatchObject({ wouldRun: true, reason: 'it matches' });
  const skip = { skipReason: 'untrusted', reason: 'it is not trusted' } as const;
  expect(ofEvent('SubagentStop', { skip })).toMatchObject({ wouldRun: false, reason: 'it is not trusted' });
});

test('a duplicate names the hook that runs, and that one shows what it runs with (decision 22)', () => {
  const copies = [hookOf('a', { dedupeKey: 'k' }), hookOf('b', { dedupeKey: 'k', timeoutMs: 90_000, onError: 'block' })];
  expect(explainEvent(setOf(copies), toolEvent).hooks).toMatchObject([
    { hookId: 'a', wouldRun: true, timeoutMs: 90_000, onError: 'block' },
    { hookId: 'b', wouldRun: false, skipReason: 'duplicate', duplicateOf: 'a' },
  ]);
});

test('a hook that is still in question does not count as one that would run', () => {
  const set = setOf([hookOf('a', { matcher: 'write_file' }), hookOf('b', { matcher: 'read_file' })], reconsidering);
  const undecided = { wouldRun: false, skipReason: 'matcher', reason: 'it does not match yet' };
  const [first, second] = explainEvent(set, toolEvent).hooks;
  expect(first).toMatchObject({ wouldRun: true });
  expect(second).toMatchObject(undecided);
  expect(second).not.toHaveProperty('missingField');
  for (const hook of explainEvent(set, eventOf('BeforeTool')).hooks)
    expect(hook).toMatchObject({ ...undecided, missingField: 'tool_name' });
});

test('a hook whose circuit is open would not run; being asked about changes nothing', () => {
  const [hook, set] = [hookOf('a'), setOf([hookOf('a'), hookOf('b')])];
  let nowMs = 0;
  const circuits = new CircuitBreaker({ failures: 1, windowMs: 1000, pauseMs: 1000 }, () => nowMs).of(set);
  const entrance = circuits.enter(hook, () => {});
  if (entrance.refusal === undefined) {
    entrance.end(outcomeOf('a', undefined, { status: 'failed', warnings: [{ code: 'exit_code', message: 'it crashed' }] }));
  }
  expect(explainEvent(set, toolEvent, circuits).hooks).toMatchObject([
    {
      hookId: 'a',
      stage: 1,
      wouldRun: false,
      skipReason: 'circuit-open',
      reason: expect.stringContaining('Last failure: it crashed.'),
    },
    { hookId: 'b', wouldRun: true },
  ]);
  nowMs = 1000;
  for (const _ of [1, 2]) expect(explainEvent(set, toolEvent, circuits).hooks[0]).toMatchObject({ wouldRun: true, reason: 'it matches' });
});

test('a hook that is switched off as a whole comes last, with the reason', () => {
  const source = { ...sourceOf([hookOf('a')]), offFor: () => [{ hook: hookOf('z'), reason: 'the switch of /x.json is off' }] };
  const set = new HookRegistry({ sources: [source], dialects: [fakeDialect()] }).current;
  expect(explainEvent(set, toolEvent).hooks.at(-1)).toMatchObject({
    hookId: 'z',
    wouldRun: false,
    skipReason: 'disabled',
    reason: 'the switch of /x.json is off',
  });
});

function setOf(hooks: readonly HookDefinition[], dialect = fakeDialect()): HookSet {
  return new HookRegistry({ sources: [sourceOf(hooks)], dialects: [dialect] }).current;
}

function stagesOf(set: HookSet): (number | undefined)[] {
  return explainEvent(set, toolEvent).hooks.map((hook) => hook.stage);
}
