import { type Decoded, describeHook, type HookDefinition, type HookEvent, type ReadableExit, verdictOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { AnswerFormat, Answering, ReadOutput } from '../../shared/output/answer-format.js';
import { answerWords } from '../../shared/output/answer-keywords.js';
import { decodeCommand } from '../../shared/output/decode-command.js';
import { parseJson } from '../../shared/output/json-objects.js';
import { factsOf } from '../input/event-table.js';
import type { ClaudeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { decodeModelAnswer } from './decode-model-answer.js';
import { decodeResponse } from './decode-response.js';
import { isAnswer } from './fields.js';
import { contentText, messageFor, readAnswer } from './read-answer.js';

/** What a hook answered, whatever it is, to a canonical output. */
export function createDecode(host: ClaudeHost) {
  const format: AnswerFormat = {
    what: 'A Claude Code hook',
    words: answerWords({
      decisions: [['hookSpecificOutput', 'permissionDecision'], ['decision'], ['hookSpecificOutput', 'decision', 'behavior']],
      values: ['deny', 'block', 'ask', 'defer', 'allow', 'approve'],
      ownFields: ['hookSpecificOutput'],
    }),
    read: (object, answering, rejects) => readAnswer(object, answering, rejects, host),
    isAnswer,
    ofText,
    takesOtherJsonAsText: true,
    rejects: (hook) => factsOf(dataOf(hook).event).rejects !== undefined,
    objectsCountOnFailure: true,
    relativePaths: `a relative one counts from the hook's working directory, "$CLAUDE_PROJECT_DIR"/… from the project's`,
  };
  return (exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded => {
    switch (exit.kind) {
      case 'exited':
        return withFailedCreation(decodeCommand({ ...exit, stdout: withoutAsyncLine(exit.stdout) }, event, hook, format), exit, hook);
      case 'response':
        return decodeResponse(exit, { event, hook }, host);
      case 'answered':
        return decodeAnswer(exit, event, hook, format);
    }
  };
}

/** The line by which a command left is no part of what it answers later. */
function withoutAsyncLine(stdout: string): string {
  const end = stdout.indexOf('\n');
  const line = end === -1 ? stdout : stdout.slice(0, end);
  if (!/^\s*\{.*"async"/.test(line)) return stdout;
  const parsed = parseJson(line.trim());
  if (!parsed.ok || !isPlainObject(parsed.value) || parsed.value['async'] !== true) return stdout;
  // What else it says there is its word.
  return Object.keys(parsed.value).every((field) => field === 'async' || field === 'asyncTimeout') ? stdout.slice(line.length) : stdout;
}

/** What a program prints is for the user, where it is no context for the model (decision 65). */
function ofText(text: string, { hook }: Answering): Partial<ReadOutput> {
  const { event } = dataOf(hook);
  if (event === 'WorktreeCreate') return { output: { hookSpecificOutput: { worktreePath: text } } };
  return { output: { hookSpecificOutput: factsOf(event).takesText ? { additionalContext: text } : messageFor(text) } };
}

/** A tree that was not made must not be worked in: there every exit code but 0 is a deny, whatever was printed. */
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

/** A tool of a server answers with what a command would print, a model with a judgement. */
function decodeAnswer(
  exit: Extract<ReadableExit, { kind: 'answered' }>,
  event: HookEvent,
  hook: HookDefinition,
  format: AnswerFormat,
): Decoded {
  const { runs } = dataOf(hook);
  const { answer, durationMs } = exit;
  if (runs.kind !== 'host' || runs.type !== 'mcp_tool') return decodeModelAnswer(answer, { event, hook });
  const text = toolText(answer);
  if (isPlainObject(answer) && answer['isError'] === true) {
    return {
      failure: { code: 'hook_failed', message: `${describeHook(hook)} is a tool that failed: ${text.slice(0, 300)}` },
      warnings: [],
    };
  }
  const printed = { stdout: text, stderr: '', stdoutBytes: text.length, stderrBytes: 0 };
  const whole = { stdoutTruncated: false, stderrTruncated: false, invalidUtf8: false, leftProcesses: 0 };
  return decodeCommand({ kind: 'exited', exitCode: 0, durationMs, ...printed, ...whole }, event, hook, format);
}

/** What a tool gives back as the text that a command would print. */
function toolText(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  const structured = isPlainObject(answer) ? answer['structuredContent'] : undefined;
  return contentText(answer) ?? (answer === undefined ? '' : (JSON.stringify(structured ?? answer) ?? ''));
}
