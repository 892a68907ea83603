import { type Decoded, describeHook, type HookDefinition, type HookEvent, type ReadableExit, verdictOf } from '@tenterhook/protocol';
import { hookLabel } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { AnswerFormat, Answering, ReadOutput } from '../../shared/output/answer-format.js';
import { answerKeywords } from '../../shared/output/answer-keywords.js';
import { decodeCommand } from '../../shared/output/decode-command.js';
import { parseJson } from '../../shared/output/json-objects.js';
import { formatValue } from '../../shared/text.js';
import { getContentText } from '../../shared/tool-response.js';
import { factsOf } from '../input/event-table.js';
import { payloadOf } from '../input/payload.js';
import type { ClaudeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { countedAnyway, findObjection } from './decision.js';
import { isAnswer } from './fields.js';
import { readAnswer, toUserMessage } from './read-answer.js';

/**
 * Returns the function that converts the answer of a hook into canonical output. The answer may come from a command, an HTTP server, an MCP
 * tool or a model.
 */
export function createDecode(hostOf: (hook: HookDefinition) => ClaudeHost) {
  const format: AnswerFormat = {
    what: 'A Claude Code hook',
    words: answerKeywords({
      decisions: [['hookSpecificOutput', 'permissionDecision'], ['decision'], ['hookSpecificOutput', 'decision', 'behavior']],
      values: ['deny', 'block', 'ask', 'defer', 'allow', 'approve'],
      ownFields: ['hookSpecificOutput'],
    }),
    read: (object, answering, rejects) => readAnswer(object, answering, rejects, hostOf(answering.hook)),
    received: ({ event, hook }) => payloadOf(event, dataOf(hook).event, hostOf(hook)),
    denial: denialOf,
    isAnswer,
    ofText,
    takesOtherJsonAsText: true,
    rejects: (hook) => factsOf(dataOf(hook).event).rejects !== undefined,
    failureDenies: (hook) => factsOf(dataOf(hook).event).rejects === 'any',
    objectsCountOnFailure: true,
    relativePaths: `a relative path starts in the hook's working directory. For a file of the project, begin the path with "$CLAUDE_PROJECT_DIR"`,
  };
  return (exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded => {
    switch (exit.kind) {
      case 'exited':
        return withFailedCreation(decodeCommand({ ...exit, stdout: withoutAsyncLine(exit.stdout, hook) }, event, hook, format), exit, hook);
      case 'response':
        return decodeResponse(exit, { event, hook }, format);
      case 'answered':
        return decodeAnswer(exit, event, hook, format);
    }
  };
}

/** Returns an example of an object that denies on the event of this hook. */
function denialOf(hook: HookDefinition): string {
  const { event } = dataOf(hook);
  if (event !== 'PreToolUse') return '{ "decision": "block" }';
  return '{ "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "deny" } }';
}

/**
 * Removes the first line if it is `{"async": true}`. A command prints this line to detach itself, so the line is not part of the answer. A
 * hook that may not detach itself keeps the line as ordinary text.
 */
function withoutAsyncLine(stdout: string, { async, mayDetach }: HookDefinition): string {
  if (!async && !mayDetach) return stdout;
  const end = stdout.indexOf('\n');
  const line = end === -1 ? stdout : stdout.slice(0, end);
  if (!/^\s*\{.*"async"/.test(line)) return stdout;
  const parsed = parseJson(line.trim());
  if (!parsed.ok || !isPlainObject(parsed.value) || parsed.value['async'] !== true) return stdout;
  // A line with further fields is an answer, not only a request to detach.
  return Object.keys(parsed.value).every((field) => field === 'async' || field === 'asyncTimeout') ? stdout.slice(line.length) : stdout;
}

/**
 * Returns the output for plain text on stdout. On some events the text is context for the model. On all other events the user sees the text
 * (decision 65).
 */
function ofText(text: string, { hook }: Answering): Partial<ReadOutput> {
  const { event } = dataOf(hook);
  if (event === 'WorktreeCreate') return { output: { hookSpecificOutput: { worktreePath: text } } };
  return { output: { hookSpecificOutput: factsOf(event).takesText ? { additionalContext: text } : toUserMessage(text) } };
}

/** Turns every exit code except 0 into a deny on WorktreeCreate. Otherwise the agent would use a worktree that does not exist. */
function withFailedCreation(
  decoded: Decoded,
  { exitCode, stderr }: Extract<ReadableExit, { kind: 'exited' }>,
  hook: HookDefinition,
): Decoded {
  const isDenied = verdictOf(decoded.output?.decision) === 'deny';
  if (exitCode === 0 || isDenied || factsOf(dataOf(hook).event).rejects !== 'any') return decoded;
  const { failure, warnings } = decoded;
  const reason = stderr.trim() || failure?.message || `${describeHook(hook)} ended with exit code ${exitCode}.`;
  return { output: { decision: 'deny', reason }, warnings: [...(failure === undefined ? [] : [failure]), ...warnings] };
}

/**
 * Reads the answer of an MCP tool or a model. The text of an MCP tool has the format of a command's output. A model answers with `{ ok,
 * reason }`.
 */
function decodeAnswer(
  exit: Extract<ReadableExit, { kind: 'answered' }>,
  event: HookEvent,
  hook: HookDefinition,
  format: AnswerFormat,
): Decoded {
  const { runs } = dataOf(hook);
  const { answer, durationMs } = exit;
  if (runs.kind !== 'host' || runs.type !== 'mcp_tool') return decodeModelAnswer(answer, { event, hook });
  const text = toToolText(answer);
  if (isPlainObject(answer) && answer['isError'] === true) {
    return {
      failure: { code: 'hook_failed', message: `${describeHook(hook)} failed: ${text.slice(0, 300)}` },
      warnings: [],
    };
  }
  return decodePrinted(text, durationMs, { event, hook }, format);
}

/** Reads a text with the same rules as the output of a command. */
function decodePrinted(text: string, durationMs: number, { event, hook }: Answering, format: AnswerFormat): Decoded {
  const printed = { stdout: text, stderr: '', stdoutBytes: text.length, stderrBytes: 0 };
  const whole = { stdoutTruncated: false, stderrTruncated: false, invalidUtf8: false, leftProcesses: 0 };
  return decodeCommand({ kind: 'exited', exitCode: 0, durationMs, ...printed, ...whole }, event, hook, format);
}

/** Returns a tool's result as the text that a command would have printed. */
function toToolText(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  const structured = isPlainObject(answer) ? answer['structuredContent'] : undefined;
  return getContentText(answer) ?? (answer === undefined ? '' : (JSON.stringify(structured ?? answer) ?? ''));
}

/**
 * Reads the response of an HTTP server. The status must be 2xx. A JSON object in the body is the answer, and an empty body decides nothing.
 * Any other response is a failure of the hook.
 */
function decodeResponse(exit: Extract<ReadableExit, { kind: 'response' }>, answering: Answering, format: AnswerFormat): Decoded {
  const what = describeHook(answering.hook);
  const { status, body, truncated, durationMs } = exit;
  if (status < 200 || status > 299) {
    const message = `${what} failed: its server answered with the status ${status}. To deny, answer with the status 200 and ${denialOf(answering.hook)}.${quoteBody(body)}`;
    return { failure: { code: 'http_status', message }, warnings: [] };
  }
  if (truncated) {
    return {
      failure: {
        code: 'output_truncated',
        message: `${what} failed: the answer of its server is longer than the limit and is not read. Shorten the answer.`,
      },
      warnings: [],
    };
  }
  if (body.trim() === '') return { warnings: [] };
  const parsed = parseJson(body.trim());
  if (parsed.ok && isPlainObject(parsed.value)) return decodePrinted(body, durationMs, answering, format);
  const message = `${what} failed: the answer of its server must be a JSON object, or empty, and is ${formatValue(body)}.`;
  return { failure: { code: 'not_an_object', message }, warnings: [] };
}

function quoteBody(body: string): string {
  return body.trim() === '' ? '' : ` It answered: ${formatValue(body.trim())}`;
}

/**
 * Reads the judgement of a model: `{ ok, reason, impossible }`, or a text that contains this object. Any other answer is a failure of the
 * hook, because the model has neither allowed nor denied.
 */
function decodeModelAnswer(answer: unknown, { hook }: Answering): Decoded {
  const judged = typeof answer === 'string' ? parseObjectIn(answer) : answer;
  // Tenterhook also obeys a deny or ask in the fields of command hooks (decision 68).
  if (isPlainObject(judged) && judged['ok'] !== false && objectsOtherwise(judged)) {
    const specific = isPlainObject(judged['hookSpecificOutput']) ? judged['hookSpecificOutput'] : {};
    const reason = judged['reason'] ?? judged['permissionDecisionReason'] ?? specific['permissionDecisionReason'] ?? judged['stopReason'];
    const warnings = [
      countedAnyway(
        'deny',
        'The model answered with a decision in another form',
        'Write into the prompt that the model must answer { "ok": false, "reason": "…" }.',
      ),
    ];
    return { output: { decision: 'deny', ...(typeof reason === 'string' ? { reason } : {}) }, warnings };
  }
  if (!isPlainObject(judged) || typeof judged['ok'] !== 'boolean') {
    const message = `${describeHook(hook)} failed: the answer of its model must be { "ok": true } or { "ok": false, "reason": "…" }, and is ${formatValue(answer)}.`;
    return { failure: { code: 'not_an_object', message }, warnings: [] };
  }
  if (judged['ok']) return { warnings: [] };
  const { reason: said, impossible } = judged;
  const reason = typeof said === 'string' && said !== '' ? said : `Hook "${hookLabel(hook)}" answered { "ok": false } without a reason.`;
  // `impossible` means that the agent can never meet the condition. A deny of Stop would then keep the agent running forever.
  if (impossible === true && ['Stop', 'SubagentStop'].includes(dataOf(hook).event))
    return { output: { hookSpecificOutput: { userMessage: reason } }, warnings: [] };
  return { output: { decision: 'deny', reason }, warnings: [] };
}

/** Returns the object in a model's text. Models often put the object into a code fence, or write a sentence before it. */
function parseObjectIn(text: string): unknown {
  const whole = parseJson(text.trim());
  if (whole.ok) return whole.value;
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')];
  const inner = first === -1 || last < first ? undefined : parseJson(text.slice(first, last + 1));
  return inner?.ok ? inner.value : undefined;
}

function objectsOtherwise(judged: Readonly<Record<string, unknown>>): boolean {
  const specific = judged['hookSpecificOutput'];
  const isDenied = judged['decision'] === 'block' || judged['decision'] === 'deny' || judged['continue'] === false;
  return isDenied || findObjection(judged) === 'deny' || (isPlainObject(specific) && findObjection(specific) === 'deny');
}
