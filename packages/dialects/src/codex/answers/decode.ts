import { type Decoded, describeHook, type HookDefinition, type HookEvent, type HookOutput, type ReadableExit } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { AnswerFormat, Answering, ReadOutput } from '../../shared/output/answer-format.js';
import { answerKeywords } from '../../shared/output/answer-keywords.js';
import { decodeCommand } from '../../shared/output/decode-command.js';
import { type Exited, failedExit } from '../../shared/output/failures/command-failure.js';
import { parseJson } from '../../shared/output/json/json-objects.js';
import { isObjecting } from '../../shared/output/json/mixed-output.js';
import { printedByTool } from '../../shared/output/tool-answer.js';
import { formatValue } from '../../shared/text.js';
import { factsOf } from '../input/event-table.js';
import { payloadOf } from '../input/payload.js';
import type { CodexHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { type ReadAnswer, readAnswer, withReplacedResult } from './read-answer.js';
import { universalFields } from './violations.js';

/** Returns the function that converts the answer of a hook into canonical output. */
export function createDecode(host: CodexHost) {
  const format: AnswerFormat = {
    what: 'A Codex hook',
    words: answerKeywords({
      decisions: [['hookSpecificOutput', 'permissionDecision'], ['decision'], ['hookSpecificOutput', 'decision', 'behavior']],
      values: ['deny', 'block', 'ask', 'allow', 'approve'],
      ownFields: ['hookSpecificOutput'],
    }),
    read: (object, answering) => readAnswer(object, answering, host),
    received: ({ event, hook }) => payloadOf(event, dataOf(hook).event, host),
    denial: denialOf,
    isAnswer,
    ofText,
    takesOtherJsonAsText: true,
    rejects: (hook) => factsOf(dataOf(hook).event).rejects === true,
    relativePaths: "a relative path starts in the hook's working directory",
  };
  return (exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded => {
    switch (exit.kind) {
      case 'exited':
        return decodeExited(exit, { event, hook }, format, host);
      case 'answered': {
        const printed = printedByTool(exit, hook);
        return printed.kind === 'exited' ? decodeExited(printed, { event, hook }, format, host) : printed.failed;
      }
      case 'response':
        return { failure: { code: 'internal_error', message: `${format.what} cannot end as "${exit.kind}".` }, warnings: [] };
    }
  };
}

/** Adds to a deny what it means after a tool: the reason replaces the result. */
export function denied(output: HookOutput, hook: HookDefinition): HookOutput {
  return withReplacedResult(output, dataOf(hook).event);
}

function decodeExited(exit: Exited, answering: Answering, format: AnswerFormat, host: CodexHost): Decoded {
  const { event, hook } = answering;
  if (exit.exitCode === 2) return decodeBlock(exit, answering, format);
  const decoded = decodeCommand(exit, event, hook, format);
  if (exit.exitCode !== 0 || decoded.failure !== undefined || isObjecting(decoded.output ?? {})) return decoded;
  const printed = exit.stdout.trim();
  const undoable = readWhole(printed, answering, host)?.undoable;
  if (undoable !== undefined) {
    const warnings = [...decoded.warnings, { code: 'rewrite_ignored' as const, message: undoable }];
    return { output: { decision: 'deny', reason: undoable }, warnings };
  }
  const failure = findRejection(printed, answering, host);
  return failure === undefined ? decoded : { failure, warnings: decoded.warnings };
}

/** Reads the answer of a hook that printed exactly one object. Returns undefined for any other output. */
function readWhole(printed: string, answering: Answering, host: CodexHost): ReadAnswer | undefined {
  const parsed = printed.startsWith('{') ? parseJson(printed) : undefined;
  return parsed?.ok === true && isPlainObject(parsed.value) ? readAnswer(parsed.value, answering, host) : undefined;
}

/**
 * Reads the end of a hook with exit code 2. Codex reads only stderr. A blank stderr makes the run fail in Codex, and the operation
 * proceeds; here it is a deny (decision 68). On events that cannot be blocked, the hook has failed.
 */
function decodeBlock(exit: Exited, { event, hook }: Answering, format: AnswerFormat): Decoded {
  const { event: name } = dataOf(hook);
  if (!factsOf(name).rejects) return { failure: failedExit(exit, hook, format, 'ignored'), warnings: [] };
  const { output = {}, warnings } = decodeCommand({ ...exit, stdout: '', stdoutTruncated: false }, event, hook, format);
  const unread =
    exit.stdout.trim() === '' ? [] : [{ code: 'no_effect' as const, message: 'Codex does not read stdout after exit code 2.' }];
  const message =
    'Codex treats exit code 2 without a reason on stderr as a failed run, and the operation proceeds. Tenterhook treats it as a deny. Print the reason to stderr.';
  const silent = exit.stderr.trim() === '' ? [{ code: 'deny_counted' as const, message }] : [];
  return { output: withReplacedResult(output, name), warnings: [...warnings, ...unread, ...silent] };
}

/** Returns the failure for output that Codex rejects as a whole, or undefined for other output. */
function findRejection(printed: string, answering: Answering, host: CodexHost): Decoded['failure'] {
  const { hook } = answering;
  const { event: name } = dataOf(hook);
  if (printed === '' || name === 'SessionEnd') return undefined;
  const answer = readWhole(printed, answering, host);
  if (answer !== undefined) {
    if (answer.rejected === undefined) return undefined;
    const { code, why } = answer.rejected;
    return { code, message: code === 'unsupported_ask' ? `${describeHook(hook)}: ${why}` : rejection(hook, why) };
  }
  const isLikeJson = /^[[{]/.test(printed);
  if (!isLikeJson && !factsOf(name).insistsOnJson) return undefined;
  const what = isLikeJson
    ? `stdout begins like JSON, and is not a JSON object (${formatValue(printed)})`
    : `stdout must be JSON on ${name}, and is ${formatValue(printed)}. Print {} for no decision, and logs to stderr`;
  return { code: 'rejected_output', message: rejection(hook, what) };
}

function rejection(hook: HookDefinition, why: string): string {
  return `${describeHook(hook)} has failed: Codex rejects its output as a whole, because ${why}. Nothing of the output is used.`;
}

/** Returns an example of an object that denies on the event of this hook. */
function denialOf(hook: HookDefinition): string {
  const { event } = dataOf(hook);
  if (event === 'PreToolUse')
    return '{ "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "…" } }';
  if (event === 'PermissionRequest')
    return '{ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": { "behavior": "deny", "message": "…" } } }';
  return '{ "decision": "block", "reason": "…" }';
}

const answerFields: ReadonlySet<string> = new Set([...universalFields, 'decision', 'reason', 'hookSpecificOutput']);

/** Tests whether an object between other text is an answer. */
function isAnswer(object: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(object).some((field) => answerFields.has(field));
}

/** Returns the output for plain text on stdout: on some events it is context for the model, on the others it has no effect. */
function ofText(text: string, { hook }: Answering): Partial<ReadOutput> {
  return factsOf(dataOf(hook).event).takesText ? { output: { hookSpecificOutput: { additionalContext: text } } } : {};
}
