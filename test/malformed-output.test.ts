import { llxprt } from '@tenterhook/dialects';
import { type HookEvent, type HookEventName, type HookOutcome, hookEventNames, type ReadableExit } from '@tenterhook/protocol';
import fc from 'fast-check';
import { aggregateOutcomes } from '../packages/engine/src/aggregator/aggregate.js';
import { applyRewrites } from '../packages/engine/src/aggregator/rewrites.js';
import { fireTool, outcomeAt, says } from './support/fire-hooks.js';

const base = { session_id: 's', transcript_path: '', cwd: '/', hook_event_name: 'x', timestamp: '2026-11-21T10:00:00.000Z' };
const model = {
  llm_request: { messages: [], config: { topP: 1 }, toolConfig: { mode: 'AUTO' } },
  llm_response: { text: 'a', candidates: [{ content: {} }] },
};
const eventOf = (eventName: HookEventName): HookEvent => ({
  eventName,
  input: { ...base, ...model, tool_input: {}, tool_response: {}, prompt: 'p' },
  projectDir: '/',
});

const dialect = llxprt();
const hook = {
  id: 'h',
  dialect: 'llxprt',
  source: 'user',
  dialectEvent: 'x',
  timeoutMs: 1000,
  onError: 'continue' as const,
  action: { kind: 'command' as const, command: 'x' },
  dialectData: {},
};

function outcomeOf(hookId: string, eventName: HookEventName, stdout: string): HookOutcome {
  const sizes = {
    stdoutBytes: 0,
    stderrBytes: 0,
    stdoutTruncated: false,
    stderrTruncated: false,
    invalidUtf8: false,
  };
  const exit: ReadableExit = { kind: 'exited', exitCode: 0, durationMs: 1, leftProcesses: 0, stdout, stderr: '', ...sizes };
  const { output, failure, warnings } = dialect.decode(exit, eventOf(eventName), { ...hook, eventName });
  const status = failure ? 'failed' : output?.decision === 'deny' || output?.decision === 'block' ? 'blocked' : 'succeeded';
  return {
    hookId,
    eventName,
    source: 'user',
    dialect: 'llxprt',
    status,
    durationMs: 1,
    ...(output && !failure ? { output } : {}),
    warnings: [...warnings],
  };
}

const fields = ['decision', 'reason', 'continue', 'stopReason', 'suppressOutput', 'systemMessage'];
const specificFields = [
  'tool_input',
  'llm_request',
  'llm_response',
  'toolConfig',
  'additionalContext',
  'permissionDecision',
  'updatedInput',
  'retryAfterMs',
];
const modelFields = ['messages', 'contents', 'config', 'candidates', 'text', 'mode', 'allowedFunctionNames', 'systemInstruction'];
const value = fc.oneof(
  fc.constantFrom<unknown>(
    'deny',
    'allow',
    'ask',
    true,
    false,
    null,
    5,
    'x',
    [],
    {},
    [5],
    ['a'],
    { text: 5 },
    'ANY',
    [{ content: null }],
    [null],
  ),
  fc.jsonValue(),
);
const specific = fc.oneof(
  fc.dictionary(fc.constantFrom(...specificFields), fc.oneof(value, fc.dictionary(fc.constantFrom(...modelFields), value))),
  value,
);
const printed = fc
  .tuple(fc.dictionary(fc.constantFrom(...fields), value), specific)
  .map(([output, hookSpecificOutput]) => JSON.stringify({ ...output, hookSpecificOutput }));

test('whatever the other hooks of an event print, a deny is a deny and the merge does not fail (decision 34, field failure 4)', () => {
  fc.assert(
    fc.property(fc.constantFrom(...hookEventNames), fc.array(printed, { maxLength: 4 }), fc.nat(), (eventName, texts, place) => {
      const outcomes = texts.map((text, index) => outcomeOf(`h${index}`, eventName, text));
      outcomes.splice(place % (outcomes.length + 1), 0, outcomeOf('guard', eventName, '{"decision":"deny","reason":"no"}'));
      const result = aggregateOutcomes(applyRewrites({ event: eventOf(eventName), outcomes: [], changes: [] }, outcomes), 0);
      expect(result.verdict.kind).toBe('deny');
      expect(result.verdict.by).toContain('guard');
      expect(result.finalOutput?.isBlockingDecision()).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

const guard = '{"decision":"deny","reason":"no"}';
const lost: Record<string, string> = {
  'half of it': guard.slice(0, -1),
  'half of it behind a log line': `log\n${guard.slice(0, -1)}`,
  'behind a word on its line': `INFO ${guard}`,
  'in a list': `[${guard}]`,
  'in a list behind a log line': `log\n[${guard}]`,
  'wrapped twice': JSON.stringify(JSON.stringify(guard)),
  'wrapped behind a log line': `log\n${JSON.stringify(guard)}`,
  'as Python prints it, behind a log line': "log\n{'decision': 'deny', 'reason': 'no'}",
  'as node prints it, behind a log line': "log\n{ decision: 'deny', reason: 'no' }",
  'with a comma too many, behind a log line': 'log\n{"decision":"deny",}',
  'in other letters': '{"Decision":"deny"}',
  'in other letters behind a log line': 'log\n{"DECISION":"deny"}',
  'in capitals': '{"decision":"DENY"}',
};

test.each(Object.entries(lost))('a deny that is printed %s is no deny, and never silent', (_, stdout) => {
  const outcome = outcomeOf('h', 'BeforeTool', stdout);
  expect(outcome.status).toBe('succeeded');
  expect(outcome.warnings.length).toBeGreaterThan(0);
});

const logLine = fc.oneof(fc.constantFrom('{', '[', '"', '}', '{"a":', '{}', '\u001B[0m'), fc.string({ unit: 'grapheme' }), printed);

test('whatever a hook logs around an object that starts a line, its deny is a deny', () => {
  fc.assert(
    fc.property(fc.array(logLine), fc.array(logLine), fc.constantFrom('\n', '\r\n', '\r'), (before, after, lineBreak) => {
      // A line of text ends whatever was open, so that the deny is the object and no field of one.
      expect(outcomeOf('h', 'BeforeTool', [...before, 'log', guard, ...after].join(lineBreak)).status).toBe('blocked');
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['decision at the wrong level', { hookSpecificOutput: { decision: 'deny' } }, 'beside hookSpecificOutput'],
  ['permissionDecision at the wrong level', { permissionDecision: 'deny' }, 'into hookSpecificOutput'],
  ['tool_input at the wrong level', { tool_input: { a: 1 } }, 'into hookSpecificOutput'],
])('%s is said to have no effect there', async (_, answer, remedy) => {
  const { warnings } = outcomeAt(await fireTool([says(answer)]), 0);
  expect(warnings).toEqual([{ code: 'no_effect', message: expect.stringContaining(remedy) }]);
});

test('a deny in front of what opens stdout anew counts', async () => {
  const result = await fireTool([`${says({ decision: 'deny', reason: 'no' })}; echo done > /dev/stdout`]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
});

test('a deny behind a mark of the byte order in the middle of stdout counts', async () => {
  const result = await fireTool([`printf 'log\\n\\357\\273\\277{"decision":"deny","reason":"no"}\\n'`]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
});
