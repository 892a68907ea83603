import type { Dialect, HookEventName, HookExecutor, HookOutput } from '@tenterhook/protocol';
import { HookSystem } from '../../src/hook-system.js';
import { noEffectWarnings } from '../../src/outcome/check-output.js';
import { answering, fakeDialect, hookOf, sourceOf } from '../engine-rig.js';

/** As most dialects do, it writes the event as JSON, which a value that is too deep would break. */
const writing: Dialect = fakeDialect({
  name: 'writing',
  invocation: ({ input }, hook) => ({ kind: 'call', handlerId: hook.id, argument: JSON.stringify(input) }),
});

/** A guard behind a hook of another dialect, whose decode() gives what stands here. */
async function firedWith(output: unknown, fields: Parameters<typeof hookOf>[1] = {}) {
  const argumentsOf: unknown[] = [];
  const first = answering({ a: output as HookOutput });
  const executor: HookExecutor = {
    kind: 'call',
    run: async (invocation, hook, event, options) => {
      if (hook.id === 'a') return first.run(invocation, hook, event, options);
      options.onStart();
      argumentsOf.push(invocation.kind === 'call' ? JSON.parse(invocation.argument as string) : undefined);
      return { kind: 'answered', answer: { decision: 'deny', reason: 'guarded' }, durationMs: 1 };
    },
  };
  const system = new HookSystem({
    projectDir: '/srv/app',
    dialects: [fakeDialect(), writing],
    sources: [sourceOf([hookOf('a', fields), hookOf('guard', { dialect: 'writing' })])],
    executors: [executor],
  });
  const result = await system.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a' });
  await system.dispose();
  return { result, seen: argumentsOf, own: result.outcomes[0] };
}

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

const circular: Record<string, unknown> = {};
circular['self'] = circular;
const throwing = Object.defineProperty({}, 'path', {
  enumerable: true,
  get() {
    throw new Error('oops');
  },
});

const unusable: Record<string, [value: unknown, code: string]> = {
  'nested 100,000 levels deep': [{ path: nested(100_000) }, 'too_deep'],
  'nested 5000 levels deep, as a whole': [{ a: nested(5000) }, 'too_deep'],
  'that holds itself': [circular, 'too_deep'],
  'that is infinite': [{ path: Number.POSITIVE_INFINITY }, 'wrong_type'],
  'with a BigInt': [{ path: 5n }, 'wrong_type'],
  'whose getter throws': [throwing, 'wrong_type'],
};

test.each(Object.entries(unusable))('a rewrite %s is dropped with a warning, and the next guard is asked', async (_, [value, code]) => {
  const { result, seen, own } = await firedWith({
    systemMessage: 'kept',
    hookSpecificOutput: { tool_input: value, additionalContext: 'c' },
  });
  expect(own).toMatchObject({ status: 'succeeded', output: { systemMessage: 'kept', hookSpecificOutput: { additionalContext: 'c' } } });
  expect(own?.output?.hookSpecificOutput).not.toHaveProperty('tool_input');
  expect(own?.warnings).toMatchObject([{ code, message: expect.stringMatching(/^hookSpecificOutput\.tool_input .*It was dropped\.$/) }]);
  expect(seen).toMatchObject([{ tool_input: { path: 'a' } }]);
  expect(result.verdict).toMatchObject({ kind: 'deny', by: ['guard'] });
  expect(() => JSON.stringify(result)).not.toThrow();
});

test('a field of the top level that is too deep goes alone: the deny beside it counts, and so does what else was said', async () => {
  const { result, own } = await firedWith({
    decision: 'deny',
    reason: 'no',
    note: nested(5000),
    hookSpecificOutput: { x: nested(5000), y: 1 },
  });
  expect(own).toMatchObject({ status: 'blocked', output: { decision: 'deny', reason: 'no', hookSpecificOutput: { y: 1 } } });
  expect(own?.output).not.toHaveProperty('note');
  expect(own?.warnings.map(({ code, message }) => [code, message.split(' ')[0]])).toEqual([
    ['too_deep', 'note'],
    ['too_deep', 'hookSpecificOutput.x'],
  ]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: ['a'] });
});

test('what is dropped breaks the answer of a hook with onError: block', async () => {
  const { result, own } = await firedWith({ hookSpecificOutput: { tool_input: nested(5000) } }, { onError: 'block' });
  expect(own).toMatchObject({ status: 'failed', failedClosed: true });
  expect(result.verdict).toMatchObject({ kind: 'deny', by: ['a'] });
});

test.each([null, 'deny', [nested(5000)]])('an output that is not an object (%#) harms no other hook', async (output) => {
  const { result } = await firedWith(output);
  expect(result.verdict).toMatchObject({ kind: 'deny', by: ['guard'] });
  expect(() => JSON.stringify(result)).not.toThrow();
});

test('names that every object inherits stay fields', async () => {
  const { own } = await firedWith(JSON.parse('{ "__proto__": { "a": 1 }, "hookSpecificOutput": { "__proto__": 1, "constructor": 2 } }'));
  expect(Object.keys(own?.output ?? {})).toEqual(['__proto__', 'hookSpecificOutput']);
  expect(Object.keys(own?.output?.hookSpecificOutput ?? {})).toEqual(['__proto__', 'constructor']);
});

const cases: [string, HookEventName, HookOutput, string[]][] = [
  ['a deny of AfterModel undoes nothing', 'AfterModel', { decision: 'deny' }, ['cannot be blocked']],
  ['a deny of BeforeToolSelection undoes nothing', 'BeforeToolSelection', { decision: 'block' }, ['cannot be blocked']],
  ['a deny of AfterTool is feedback', 'AfterTool', { decision: 'deny' }, []],
  ['a deny of BeforeTool blocks', 'BeforeTool', { decision: 'deny' }, []],
  ['a deny that takes the response away has done what it could', 'AfterModel', deny({ llm_response: {} }), []],
  ['a stop of SessionStart ends nothing', 'SessionStart', { continue: false }, ['cannot stop']],
  ['a stop of AfterModel stops', 'AfterModel', { continue: false }, []],
  ['an ask of AfterTool is not put to the user', 'AfterTool', { decision: 'ask' }, ['cannot ask the user']],
  ['an ask of Notification is not put to the user', 'Notification', { decision: 'ask' }, ['cannot ask the user']],
  ['an ask of BeforeModel is put to the user', 'BeforeModel', { decision: 'ask' }, []],
  ['an allow and silence have nothing to lose', 'PreCompress', { decision: 'allow' }, []],
  ['each is said', 'PreCompress', { decision: 'deny', continue: false }, ['cannot be blocked', 'cannot stop']],
];

function deny(hookSpecificOutput: Record<string, unknown>): HookOutput {
  return { decision: 'deny', hookSpecificOutput };
}

test.each(cases)('%s', (_, eventName, output, expected) => {
  const warnings = noEffectWarnings(output, eventName);
  expect(warnings.map(({ code }) => code)).toEqual(expected.map(() => 'no_effect'));
  expect(warnings.map(({ message }) => message)).toEqual(expected.map((text) => expect.stringContaining(text)));
});
