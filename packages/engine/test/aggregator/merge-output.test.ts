import {
  BeforeModelHookOutput,
  BeforeToolHookOutput,
  type HookEvent,
  type HookEventName,
  type HookOutcome,
  type HookOutput,
  hookEventNames,
} from '@tenterhook/protocol';
import fc from 'fast-check';
import { mergeOutput } from '../../src/aggregator/merge-output.js';
import { applyRewrites } from '../../src/aggregator/rewrites.js';
import { verdictOfOutcomes } from '../../src/aggregator/verdict.js';
import { eventOf, outcomeOf, toolEvent } from '../engine-rig.js';

function merge(event: HookEvent, outcomes: readonly HookOutcome[]) {
  const state = applyRewrites({ event, outcomes: [], changes: [] }, outcomes);
  return mergeOutput(state, verdictOfOutcomes(state.outcomes));
}
const outputs = (...list: HookOutput[]) => list.map((output, index) => outcomeOf(`h${index}`, output));
const mergedTool = (...list: HookOutput[]) => ({ ...merge(toolEvent, outputs(...list)) });
const mergedModel = (...list: HookOutput[]) => ({ ...merge(eventOf('BeforeModel', { llm_request: { model: 'm' } }), outputs(...list)) });

const tool: Record<string, [HookOutput[], HookOutput]> = {
  'silence is an allow': [[{}], { decision: 'allow' }],
  'a deny is a deny, with its reason alone': [
    [
      { decision: 'allow', reason: 'ok' },
      { decision: 'block', reason: 'no' },
    ],
    { decision: 'deny', reason: 'no' },
  ],
  'an ask is no allow': [[{ decision: 'ask' }, {}], { decision: 'ask' }],
  'a stop is no allow': [[{ continue: false, stopReason: 's' }, {}], { continue: false, stopReason: 's' }],
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

const model: Record<string, [HookOutput[], HookOutput]> = {
  'silence is no allow': [[{}], {}],
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

test('BeforeToolSelection: nobody set a tool config, so there is none; a mode alone leaves the list alone', () => {
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

test('a rewrite that rewrites nothing, because it is none, does not stand in the merged output as one', () => {
  const outcome = outcomeOf('rubbish', { hookSpecificOutput: { tool_input: 'x', note: 'kept' } });
  const state = { event: toolEvent, outcomes: [outcome], changes: [] };
  expect(mergeOutput(state, verdictOfOutcomes(state.outcomes))?.hookSpecificOutput).toEqual({ note: 'kept' });
});
