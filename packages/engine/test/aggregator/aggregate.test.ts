import {
  BeforeModelHookOutput,
  BeforeToolHookOutput,
  type HookEvent,
  type HookEventName,
  type HookOutcome,
  type HookOutput,
  hookEventNames,
  type Plan,
} from '@tenterhook/protocol';
import { aggregatedHookResultSchema } from '@tenterhook/protocol/internal';
import { aggregate, aggregateIdle } from '../../src/aggregator/aggregate.js';
import { mergeOutput } from '../../src/aggregator/merge-output.js';
import { applyRewrites } from '../../src/aggregator/rewrites.js';
import { verdictOfOutcomes } from '../../src/aggregator/verdict.js';
import { eventOf, hookOf, outcomeOf, toolEvent } from '../engine-rig.js';

const [a, b, c, d] = [
  hookOf('a'),
  hookOf('b', { name: 'second' }),
  hookOf('c'),
  hookOf('d', { action: { kind: 'command', command: 'x.sh' } }),
];

const plan: Plan = {
  order: [a, b, c, d],
  stages: [{ hooks: [c] }, { hooks: [a] }, { hooks: [d] }],
  skipped: [{ hook: b, skipReason: 'duplicate', reason: 'It is a duplicate of a, which runs instead.', duplicateOf: 'a' }],
};

const aggregated = (outcomes: readonly HookOutcome[], totalDuration = 5) =>
  aggregate(plan, applyRewrites({ event: toolEvent, outcomes: [], changes: [] }, outcomes), totalDuration);

test('every configured hook has an outcome in plan order: those that ran, the skipped, and those after the end of the chain', () => {
  const result = aggregated([outcomeOf('c'), outcomeOf('a', { decision: 'deny', reason: 'no' })]);
  expect(result.outcomes).toMatchObject([
    { hookId: 'a', status: 'blocked' },
    {
      hookId: 'b',
      name: 'second',
      status: 'skipped',
      skipReason: 'duplicate',
      duplicateOf: 'a',
      durationMs: 0,
      warnings: [{ code: 'duplicate' }],
    },
    { hookId: 'c', status: 'succeeded' },
    { hookId: 'd', command: 'x.sh', status: 'skipped', skipReason: 'chain-ended', warnings: [] },
  ]);
  expect(result.allOutputs).toEqual([{ decision: 'deny', reason: 'no' }]);
});

test('the diagnostic of an invalid hook is the warning of its outcome', () => {
  const invalid = hookOf('x', { skip: { skipReason: 'invalid', reason: 'r', warning: { code: 'unknown_type', message: 'm' } } });
  const { result } = aggregateIdle({ order: [invalid], stages: [], skipped: [{ hook: invalid, skipReason: 'invalid', reason: 'r' }] });
  expect(result.outcomes).toMatchObject([{ status: 'skipped', skipReason: 'invalid', warnings: [{ code: 'unknown_type', message: 'm' }] }]);
});

const health: Record<string, [Partial<HookOutcome>, boolean]> = {
  'a hook that succeeded is healthy': [{ status: 'succeeded' }, true],
  'a deny with exit 0 is healthy': [{ status: 'blocked', exitCode: 0 }, true],
  'a deny of a handler, which has no exit code, is healthy': [{ status: 'blocked' }, true],
  'an intended exit 2 is not': [{ status: 'blocked', exitCode: 2 }, false],
  'a failure is not': [{ status: 'failed', exitCode: 1 }, false],
  'a timeout is not': [{ status: 'timed-out' }, false],
  'a lost turn is not': [{ status: 'cancelled' }, false],
  'an async hook does not count': [{ status: 'detached' }, true],
};

test.each(Object.entries(health))('success: %s', (_, [fields, expected]) => {
  expect(aggregated([outcomeOf('c'), outcomeOf('a', undefined, fields), outcomeOf('d')]).success).toBe(expected);
});

test('each outcome that failed, timed out or was cancelled is an error; one that blocked or was skipped is not', () => {
  const failed = outcomeOf('a', undefined, {
    status: 'failed',
    exitCode: 1,
    warnings: [
      { code: 'exit_code', message: 'broke' },
      { code: 'decision_ignored', message: 'x' },
    ],
  });
  const late = outcomeOf('c', undefined, { status: 'timed-out', warnings: [{ code: 'timeout', message: 't' }] });
  const blocked = outcomeOf('d', { decision: 'deny' }, { exitCode: 2, warnings: [{ code: 'decision_ignored', message: 'x' }] });
  expect(aggregated([late, failed, blocked]).errors).toEqual([
    { code: 'exit_code', message: 'broke', hookId: 'a' },
    { code: 'timeout', message: 't', hookId: 'c' },
  ]);
});

test('the duration is the one it is given, and the result is what the protocol says', () => {
  const result = aggregated([outcomeOf('a', { hookSpecificOutput: { tool_input: { x: 1 } } }), outcomeOf('c'), outcomeOf('d')], 12.5);
  expect(result.totalDuration).toBe(12.5);
  expect(aggregatedHookResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(JSON.parse(JSON.stringify(result)));
  expect(result.changes).toEqual([{ path: 'tool_input.x', hookId: 'a', after: 1 }]);
});

test('a plan in which nothing runs has outcomes and no output', () => {
  const { result } = aggregateIdle({ order: [a], stages: [], skipped: [{ hook: a, skipReason: 'matcher', reason: 'r' }] });
  expect(result).toEqual({
    success: true,
    verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes: [
      {
        hookId: 'a',
        eventName: 'BeforeTool',
        source: 'user',
        level: 'user',
        dialect: 'fake',
        status: 'skipped',
        skipReason: 'matcher',
        durationMs: 0,
        warnings: [],
      },
    ],
    errors: [],
    totalDuration: 0,
  });
});

import fc from 'fast-check';

function merge(event: HookEvent, outcomes: readonly HookOutcome[]) {
  const state = applyRewrites({ event, outcomes: [], changes: [] }, outcomes);
  return mergeOutput(state, verdictOfOutcomes(state.outcomes));
}
/** An output with fields of the hook itself. */
type Printed = HookOutput & Readonly<Record<string, unknown>>;

const outputs = (...list: HookOutput[]) => list.map((output, index) => outcomeOf(`h${index}`, output));
const mergedTool = (...list: HookOutput[]) => ({ ...merge(toolEvent, outputs(...list)) });
const mergedModel = (...list: HookOutput[]) => ({ ...merge(eventOf('BeforeModel', { llm_request: { model: 'm' } }), outputs(...list)) });

const tool: Record<string, [Printed[], Printed]> = {
  'silence is an allow': [[{}], { decision: 'allow' }],
  'a deny is a deny, with its reason alone': [
    [
      { decision: 'allow', reason: 'ok' },
      { decision: 'block', reason: 'no' },
    ],
    { decision: 'deny', reason: 'no' },
  ],
  'an ask is not an allow': [[{ decision: 'ask' }, {}], { decision: 'ask' }],
  'a stop is not an allow': [[{ continue: false, stopReason: 's' }, {}], { continue: false, stopReason: 's' }],
  'messages are joined in plan order': [[{ systemMessage: 'a' }, {}, { systemMessage: 'b' }], { decision: 'allow', systemMessage: 'a\nb' }],
  'stop reasons are joined': [
    [
      { continue: false, stopReason: 'a' },
      { continue: false, stopReason: 'b' },
    ],
    { continue: false, stopReason: 'a\nb' },
  ],
  'context is joined': [
    [{ hookSpecificOutput: { additionalContext: 'a' } }, { hookSpecificOutput: { additionalContext: 'b' } }],
    { decision: 'allow', hookSpecificOutput: { additionalContext: 'a\nb' } },
  ],
  'texts for the user are joined': [
    [{ hookSpecificOutput: { userMessage: 'a' } }, { hookSpecificOutput: { userMessage: 'b' } }],
    { decision: 'allow', hookSpecificOutput: { userMessage: 'a\nb' } },
  ],
  'one who hides the output is enough': [
    [{ suppressOutput: true }, { suppressOutput: false }],
    { decision: 'allow', suppressOutput: true },
  ],
  'fields of the hooks themselves pass, the last one counts': [
    [{ note: 1, tag: 'a' }, { note: 2 }],
    { decision: 'allow', note: 2, tag: 'a' },
  ],
  'what spoke for one hook alone is gone': [
    [
      {
        decision: 'deny',
        reason: 'no',
        hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no', retryAfterMs: 5, skipRemaining: true },
      },
    ],
    { decision: 'deny', reason: 'no' },
  ],
  'rewrites are the whole effective value': [
    [{ hookSpecificOutput: { tool_input: { x: 1 } } }, { hookSpecificOutput: { tool_input: { y: 2 } } }],
    { decision: 'allow', hookSpecificOutput: { tool_input: { path: 'a.txt', x: 1, y: 2 } } },
  ],
  'a whole new input stands under tool_input, once': [
    [{ hookSpecificOutput: { updatedInput: { x: 1 } } }],
    { decision: 'allow', hookSpecificOutput: { tool_input: { x: 1 } } },
  ],
};

test.each(Object.entries(tool))('BeforeTool: %s', (_, [list, expected]) => {
  expect(mergedTool(...list)).toEqual(expected);
});

const model: Record<string, [Printed[], Printed]> = {
  'silence is not an allow': [[{}], {}],
  'of each field the last write counts': [
    [
      { note: 1, hookSpecificOutput: { llm_response: { text: 'a' }, tag: 1 } },
      { note: 2, hookSpecificOutput: { llm_response: { text: 'b' } } },
    ],
    { note: 2, hookSpecificOutput: { llm_response: { text: 'b' }, tag: 1 } },
  ],
  'a later allow erases no deny': [
    [
      { decision: 'deny', reason: 'no' },
      { decision: 'allow', reason: 'ok' },
    ],
    { decision: 'deny', reason: 'no' },
  ],
  'the request is the whole effective one': [
    [{ hookSpecificOutput: { llm_request: { config: { topP: 1 } } } }, { hookSpecificOutput: { llm_request: { config: { topK: 2 } } } }],
    { hookSpecificOutput: { llm_request: { model: 'm', config: { topP: 1, topK: 2 } } } },
  ],
};

test.each(Object.entries(model))('BeforeModel: %s', (_, [list, expected]) => {
  expect(mergedModel(...list)).toEqual(expected);
});

test('BeforeToolSelection: without a tool config of a hook the output has none; a mode alone leaves the list alone', () => {
  const event = eventOf('BeforeToolSelection', { llm_request: { toolConfig: { mode: 'AUTO', allowedFunctionNames: ['x'] } } });
  expect(merge(event, outputs({ systemMessage: 'm' }))).not.toHaveProperty('hookSpecificOutput');
  const merged = merge(event, outputs({ hookSpecificOutput: { toolConfig: { mode: 'ANY' } } }));
  expect(merged?.hookSpecificOutput).toEqual({ toolConfig: { mode: 'ANY' } });
});

/** Decision 9, for the events whose hooks are joined by OR. */
test.each<[HookEventName, boolean]>([
  ['BeforeTool', true],
  ['AfterTool', true],
  ['BeforeAgent', true],
  ['AfterAgent', true],
  ['SessionStart', true],
  ['BeforeModel', false],
  ['AfterModel', false],
  ['BeforeToolSelection', false],
  ['SessionEnd', true],
  ['PreCompress', false],
  ['Notification', false],
])('%s: silence is an allow: %s', (eventName, isAllow) => {
  expect(merge(eventOf(eventName), outputs({}))?.decision).toBe(isAllow ? 'allow' : undefined);
});

test.each<HookOutcome['status']>(['failed', 'timed-out', 'cancelled', 'detached'])(
  'a hook that is %s allows nothing, and its words do not count',
  (status) => {
    const merged = merge(toolEvent, [outcomeOf('a', { systemMessage: 'm', decision: 'allow' }, { status })]);
    expect({ ...merged }).toEqual({});
  },
);

test('one that succeeded allows beside one that failed; one that was closed does not', () => {
  const failed = outcomeOf('b', undefined, { status: 'failed' });
  expect(merge(toolEvent, [outcomeOf('a'), failed])?.decision).toBe('allow');
  expect(merge(toolEvent, [outcomeOf('a'), { ...failed, failedClosed: true }])?.decision).toBe('deny');
});

test('where no hook ran there is no output', () => {
  expect(merge(toolEvent, [])).toBeUndefined();
  expect(merge(toolEvent, [outcomeOf('a', undefined, { status: 'skipped' })])).toBeUndefined();
});

test('the output is an instance of the class of its event', () => {
  expect(merge(toolEvent, outputs({}))).toBeInstanceOf(BeforeToolHookOutput);
  expect(merge(eventOf('BeforeModel'), outputs({}))).toBeInstanceOf(BeforeModelHookOutput);
});

const anyOutput = fc.record(
  {
    decision: fc.constantFrom('allow', 'approve', 'ask', 'deny', 'block'),
    reason: fc.string(),
    continue: fc.boolean(),
    suppressOutput: fc.boolean(),
    systemMessage: fc.string(),
    hookSpecificOutput: fc.dictionary(
      fc.constantFrom('permissionDecision', 'additionalContext', 'decision', 'hookEventName', 'x'),
      fc.jsonValue(),
    ),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<HookOutput>;
const status = fc.constantFrom<HookOutcome['status']>('succeeded', 'blocked', 'failed', 'timed-out', 'cancelled', 'skipped', 'detached');
const anyOutcomes = fc
  .array(fc.tuple(anyOutput, status))
  .map((list) => list.map(([output, is], index) => outcomeOf(`h${index}`, output, { status: is })));

test('the merged output of a deny and a stop blocks and stops on every event, whatever the others say and wherever they stand', () => {
  fc.assert(
    fc.property(fc.constantFrom(...hookEventNames), anyOutcomes, fc.nat(), fc.nat(), (eventName, others, i, j) => {
      const all = [...others];
      all.splice(i % (all.length + 1), 0, outcomeOf('deny', { decision: 'deny', reason: 'no' }));
      all.splice(j % (all.length + 1), 0, outcomeOf('stop', { continue: false }));
      const merged = merge(eventOf(eventName), all);
      expect(merged?.isBlockingDecision()).toBe(true);
      expect(merged?.shouldStopExecution()).toBe(true);
      expect(merged?.reason?.split('\n')).toContain('no');
    }),
  );
});

test('an invalid rewrite, which rewrites nothing, is not in the merged output', () => {
  const outcome = outcomeOf('rubbish', { hookSpecificOutput: { tool_input: 'x', note: 'kept' } });
  const state = { event: toolEvent, outcomes: [outcome], changes: [] };
  expect(mergeOutput(state, verdictOfOutcomes(state.outcomes))?.hookSpecificOutput).toEqual({ note: 'kept' });
});

test('contexts of hooks of one dialect are joined by its separator, and those of different dialects by a line break', () => {
  const context = (dialect: string, additionalContext: string) => ({
    ...outcomeOf('a', { hookSpecificOutput: { additionalContext } }),
    dialect,
  });
  const state = applyRewrites({ event: toolEvent, outcomes: [], changes: [] }, [
    context('wide', 'one'),
    context('wide', 'two'),
    context('other', 'three'),
    context('other', 'four'),
    context('wide', 'five'),
  ]);
  const merged = mergeOutput(state, verdictOfOutcomes(state.outcomes), [{ name: 'wide', contextSeparator: '\n\n' }, { name: 'other' }]);
  expect(merged?.hookSpecificOutput).toEqual({ additionalContext: 'one\n\ntwo\nthree\nfour\nfive' });
});
