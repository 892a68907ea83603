import { type AggregatedHookResult, createHookOutput, type HookEventName, type HookOutput, type ResultError } from '@tenterhook/protocol';
import fc from 'fast-check';
import { type Ask, executeToolWithHooks, type HookClient, type ToolCall } from '../../src/index.js';

/** Whatever hooks say and however they fail: what was refused does not run, and every call has a result. */

const hookIds = ['h1', 'h2'];
const text = fc.constantFrom('', 'because', 'line 1\nline 2');
const outputs = fc.record<HookOutput>(
  {
    decision: fc.constantFrom('allow', 'deny', 'ask', 'block', 'approve'),
    systemMessage: text,
    suppressOutput: fc.boolean(),
    continue: fc.boolean(),
    hookSpecificOutput: fc.record(
      {
        tool_input: fc.dictionary(fc.constantFrom('path', 'mode', '__proto__'), fc.jsonValue()),
        updatedToolOutput: fc.oneof(fc.jsonValue(), fc.record({ llmContent: fc.jsonValue() })),
        additionalContext: fc.oneof(text, fc.constant(7)),
        userMessage: text,
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const verdicts = fc.record(
  {
    kind: fc.constantFrom('none' as const, 'allow' as const, 'ask' as const, 'deny' as const),
    stop: fc.boolean(),
    by: fc.subarray(hookIds),
    stoppedBy: fc.subarray(hookIds),
    reason: text,
    stopReason: text,
    retryAfterMs: fc.constantFrom(0, 1),
  },
  { requiredKeys: ['kind', 'stop', 'by', 'stoppedBy'] },
);
const resultsOf = (eventName: HookEventName) =>
  fc
    .record({
      verdict: verdicts,
      output: fc.option(outputs, { nil: undefined }),
      errors: fc.subarray<ResultError>([
        { code: 'timeout', message: 'late' },
        { code: 'exit_code', message: 'm', hookId: 'h1' },
      ]),
      changes: fc.subarray([
        { path: 'tool_input.path', hookId: 'h1', after: 7 },
        { path: 'tool_input', hookId: 'h2' },
      ]),
      replacing: fc.subarray(hookIds),
    })
    .map(
      ({ verdict, output, errors, changes, replacing }): AggregatedHookResult => ({
        success: errors.length === 0,
        verdict,
        ...(output === undefined ? {} : { finalOutput: createHookOutput(eventName, output) }),
        changes,
        allOutputs: [],
        outcomes: replacing.map((hookId) => ({
          hookId,
          eventName,
          source: 'user',
          dialect: 'fake',
          status: 'blocked',
          durationMs: 0,
          output: { decision: 'deny', reason: hookId, hookSpecificOutput: { updatedToolOutput: 'x' } },
          warnings: [],
        })),
        errors,
        totalDuration: 0,
      }),
    );

const asks = fc.constantFrom<Ask | undefined>(
  undefined,
  () => 'allow',
  () => 'deny',
  async () => 'allow' as const,
  () => 'yes' as never,
  () => Promise.reject(new Error('no terminal')),
);
const tools = fc.constantFrom<ToolCall['execute']>(
  () => ({ llmContent: 'done' }),
  async () => ({ llmContent: [{ text: 'done' }], returnDisplay: undefined }),
  () => ({ llmContent: undefined, error: new Error('half') }),
  () => undefined as never,
  () => Promise.reject(new Error('disk full')),
);
const options = fc.record(
  {
    approval: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
    maxRetries: fc.constantFrom(0, 1),
    toolSelection: fc.record(
      { mode: fc.constantFrom('AUTO' as const, 'NONE' as const), allowedFunctionNames: fc.subarray(['write_file', 'other']) },
      { requiredKeys: [] },
    ),
    signal: fc.constantFrom(new AbortController().signal, AbortSignal.abort()),
    schema: fc.constantFrom<NonNullable<ToolCall['schema']>>(
      { '~standard': { validate: () => ({}) } },
      { '~standard': { validate: async () => ({ issues: [{ message: 'bad', path: ['path'] }] }) } },
    ),
  },
  { requiredKeys: [] },
);

test('a tool runs only if no hook objected, and every call has a result', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(resultsOf('BeforeTool'), { minLength: 1, maxLength: 2 }),
      resultsOf('AfterTool'),
      asks,
      tools,
      options,
      fc.record({
        before: fc.boolean(),
        permission: fc.option(resultsOf('PermissionRequest'), { nil: undefined }),
        after: fc.boolean(),
        onUnavailable: fc.constantFrom('allow' as const, 'deny' as const),
      }),
      async (befores, after, ask, execute, given, { before: hasBefore, permission, after: hasAfter, onUnavailable }) => {
        let fired = 0;
        let runs = 0;
        let answer: unknown;
        const has: Partial<Record<HookEventName, boolean>> = {
          BeforeTool: hasBefore,
          PermissionRequest: permission !== undefined,
          AfterTool: hasAfter,
        };
        const client: HookClient = {
          onUnavailable,
          has: (eventName) => has[eventName] === true,
          fire: (async (eventName: string) => {
            if (eventName === 'AfterTool') return after;
            if (eventName === 'PermissionRequest') return permission as AggregatedHookResult;
            fired += 1;
            return befores[Math.min(fired, befores.length) - 1] as AggregatedHookResult;
          }) as HookClient['fire'],
        };
        const outcome = await executeToolWithHooks(client, {
          name: 'write_file',
          input: { path: 'a.txt' },
          ...given,
          ...(ask && {
            ask: async (...question) => {
              answer = await ask(...question);
              return answer as 'allow';
            },
          }),
          execute: (...call) => {
            runs += 1;
            return execute(...call);
          },
        });

        const last = fired === 0 ? undefined : befores[Math.min(fired, befores.length) - 1];
        const { kind = 'none', stop = false } = last?.verdict ?? {};
        const isUnfinished = (result?: AggregatedHookResult) => result?.errors[0]?.code === 'timeout';
        const isRefusing = (result?: AggregatedHookResult) =>
          result?.verdict.stop === true || result?.verdict.kind === 'deny' || isUnfinished(result);
        const mustRequest = kind === 'ask' || (given.approval === 'ask' && kind !== 'allow');
        // Hooks answer a question of hooks only if the levels of both are known from their outcomes.
        const known = (result?: AggregatedHookResult) =>
          result?.verdict.by.filter((id) => result.outcomes.some(({ hookId }) => hookId === id)).length ?? 0;
        const mayAnswer = kind !== 'ask' || (known(last) > 0 && known(last) === last?.verdict.by.length && known(permission) > 0);
        const isAnswered = permission?.verdict.kind === 'allow' && !isUnfinished(permission) && mayAnswer;
        const hasRefusedKey = (result?: AggregatedHookResult) =>
          JSON.stringify(result?.finalOutput?.hookSpecificOutput?.['tool_input'] ?? {}).includes('"__proto__":');
        const isRefused =
          stop ||
          hasRefusedKey(last) ||
          (mustRequest && hasRefusedKey(permission)) ||
          isRefusing(last) ||
          (mustRequest && (isRefusing(permission) || (!isAnswered && answer !== 'allow'))) ||
          given.approval === 'deny' ||
          given.signal?.aborted === true ||
          given.toolSelection?.mode === 'NONE' ||
          given.toolSelection?.allowedFunctionNames?.includes('write_file') === false ||
          (given.schema !== undefined && (await given.schema['~standard'].validate({})).issues !== undefined);
        expect(runs).toBe(isRefused ? 0 : 1);
        if (runs === 0) expect(outcome.status).not.toBe('executed');
        expect(typeof outcome.result).toBe('object');
        if (outcome.status === 'blocked' || outcome.status === 'failed') expect(outcome.reason).not.toBe('');
        if (runs === 0) expect(outcome.result.llmContent).not.toBe('');
        expect(Array.isArray(outcome.systemMessages) && Array.isArray(outcome.userMessages)).toBe(true);
      },
    ),
    { numRuns: 1000 },
  );
});
