import type { HookEvent, HookEventName, HookOutcome } from '@tenterhook/protocol';
import fc from 'fast-check';
import { applyRewrites, applyUnopposed, effectiveRewrites, type PlanState } from '../../src/aggregator/rewrites.js';
import { writtenPaths } from '../../src/aggregator/written-paths.js';
import { eventOf, outcomeOf } from '../engine-rig.js';

const begin = (event: HookEvent): PlanState => ({ event, outcomes: [], changes: [] });
const writes = (hookId: string, hookSpecificOutput: Record<string, unknown>, fields: Partial<HookOutcome> = {}) =>
  outcomeOf(hookId, { hookSpecificOutput }, fields);
const inOneStage = (event: HookEvent, ...outcomes: HookOutcome[]) => applyRewrites(begin(event), outcomes);
const inStages = (event: HookEvent, ...outcomes: HookOutcome[]) =>
  outcomes.reduce((state, outcome) => applyRewrites(state, [outcome]), begin(event));

const tool = eventOf('BeforeTool', { tool_name: 'write_file', tool_input: { a: 1 } });
const request = { model: 'm-1', messages: [{ role: 'user', content: 'x' }], config: { temperature: 0 } };

interface Rule {
  readonly event: HookEvent;
  readonly written: Record<string, unknown>;
  readonly input: Record<string, unknown>;
  readonly effective: Record<string, unknown>;
  readonly changes: readonly Record<string, unknown>[];
}

const rules: Record<string, Rule> = {
  'tool_input is merged': {
    event: tool,
    written: { tool_input: { b: 2 } },
    input: { tool_input: { a: 1, b: 2 } },
    effective: { tool_input: { a: 1, b: 2 } },
    changes: [{ path: 'tool_input.b', after: 2 }],
  },
  'a nested value of tool_input is replaced as a whole': {
    event: eventOf('BeforeTool', { tool_input: { a: { x: 1, y: 2 } } }),
    written: { tool_input: { a: { x: 3 } } },
    input: { tool_input: { a: { x: 3 } } },
    effective: { tool_input: { a: { x: 3 } } },
    changes: [{ path: 'tool_input.a', before: { x: 1, y: 2 }, after: { x: 3 } }],
  },
  'updatedInput replaces the input as a whole': {
    event: tool,
    written: { updatedInput: { b: 2 } },
    input: { tool_input: { b: 2 } },
    effective: { tool_input: { b: 2 } },
    changes: [
      { path: 'tool_input.a', before: 1 },
      { path: 'tool_input.b', after: 2 },
    ],
  },
  'tool_input is merged onto updatedInput of the same hook': {
    event: tool,
    written: { tool_input: { c: 3 }, updatedInput: { b: 2 } },
    input: { tool_input: { b: 2, c: 3 } },
    effective: { tool_input: { b: 2, c: 3 } },
    changes: [
      { path: 'tool_input.a', before: 1 },
      { path: 'tool_input.b', after: 2 },
      { path: 'tool_input.c', after: 3 },
    ],
  },
  'a text in place of a tool output takes the place of both its texts': {
    event: eventOf('AfterTool', {
      tool_response: { llmContent: 'secret', returnDisplay: 'secret', error: { message: 'e' }, extra: 'secret' },
    }),
    written: { updatedToolOutput: '[redacted]' },
    input: { tool_response: { llmContent: '[redacted]', returnDisplay: '[redacted]', error: { message: '[redacted]' } } },
    effective: { updatedToolOutput: { llmContent: '[redacted]', returnDisplay: '[redacted]', error: { message: '[redacted]' } } },
    changes: [
      { path: 'tool_response.llmContent', before: 'secret', after: '[redacted]' },
      { path: 'tool_response.returnDisplay', before: 'secret', after: '[redacted]' },
      { path: 'tool_response.error', before: { message: 'e' }, after: { message: '[redacted]' } },
      { path: 'tool_response.extra', before: 'secret' },
    ],
  },
  'of the error of a tool output that another value replaces, only the fact is kept': {
    event: eventOf('AfterTool', { tool_response: { llmContent: 'secret', error: { message: 'secret' } } }),
    written: { updatedToolOutput: ['clean'] },
    input: {
      tool_response: {
        llmContent: ['clean'],
        returnDisplay: ['clean'],
        error: { message: 'The tool failed. A hook replaced its result.' },
      },
    },
    effective: {
      updatedToolOutput: {
        llmContent: ['clean'],
        returnDisplay: ['clean'],
        error: { message: 'The tool failed. A hook replaced its result.' },
      },
    },
    changes: [
      { path: 'tool_response.llmContent', before: 'secret', after: ['clean'] },
      { path: 'tool_response.error', before: { message: 'secret' }, after: { message: 'The tool failed. A hook replaced its result.' } },
      { path: 'tool_response.returnDisplay', after: ['clean'] },
    ],
  },
  'an object in place of a tool output is the output': {
    event: eventOf('AfterTool', { tool_response: { llmContent: 'a' } }),
    written: { updatedToolOutput: { llmContent: 'b' } },
    input: { tool_response: { llmContent: 'b' } },
    effective: { updatedToolOutput: { llmContent: 'b' } },
    changes: [{ path: 'tool_response.llmContent', before: 'a', after: 'b' }],
  },
  'a prompt is replaced': {
    event: eventOf('BeforeAgent', { prompt: 'a' }),
    written: { replacedPrompt: 'b' },
    input: { prompt: 'b' },
    effective: { replacedPrompt: 'b' },
    changes: [{ path: 'prompt', before: 'a', after: 'b' }],
  },
  'fields of a model request are replaced, its config key by key': {
    event: eventOf('BeforeModel', { llm_request: request }),
    written: { llm_request: { messages: [], config: { topP: 1 } } },
    input: { llm_request: { model: 'm-1', messages: [], config: { temperature: 0, topP: 1 } } },
    effective: { llm_request: { model: 'm-1', messages: [], config: { temperature: 0, topP: 1 } } },
    changes: [
      { path: 'llm_request.messages', before: request.messages, after: [] },
      { path: 'llm_request.config.topP', after: 1 },
    ],
  },
  'fields of a model response are replaced': {
    event: eventOf('AfterModel', { llm_response: { text: 'a', usageMetadata: { totalTokenCount: 4 } } }),
    written: { llm_response: { text: 'b' } },
    input: { llm_response: { text: 'b', usageMetadata: { totalTokenCount: 4 } } },
    effective: { llm_response: { text: 'b', usageMetadata: { totalTokenCount: 4 } } },
    changes: [{ path: 'llm_response.text', before: 'a', after: 'b' }],
  },
  'the tool config of the hooks takes the place of that of the request': {
    event: eventOf('BeforeToolSelection', { llm_request: { toolConfig: { mode: 'AUTO', allowedFunctionNames: ['x'] } } }),
    written: { toolConfig: { mode: 'ANY', allowedFunctionNames: ['b', 'a'] } },
    input: { llm_request: { toolConfig: { mode: 'ANY', allowedFunctionNames: ['a', 'b'] } } },
    effective: { toolConfig: { mode: 'ANY', allowedFunctionNames: ['a', 'b'] } },
    changes: [
      { path: 'toolConfig.mode', before: 'AUTO', after: 'ANY' },
      { path: 'toolConfig.allowedFunctionNames', before: ['x'], after: ['a', 'b'] },
    ],
  },
};

test.each(Object.entries(rules))('%s', (_, { event, written, input, effective, changes }) => {
  const before = structuredClone(event);
  const state = inOneStage(event, writes('h', written));
  expect(state.event.input).toEqual({ ...event.input, ...input });
  expect(effectiveRewrites(state)).toEqual(effective);
  expect(state.changes).toEqual(changes.map((change) => ({ ...change, hookId: 'h' })));
  expect(event).toEqual(before);
});

test('a field that the event does not have rewrites nothing', () => {
  const state = inOneStage(eventOf('AfterTool', { tool_input: { a: 1 } }), writes('h', { tool_input: { a: 2 }, replacedPrompt: 'p' }));
  expect(state.event.input['tool_input']).toEqual({ a: 1 });
  expect([state.changes, effectiveRewrites(state)]).toEqual([[], {}]);
});

test('stages chain: each composes onto what those before it wrote, and every change is listed', () => {
  const state = inStages(tool, writes('h1', { tool_input: { a: 2 } }), writes('h2', { tool_input: { a: 3, b: 1 } }));
  expect(state.event.input['tool_input']).toEqual({ a: 3, b: 1 });
  expect(state.changes).toEqual([
    { path: 'tool_input.a', hookId: 'h1', before: 1, after: 2 },
    { path: 'tool_input.a', hookId: 'h2', before: 2, after: 3 },
    { path: 'tool_input.b', hookId: 'h2', after: 1 },
  ]);
  expect(state.outcomes.flatMap((outcome) => outcome.warnings)).toEqual([]);
});

test('two hooks side by side that write different values: the later counts, and its warning names both', () => {
  const state = inOneStage(tool, writes('h1', { tool_input: { a: 2 } }), writes('h2', { tool_input: { a: 3, b: 1 } }));
  expect(state.event.input['tool_input']).toEqual({ a: 3, b: 1 });
  expect(state.outcomes.map((outcome) => outcome.warnings.length)).toEqual([0, 1]);
  expect(state.outcomes[1]?.warnings[0]).toEqual({
    code: 'rewrite_conflict',
    message: expect.stringMatching(/h2.*tool_input\.a \(also written by h1\)/),
  });
});

test('two hooks side by side that write the same value, or different fields, agree', () => {
  const state = inOneStage(tool, writes('h1', { tool_input: { a: 2 } }), writes('h2', { tool_input: { a: 2, b: 1 } }));
  expect(state.outcomes.flatMap((outcome) => outcome.warnings)).toEqual([]);
  expect(state.changes.map((change) => `${change.path} ${change.hookId}`)).toEqual(['tool_input.a h1', 'tool_input.b h2']);
});

test.each<HookOutcome['status']>(['failed', 'timed-out', 'cancelled', 'skipped'])('what a hook that %s wrote is not applied', (status) => {
  const state = inOneStage(tool, writes('h', { tool_input: { a: 2 }, additionalContext: 'c' }, { status }));
  expect(state.event).toEqual(tool);
  expect([state.changes, effectiveRewrites(state)]).toEqual([[], {}]);
});

test('a rewrite to the value that stands is effective, and no change', () => {
  const state = inOneStage(tool, writes('h', { tool_input: { a: 1 } }));
  expect(effectiveRewrites(state)).toEqual({ tool_input: { a: 1 } });
  expect(state.changes).toEqual([]);
});

test('the context of the hooks so far is joined for those that follow, each after a blank line (decision 18)', () => {
  const state = inStages(
    eventOf('BeforeAgent', { prompt: 'p' }),
    writes('a', { additionalContext: 'one' }),
    writes('b', { additionalContext: '' }),
    writes('c', { additionalContext: 'two' }),
  );
  expect(state.event.contextSoFar).toBe('one\n\ntwo');
  expect(state.event.input['prompt']).toBe('p');
});

const selection = (names: string[]) =>
  eventOf('BeforeToolSelection', { llm_request: { toolConfig: { mode: 'AUTO', allowedFunctionNames: names } } });
const names = (hookId: string, ...allowedFunctionNames: string[]) => writes(hookId, { toolConfig: { allowedFunctionNames } });

test.each([
  ['side by side', inOneStage],
  ['one after another', inStages],
])('tool names are united across hooks %s, and not with those of the request', (_, run) => {
  const state = run(selection(['x', 'y']), names('h1', 'b', 'a'), names('h2', 'c'));
  expect(effectiveRewrites(state)).toMatchObject({ toolConfig: { allowedFunctionNames: ['a', 'b', 'c'] } });
  expect(state.outcomes.flatMap((outcome) => outcome.warnings)).toEqual([]);
});

test.each([
  ['side by side', inOneStage],
  ['one after another', inStages],
])('tool names of a hook that repeats those of the request count, %s (decision 21)', (_, run) => {
  const state = run(selection(['a']), names('h1', 'a'), names('h2', 'c'));
  expect(effectiveRewrites(state)).toEqual({ toolConfig: { mode: 'AUTO', allowedFunctionNames: ['a', 'c'] } });
});

const events: readonly HookEventName[] = ['BeforeTool', 'AfterTool', 'BeforeAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection'];
const specific = fc.record(
  {
    tool_input: fc.dictionary(fc.constantFrom('a', 'b'), fc.nat(3)),
    updatedInput: fc.dictionary(fc.constantFrom('a', 'b'), fc.nat(3)),
    updatedToolOutput: fc.oneof(fc.string(), fc.record({ llmContent: fc.string() })),
    replacedPrompt: fc.string(),
    llm_request: fc.record({ config: fc.dictionary(fc.constantFrom('topP', 'topK'), fc.nat(3)) }),
    llm_response: fc.record({ text: fc.string() }),
    toolConfig: fc.record({ allowedFunctionNames: fc.array(fc.constantFrom('a', 'b')) }),
    additionalContext: fc.string(),
  },
  { requiredKeys: [] },
);
const startOf = (eventName: HookEventName) =>
  eventOf(eventName, {
    tool_name: 't',
    tool_input: { a: 9 },
    // Texts that no hook below writes by chance: side by side that would be no write.
    tool_response: { llmContent: 'what the tool gave back' },
    prompt: 'what the user sent',
    llm_request: { config: { topP: 9 } },
    llm_response: { text: 'what the model said' },
  });

test('what side-by-side hooks write is what they would write one after another, had they not looked', () => {
  fc.assert(
    fc.property(fc.constantFrom(...events), fc.array(specific), (eventName, list) => {
      const outcomes = list.map((written, index) => writes(`h${index}`, written));
      const [together, chained] = [inOneStage(startOf(eventName), ...outcomes), inStages(startOf(eventName), ...outcomes)];
      expect(together.event).toEqual(chained.event);
      expect(together.changes).toEqual(chained.changes);
    }),
  );
});

test('the changes lead from the original to the effective values, and nothing that was given is changed', () => {
  fc.assert(
    fc.property(fc.array(specific), (list) => {
      const outcomes = list.map((written, index) => writes(`h${index}`, written));
      const before = structuredClone(outcomes);
      const state = inOneStage(startOf('BeforeTool'), ...outcomes);
      const replayed: Record<string, unknown> = { a: 9 };
      for (const change of state.changes) {
        const key = change.path.replace('tool_input.', '');
        expect(change.before).toEqual(replayed[key]);
        if ('after' in change) replayed[key] = change.after;
        else delete replayed[key];
      }
      expect(state.event.input['tool_input']).toEqual(replayed);
      expect(outcomes).toEqual(before);
    }),
  );
});

test('one output that writes a value twice is in no conflict with itself', () => {
  const state = inOneStage(tool, writes('both', { updatedInput: { a: 2 }, tool_input: { a: 3 } }));
  expect(state.event.input['tool_input']).toEqual({ a: 3 });
  expect(state.outcomes[0]?.warnings).toEqual([]);
});

test.each([
  ['BeforeTool', 'tool_input'],
  ['BeforeTool', 'updatedInput'],
  ['BeforeModel', 'llm_request'],
  ['AfterModel', 'llm_response'],
  ['BeforeToolSelection', 'toolConfig'],
] as const)('on %s a %s that is not an object rewrites nothing and affects no other hook (decision 34)', (eventName, field) => {
  const event = eventOf(eventName, { tool_input: { a: 1 }, llm_request: { model: 'm' }, llm_response: { text: 't' } });
  for (const rubbish of [null, 'x', 5, [1], true]) {
    const state = inOneStage(event, writes('rubbish', { [field]: rubbish }), outcomeOf('deny', { decision: 'deny', reason: 'no' }));
    expect(state.event.input).toEqual(event.input);
    expect(state.changes).toEqual([]);
    expect(state.outcomes.map((outcome) => outcome.status)).toEqual(['succeeded', 'blocked']);
  }
});

test.each<[HookEvent['eventName'], string, Record<string, unknown>]>([
  ['BeforeModel', 'llm_request', { config: 'x' }],
  ['AfterModel', 'llm_response', { text: 5 }],
  ['AfterModel', 'llm_response', { candidates: 'x' }],
  ['AfterModel', 'llm_response', { candidates: {} }],
  ['AfterModel', 'llm_response', { candidates: [{}] }],
  ['AfterModel', 'llm_response', { candidates: [{ content: { parts: 'x' } }] }],
  ['AfterModel', 'llm_response', { candidates: [{ content: { parts: [null] } }] }],
  ['BeforeToolSelection', 'toolConfig', { mode: 'none' }],
  ['BeforeToolSelection', 'toolConfig', { allowedFunctionNames: [{ toString: 1 }, 'a'] }],
])('on %s a %s such as %j rewrites nothing, costs another hook nothing, and is said', (eventName, field, rubbish) => {
  const event = eventOf(eventName, { llm_request: { config: { topK: 1 } }, llm_response: { text: 't' } });
  for (const outcomes of [
    [writes('rubbish', { [field]: rubbish }), outcomeOf('deny', { decision: 'deny', reason: 'no' })],
    [outcomeOf('deny', { decision: 'deny', reason: 'no' }), writes('rubbish', { [field]: rubbish })],
  ]) {
    const state = inOneStage(event, ...outcomes);
    expect(state.event.input).toEqual(event.input);
    expect(state.outcomes.map((outcome) => outcome.status).sort()).toEqual(['blocked', 'succeeded']);
    const warnings = state.outcomes.find(({ hookId }) => hookId === 'rubbish')?.warnings;
    expect(warnings).toEqual([{ code: 'wrong_type', message: expect.stringContaining(`hookSpecificOutput.${field}`) }]);
  }
});

test('an unknown mode does not open what another hook closed', () => {
  const event = eventOf('BeforeToolSelection', { llm_request: {} });
  const state = inOneStage(event, writes('guard', { toolConfig: { mode: 'NONE' } }), writes('typo', { toolConfig: { mode: 'none' } }));
  expect(effectiveRewrites(state)).toEqual({ toolConfig: { mode: 'NONE', allowedFunctionNames: [] } });
});

test('a hook that writes what it was shown says nothing on it: it is in no conflict, whatever the order', () => {
  const [keeps, changes] = [writes('keeps', { tool_input: { a: 1 } }), writes('changes', { tool_input: { a: 2 } })];
  for (const outcomes of [
    [keeps, changes],
    [changes, keeps],
  ]) {
    const state = inOneStage(tool, ...outcomes);
    expect(effectiveRewrites(state)).toEqual({ tool_input: { a: 2 } });
    expect(state.changes).toEqual([{ path: 'tool_input.a', hookId: 'changes', before: 1, after: 2 }]);
    expect(state.outcomes.flatMap((outcome) => outcome.warnings)).toEqual([]);
  }
  expect(inOneStage(tool, writes('x', { tool_input: { a: 3 } }), writes('y', { tool_input: { a: 3 } })).outcomes[1]?.warnings).toEqual([]);
});

const parts = (...texts: string[]) => [{ content: { role: 'model', parts: texts } }];
const said = { llmContent: 'secret', returnDisplay: 'secret' };

/** What was shown, what one hook made of it, what another handed back beside it, and what is left. */
const echoes: Record<
  string,
  { event: HookEvent; redacts: Record<string, unknown>; echoes: Record<string, unknown>; effective: Record<string, unknown> }
> = {
  'a key of tool_input': {
    event: eventOf('BeforeTool', { tool_input: { key: 'secret', path: 'a' } }),
    redacts: { tool_input: { key: '***' } },
    echoes: { tool_input: { key: 'secret', path: 'b' } },
    effective: { tool_input: { key: '***', path: 'b' } },
  },
  'a key of an input that is replaced as a whole': {
    event: eventOf('BeforeTool', { tool_input: { key: 'secret', path: 'a' } }),
    redacts: { updatedInput: { key: '***', path: 'a' } },
    echoes: { updatedInput: { key: 'secret', path: 'b' } },
    effective: { tool_input: { key: '***', path: 'b' } },
  },
  'a key that was taken away': {
    event: eventOf('BeforeTool', { tool_input: { key: 'secret', path: 'a' } }),
    redacts: { updatedInput: { path: 'a' } },
    echoes: { updatedInput: { key: 'secret', path: 'b' } },
    effective: { tool_input: { path: 'b' } },
  },
  'a whole input': {
    event: eventOf('BeforeTool', { tool_input: { key: 'secret' } }),
    redacts: { tool_input: { key: '***', more: 1 } },
    echoes: { updatedInput: { key: 'secret' }, tool_input: { key: 'secret' } },
    effective: { tool_input: { key: '***', more: 1 } },
  },
  'a prompt': {
    event: eventOf('BeforeAgent', { prompt: 'secret' }),
    redacts: { replacedPrompt: '***' },
    echoes: { replacedPrompt: 'secret' },
    effective: { replacedPrompt: '***' },
  },
  'messages and a value of the config': {
    event: eventOf('BeforeModel', { llm_request: request }),
    redacts: { llm_request: { messages: [], config: { temperature: 1 } } },
    echoes: { llm_request: { ...request, config: { temperature: 0, topP: 1 } } },
    effective: { llm_request: { model: 'm-1', messages: [], config: { temperature: 1, topP: 1 } } },
  },
  'a response': {
    event: eventOf('AfterModel', { llm_response: { text: 'secret', candidates: parts('secret') } }),
    redacts: { llm_response: { text: '***' } },
    echoes: { llm_response: { text: 'secret', candidates: parts('secret') } },
    effective: { llm_response: { text: '***', candidates: parts('***') } },
  },
  'the candidates of a response beside something of its own': {
    event: eventOf('AfterModel', { llm_response: { text: 'secret', candidates: parts('secret') } }),
    redacts: { llm_response: { candidates: parts('***') } },
    echoes: { llm_response: { text: 'secret', candidates: parts('secret'), usageMetadata: { totalTokenCount: 1 } } },
    effective: { llm_response: { text: '***', candidates: parts('***'), usageMetadata: { totalTokenCount: 1 } } },
  },
  'the text of a tool output': {
    event: eventOf('AfterTool', { tool_response: { ...said, returnDisplay: 'secret, shown' } }),
    redacts: { updatedToolOutput: '***' },
    echoes: { updatedToolOutput: 'secret' },
    effective: { updatedToolOutput: { llmContent: '***', returnDisplay: '***' } },
  },
  'a tool output with something of its own': {
    event: eventOf('AfterTool', { tool_response: said }),
    redacts: { updatedToolOutput: '***' },
    echoes: { updatedToolOutput: { ...said, note: 1 } },
    effective: { updatedToolOutput: { llmContent: '***', returnDisplay: '***', note: 1 } },
  },
};

test.each(Object.entries(echoes))('a hook that hands back what it was shown undoes nothing: %s', (_, { event, effective, ...written }) => {
  const [redacts, echo] = [writes('redacts', written.redacts), writes('echoes', written.echoes)];
  for (const outcomes of [
    [redacts, echo],
    [echo, redacts],
  ]) {
    const state = inOneStage(event, ...outcomes);
    if (outcomes[0] === redacts) expect(effectiveRewrites(state)).toEqual(effective);
    expect(JSON.stringify(effectiveRewrites(state))).not.toContain('secret');
  }
  expect(inOneStage(event, redacts, echo).outcomes.flatMap((outcome) => outcome.warnings)).toEqual([]);
});

test('one after another a hook may put back what stood there first', () => {
  const state = inStages(tool, writes('h1', { tool_input: { a: 2 } }), writes('h2', { tool_input: { a: 1 } }));
  expect(effectiveRewrites(state)).toEqual({ tool_input: { a: 1 } });
});

test.each([
  ['a key', { tool_input: { a: 2 } }, { updatedInput: { a: 3 } }, 'tool_input.a'],
  ['a key that the other takes away', { tool_input: { b: 2 } }, { updatedInput: { a: 3 } }, 'tool_input.b'],
])('what one hook merges and another replaces is a conflict: %s', (_, merged, replaced, path) => {
  const state = inOneStage(tool, writes('merges', merged), writes('replaces', replaced));
  expect(state.outcomes[1]?.warnings).toMatchObject([
    { code: 'rewrite_conflict', message: expect.stringContaining(`${path} (also written by merges)`) },
  ]);
});

const deny = { decision: 'deny', reason: 'no' } as const;

test.each([
  ['BeforeTool', 'tool_input', { a: 2 }],
  ['BeforeTool', 'updatedInput', { a: 2 }],
  ['BeforeAgent', 'replacedPrompt', 'q'],
  ['BeforeModel', 'llm_request', { model: 'm2' }],
] as const)('%s: what a hook that denies writes to %s is not applied, with a warning', (eventName, field, value) => {
  const event = startOf(eventName);
  const denied = outcomeOf('denies', { ...deny, hookSpecificOutput: { [field]: value } });
  const state = inOneStage(event, denied, outcomeOf('silent'));
  expect([state.event.input, state.changes, effectiveRewrites(state)]).toEqual([event.input, [], {}]);
  expect(state.outcomes.map((outcome) => outcome.warnings.map((warning) => warning.code))).toEqual([['rewrite_ignored'], []]);
  expect(inOneStage(event, ...state.outcomes).outcomes).toEqual(state.outcomes);
});

test.each([
  ['AfterTool', 'updatedToolOutput', '[redacted]'],
  ['AfterModel', 'llm_response', { text: '' }],
  ['BeforeToolSelection', 'toolConfig', { mode: 'NONE' }],
] as const)('%s: where a deny undoes nothing, what it writes to %s counts', (eventName, field, value) => {
  const state = inOneStage(startOf(eventName), outcomeOf('denies', { ...deny, hookSpecificOutput: { [field]: value } }));
  expect(effectiveRewrites(state)).toHaveProperty(field);
  expect(state.outcomes[0]?.warnings).toEqual([]);
});

test('a response text and candidates, written side by side, are one value: the later counts, with a warning', () => {
  const candidates = (text: string) => [{ content: { role: 'model', parts: [text] } }];
  const event = eventOf('AfterModel', { llm_response: { text: 'a', candidates: candidates('a') } });
  const inBoth = inOneStage(
    event,
    writes('text', { llm_response: { text: 'b' } }),
    writes('candidates', { llm_response: { candidates: candidates('c') } }),
  );
  expect(effectiveRewrites(inBoth)).toEqual({ llm_response: { text: 'c', candidates: candidates('c') } });
  expect(inBoth.outcomes[1]?.warnings).toMatchObject([{ code: 'rewrite_conflict', message: expect.stringContaining('by text') }]);
  const apart = inOneStage(
    event,
    writes('text', { llm_response: { text: 'b' } }),
    writes('usage', { llm_response: { usageMetadata: { totalTokenCount: 1 } } }),
  );
  expect(apart.outcomes.flatMap((outcome) => outcome.warnings)).toEqual([]);
});

describe('data from which hooks may redact', () => {
  const event = eventOf('AfterTool', { tool_input: {}, tool_response: { llmContent: 'a b', returnDisplay: 'a b' } });
  const says = (hookId: string, text: string, source: string, fields: Partial<HookOutcome> = {}) =>
    writes(hookId, { updatedToolOutput: text }, { source, level: undefined, ...fields });
  const user = says('user', 'a', 'user');
  const project = says('project', 'b', 'project');

  test.each([
    ['first', [user, project]],
    ['last', [project, user]],
  ])('side by side the value of the highest level counts, also if it is %s in plan order', (_, outcomes) => {
    const state = inOneStage(event, ...outcomes);
    expect(effectiveRewrites(state)).toEqual({ updatedToolOutput: { llmContent: 'a', returnDisplay: 'a' } });
    expect(state.outcomes.map(({ hookId }) => hookId)).toEqual(outcomes.map(({ hookId }) => hookId));
  });

  test('of hooks that contradict each other the rewrite of the lowest is applied, and the others are to run again, by level', () => {
    const [managed, other] = [says('managed', 'c', 'managed'), says('other', 'd', 'user')];
    const { state, opposed } = applyUnopposed(begin(event), [managed, user, project, other]);
    expect(opposed).toEqual(['user user', 'user other', 'managed managed']);
    expect(state.changes.map(({ hookId }) => hookId)).toEqual(['project', 'project']);
    expect(state.outcomes.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([
      ['rewrite_conflict'],
      ['rewrite_conflict'],
      [],
      ['rewrite_conflict'],
    ]);
    expect(state.outcomes[1]?.warnings[0]?.message).toMatch(
      /tool_response\.llmContent \(also written by project\).*user is run again on that value/,
    );
  });

  test('no hook is to run again if none contradicts, or if the data are withheld', () => {
    expect(applyUnopposed(begin(event), [user, says('same', 'a', 'project'), outcomeOf('silent')]).opposed).toEqual([]);
    const withheld = says('failed', 'withheld', 'project', { status: 'failed', failedClosed: true });
    const { state, opposed } = applyUnopposed(begin(event), [withheld, user, project]);
    expect([opposed, effectiveRewrites(state)]).toMatchObject([[], { updatedToolOutput: { llmContent: 'withheld' } }]);
  });

  test('a hook that rewrites a part of a result rewrites the whole of it', () => {
    expect(writtenPaths(user, event)).toEqual(['tool_response']);
    expect(writtenPaths(says('same', 'a b', 'user'), event)).toEqual([]);
    expect(writtenPaths(outcomeOf('silent'), event)).toEqual([]);
  });
});

test('selected tools are united within a level, and only what every level allows is selected, in any order and any stages', () => {
  const event = eventOf('BeforeToolSelection', { llm_request: {} });
  const selects = (hookId: string, source: string, ...allowedFunctionNames: string[]) =>
    writes(hookId, { toolConfig: { allowedFunctionNames } }, { source, level: undefined });
  const outcomes = [selects('p', 'project', 'b', 'c', 'x'), selects('u1', 'user', 'a', 'b'), selects('u2', 'user', 'c')];
  const selected = { toolConfig: { mode: 'AUTO', allowedFunctionNames: ['b', 'c'] } };
  for (const order of [outcomes, [...outcomes].reverse()]) {
    expect(effectiveRewrites(inOneStage(event, ...order))).toEqual(selected);
    expect(effectiveRewrites(inStages(event, ...order))).toEqual(selected);
  }
  const none = writes('n', { toolConfig: { mode: 'NONE' } }, { source: 'project', level: undefined });
  expect(effectiveRewrites(inStages(event, ...outcomes, none))).toEqual({ toolConfig: { mode: 'NONE', allowedFunctionNames: [] } });
  const anyMode = writes('m', { toolConfig: { mode: 'ANY' } }, { source: 'managed', level: undefined });
  expect(effectiveRewrites(inOneStage(event, anyMode, ...outcomes))).toEqual({
    toolConfig: { mode: 'ANY', allowedFunctionNames: ['b', 'c'] },
  });
});
