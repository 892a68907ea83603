import { type AggregatedHookResult, eventEntry, type HookEventName, hookEventNames } from '@tenterhook/protocol';
import { outcomeAt, says, settingsOf, warningCodes, withEndingHooks } from '../support/fire-hooks.js';

/** Fires an event whose hooks record what they receive and print these texts. Returns what each has received. */
async function chain(eventName: HookEventName, input: Record<string, unknown>, prints: readonly string[], sequential: boolean) {
  // Without a recheck, in which a hook would receive the rewrites of all hooks: this test is about what one hook receives from the one
  // before.
  const commands = prints.map((print, index) => ({
    command: `cat > seen-${index}.json; ${print}`,
    ...(eventName === 'BeforeTool' ? { recheck: false } : {}),
  }));
  return withEndingHooks({ settings: settingsOf(eventName, commands, { sequential }) }, async ({ handler, read }) => {
    const result = await handler.fire(eventName, input);
    const seen = prints.map((_, index) => {
      const text = read(`seen-${index}.json`);
      return text === undefined ? undefined : fieldsOf(JSON.parse(text) as Record<string, unknown>);
    });
    return { result, seen };
  });
}

/** An input without the fields that every event has. */
function fieldsOf({
  session_id: _s,
  transcript_path: _t,
  cwd: _c,
  hook_event_name: _h,
  timestamp: _n,
  ...fields
}: Record<string, unknown>): Record<string, unknown> {
  return fields;
}

const writes = (hookSpecificOutput: Record<string, unknown>) => says({ hookSpecificOutput });
const specificOf = (result: AggregatedHookResult) => result.finalOutput?.hookSpecificOutput;
const idAt = (eventName: HookEventName, index: number) => `llxprt/settings/${eventName}/0.${index}`;
const conflictsOf = (result: AggregatedHookResult) => result.outcomes.map(warningCodes);

const user = (content: string) => ({ role: 'user', content });
const request = { model: 'm-1', messages: [user('hello')], config: { temperature: 0.2, topK: 40 } };
const candidate = (...parts: unknown[]) => ({ content: { role: 'model', parts }, finishReason: 'STOP' });
const response = { text: 'token 123', candidates: [candidate('token 123')], usageMetadata: { totalTokenCount: 4 } };

interface Chain {
  readonly eventName: HookEventName;
  readonly input: Record<string, unknown>;
  readonly written: readonly Record<string, unknown>[];
  /** What each hook receives when they run one after another. */
  readonly seen: readonly Record<string, unknown>[];
  readonly specific: Record<string, unknown> | undefined;
  /** `before` and `after` of each change by path, and the index of the hook that wrote it. */
  readonly changes: readonly (readonly [path: string, hook: number, before: unknown, after: unknown])[];
  /** The warnings of hooks that run side by side. Hooks that run one after another have none. */
  readonly sideBySide?: readonly (readonly string[])[];
}

const tool = { tool_name: 'write_file', tool_input: { path: 'a', mode: 'w' } };
const chains: Record<string, Chain> = {
  'BeforeTool: one value is written twice, another is added': {
    eventName: 'BeforeTool',
    input: tool,
    written: [{ tool_input: { path: 'b' } }, { tool_input: { path: 'c', lines: [1] } }],
    seen: [tool, { ...tool, tool_input: { path: 'b', mode: 'w' } }],
    specific: { tool_input: { path: 'c', mode: 'w', lines: [1] } },
    changes: [
      ['tool_input.path', 0, 'a', 'b'],
      ['tool_input.path', 1, 'b', 'c'],
      ['tool_input.lines', 1, undefined, [1]],
    ],
    sideBySide: [[], ['rewrite_conflict']],
  },
  'BeforeAgent: context is appended to the prompt that the next hook sees, and to nothing else': {
    eventName: 'BeforeAgent',
    input: { prompt: 'p' },
    written: [{ additionalContext: 'one' }, {}, { additionalContext: 'two' }, {}],
    seen: [{ prompt: 'p' }, { prompt: 'p\n\none' }, { prompt: 'p\n\none' }, { prompt: 'p\n\none\n\ntwo' }],
    specific: { additionalContext: 'one\ntwo' },
    changes: [],
  },
  'BeforeModel: config key by key, other fields as a whole': {
    eventName: 'BeforeModel',
    input: { llm_request: request },
    written: [
      { llm_request: { config: { temperature: 0 }, messages: [user('hi')] } },
      { llm_request: { config: { temperature: 1, topP: 0.9 }, toolConfig: { mode: 'NONE' } } },
    ],
    seen: [{ llm_request: request }, { llm_request: { model: 'm-1', messages: [user('hi')], config: { temperature: 0, topK: 40 } } }],
    specific: {
      llm_request: {
        model: 'm-1',
        messages: [user('hi')],
        config: { temperature: 1, topK: 40, topP: 0.9 },
        toolConfig: { mode: 'NONE' },
      },
    },
    changes: [
      ['llm_request.messages', 0, [user('hello')], [user('hi')]],
      ['llm_request.config.temperature', 0, 0.2, 0],
      ['llm_request.config.temperature', 1, 0, 1],
      ['llm_request.config.topP', 1, undefined, 0.9],
      ['llm_request.toolConfig', 1, undefined, { mode: 'NONE' }],
    ],
    sideBySide: [[], ['rewrite_conflict']],
  },
  'BeforeModel: the shape of contents and generationConfig is merged as what it means': {
    eventName: 'BeforeModel',
    input: { llm_request: request },
    written: [{ llm_request: { generationConfig: { topP: 1 }, contents: [{ role: 'user', parts: [{ text: 'hi' }] }] } }, {}],
    seen: [{ llm_request: request }, { llm_request: { ...request, messages: [user('hi')], config: { ...request.config, topP: 1 } } }],
    specific: { llm_request: { ...request, messages: [user('hi')], config: { ...request.config, topP: 1 } } },
    changes: [
      ['llm_request.messages', 0, [user('hello')], [user('hi')]],
      ['llm_request.config.topP', 0, undefined, 1],
    ],
  },
  'BeforeToolSelection: the tool config as merged so far': {
    eventName: 'BeforeToolSelection',
    input: { llm_request: { ...request, toolConfig: { mode: 'AUTO', allowedFunctionNames: ['x'] } } },
    written: [{ toolConfig: { allowedFunctionNames: ['b', 'a'] } }, { toolConfig: { mode: 'ANY', allowedFunctionNames: ['c'] } }, {}],
    seen: [
      { llm_request: { ...request, toolConfig: { mode: 'AUTO', allowedFunctionNames: ['x'] } } },
      { llm_request: { ...request, toolConfig: { mode: 'AUTO', allowedFunctionNames: ['a', 'b'] } } },
      { llm_request: { ...request, toolConfig: { mode: 'ANY', allowedFunctionNames: ['a', 'b', 'c'] } } },
    ],
    specific: { toolConfig: { mode: 'ANY', allowedFunctionNames: ['a', 'b', 'c'] } },
    changes: [
      ['toolConfig.allowedFunctionNames', 0, ['x'], ['a', 'b']],
      ['toolConfig.mode', 1, 'AUTO', 'ANY'],
      ['toolConfig.allowedFunctionNames', 1, ['a', 'b'], ['a', 'b', 'c']],
    ],
  },
  'AfterModel: a text is the text of the first candidate, and usage stays': {
    eventName: 'AfterModel',
    input: { llm_request: request, llm_response: response },
    written: [{ llm_response: { text: 'token ***' } }, {}],
    seen: [
      { llm_request: request, llm_response: response },
      { llm_request: request, llm_response: { ...response, text: 'token ***', candidates: [candidate('token ***')] } },
    ],
    specific: { llm_response: { ...response, text: 'token ***', candidates: [candidate('token ***')] } },
    changes: [
      ['llm_response.text', 0, 'token 123', 'token ***'],
      ['llm_response.candidates', 0, [candidate('token 123')], [candidate('token ***')]],
    ],
  },
  'AfterModel: candidates are the text, too': {
    eventName: 'AfterModel',
    input: { llm_request: request, llm_response: response },
    written: [{ llm_response: { candidates: [candidate({ text: 'gone' })] } }, { llm_response: { text: 'x' } }],
    seen: [
      { llm_request: request, llm_response: response },
      { llm_request: request, llm_response: { ...response, text: 'gone', candidates: [candidate('gone')] } },
    ],
    specific: { llm_response: { ...response, text: 'x', candidates: [candidate('x')] } },
    changes: [
      ['llm_response.text', 0, 'token 123', 'gone'],
      ['llm_response.candidates', 0, [candidate('token 123')], [candidate('gone')]],
      ['llm_response.text', 1, 'gone', 'x'],
      ['llm_response.candidates', 1, [candidate('gone')], [candidate('x')]],
    ],
    sideBySide: [[], ['rewrite_conflict']],
  },
  'AfterTool: context accumulates, and nothing is rewritten': {
    eventName: 'AfterTool',
    input: { ...tool, tool_response: { llmContent: 'done' } },
    written: [{ additionalContext: 'one' }, { additionalContext: 'two' }],
    seen: [
      { ...tool, tool_response: { llmContent: 'done' } },
      { ...tool, tool_response: { llmContent: 'done' } },
    ],
    specific: { additionalContext: 'one\ntwo' },
    changes: [],
  },
};

const changesOf = ({ eventName, changes }: Chain) =>
  changes.map(([path, hook, before, after]) => ({
    path,
    hookId: idAt(eventName, hook),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }));

describe.each(Object.entries(chains))('%s', (_, expected) => {
  const { eventName, input, written } = expected;

  test('one after another, each sees what those before it wrote', async () => {
    const { result, seen } = await chain(eventName, input, written.map(writes), true);
    expect(seen).toEqual(expected.seen);
    expect(specificOf(result)).toEqual(expected.specific);
    expect(result.changes).toEqual(changesOf(expected));
    expect(conflictsOf(result)).toEqual(written.map(() => []));
    expect(result.outcomes.map((outcome) => fieldsWrittenBy(outcome.output))).toEqual(written.map((fields) => Object.keys(fields)));
  });

  test('side by side, each sees the original, and what they wrote is composed in plan order', async () => {
    const { result, seen } = await chain(eventName, input, written.map(writes), false);
    const { sideBySide = written.map(() => []) } = expected;
    // Where hooks may redact, one that contradicts another is run again, and then sees what that one wrote.
    const again = eventEntry(eventName).redacts ? sideBySide.flatMap((codes, index) => (codes.length > 0 ? [index] : [])) : [];
    expect(seen).toEqual(written.map((_value, index) => (again.includes(index) ? expected.seen[index] : input)));
    expect(specificOf(result)).toEqual(expected.specific);
    expect(result.changes).toEqual(changesOf(expected));
    expect(conflictsOf(result)).toEqual([...sideBySide, ...again.map(() => [])]);
    expect(result.outcomes.map(({ recheck = false }) => recheck)).toEqual([...written.map(() => false), ...again.map(() => true)]);
  });
});

test('a conflict names the other hook and every place', async () => {
  const { result } = await chain(
    'BeforeModel',
    { llm_request: request },
    (chains['BeforeModel: config key by key, other fields as a whole'] as Chain).written.map(writes),
    false,
  );
  const { message } = outcomeAt(result, 1).warnings[0] as { message: string };
  expect(message).toContain(`llm_request.config.temperature (also written by ${idAt('BeforeModel', 0)})`);
  expect(message).not.toContain('topP');
});

/** What hooks of each event can rewrite, for tests in which the rewrite must not count. */
const rewrites: readonly [HookEventName, Record<string, unknown>, Record<string, unknown>][] = [
  ['BeforeTool', tool, { tool_input: { path: 'z' } }],
  ['PermissionRequest', tool, { tool_input: { path: 'z' } }],
  ['BeforeAgent', { prompt: 'p' }, { additionalContext: 'z' }],
  ['BeforeModel', { llm_request: request }, { llm_request: { model: 'z', config: { topK: 1 } } }],
  ['BeforeToolSelection', { llm_request: request }, { toolConfig: { mode: 'NONE' } }],
  ['AfterModel', { llm_request: request, llm_response: response }, { llm_response: { text: 'z' } }],
  ['AfterTool', { ...tool, tool_response: { llmContent: 'done' } }, { additionalContext: 'z' }],
];

test.each(rewrites)('%s: a hook that fails leaves the next one the input unchanged', async (eventName, input, written) => {
  const { result, seen } = await chain(eventName, input, [`${writes(written)}; exit 1`, 'true'], true);
  expect(result.outcomes.map((outcome) => outcome.status)).toEqual(['failed', 'succeeded']);
  expect(seen[1]).toEqual(input);
  expect(result.changes).toEqual([]);
  expect(specificOf(result)).toBeUndefined();
});

test.each(rewrites)('%s: what a hook writes that blocks with exit code 2 does not count', async (eventName, input, written) => {
  const { result, seen } = await chain(eventName, input, [`${writes(written)}; exit 2`, 'true'], true);
  // A deny that undoes nothing does not end the chain, because a later hook may redact.
  const isHeldUp = eventEntry(eventName).may.block === true;
  expect(result.outcomes.map((outcome) => outcome.skipReason ?? outcome.status)).toEqual([
    'blocked',
    isHeldUp ? 'chain-ended' : 'succeeded',
  ]);
  expect(seen[1]).toEqual(isHeldUp ? undefined : input);
  expect(result.changes).toEqual([]);
  // Context is not a rewrite: it is text for the model, which also receives the reason of the block.
  expect(specificOf(result)).toEqual('additionalContext' in written ? written : undefined);
});

test.each(rewrites.filter(([eventName]) => eventName === 'BeforeTool' || eventName === 'BeforeModel'))(
  '%s: nor what one writes that denies in words, and a rewrite before it stands',
  async (eventName, input, written) => {
    const other = eventName === 'BeforeTool' ? { tool_input: { lines: 1 } } : { llm_request: { config: { topP: 1 } } };
    const denies = says({ decision: 'deny', reason: 'no', hookSpecificOutput: written });
    const { result } = await chain(eventName, input, [writes(other), denies], true);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(result.changes.map((change) => change.hookId)).toEqual([idAt(eventName, 0)]);
    expect(warningCodes(outcomeAt(result, 1))).toEqual(['rewrite_ignored']);
    expect(JSON.stringify(specificOf(result))).not.toContain('"z"');
  },
);

test('BeforeModel: a deny brings its synthetic response along, and the outcome tells whose it is', async () => {
  const denies = says({ decision: 'block', reason: 'no', hookSpecificOutput: { llm_response: { text: 'instead' } } });
  const { result } = await chain('BeforeModel', { llm_request: request }, ['true', denies], true);
  expect(specificOf(result)).toEqual({ llm_response: { text: 'instead' } });
  expect(result.outcomes.map((outcome) => fieldsWrittenBy(outcome.output))).toEqual([[], ['llm_response']]);
});

/** The sample input of each event whose hooks can rewrite nothing. */
const plain = hookEventNames
  .filter((name) => rewrites.every(([rewritten]) => rewritten !== name))
  .map((name) => [name, eventEntry(name).sample as Record<string, unknown>] as const);

test.each(plain)('%s has nothing to rewrite: each hook sees the same, and messages are joined', async (eventName, input) => {
  const speaks = (systemMessage: string) => says({ systemMessage, hookSpecificOutput: { tool_input: { a: 1 } } });
  const { result, seen } = await chain(eventName, input, [speaks('one'), speaks('two')], true);
  expect(seen).toEqual([input, input]);
  expect(result.changes).toEqual([]);
  expect(result.finalOutput?.systemMessage).toBe('one\ntwo');
  expect(result.finalOutput?.decision).toBe(['AfterAgent', 'SessionStart', 'SessionEnd'].includes(eventName) ? 'allow' : undefined);
});

function fieldsWrittenBy(output: { readonly hookSpecificOutput?: Record<string, unknown> | undefined } | undefined): string[] {
  return Object.keys(output?.hookSpecificOutput ?? {});
}
