import { type Decoded, type HookDefinition, type HookEvent, type HookWarning, type ReadableExit, verdictOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { AnswerFormat, Answering } from '../../shared/output/answer-format.js';
import { answerKeywords } from '../../shared/output/answer-keywords.js';
import { asReason, decodeCommand } from '../../shared/output/decode-command.js';
import type { Exited } from '../../shared/output/failures/command-failure.js';
import { decodeResponse } from '../../shared/output/http-answer.js';
import { parseJson } from '../../shared/output/json/json-objects.js';
import { formatValue } from '../../shared/text.js';
import { factsOf } from '../input/event-table.js';
import { payloadOf } from '../input/payload.js';
import type { CopilotHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { isAnswer, readAnswer } from './read-answer.js';

/** Returns the function that converts the answer of a hook into canonical output. */
export function createDecode(hostOf: (hook: HookDefinition) => CopilotHost) {
  const format: AnswerFormat = {
    what: 'A Copilot hook',
    words: answerKeywords({
      decisions: [
        ['permissionDecision'],
        ['decision'],
        ['behavior'],
        ['hookSpecificOutput', 'permissionDecision'],
        ['hookSpecificOutput', 'decision'],
        ['hookSpecificOutput', 'behavior'],
      ],
      values: ['deny', 'block', 'ask', 'allow'],
      ownFields: ['permissionDecision', 'modifiedArgs', 'modifiedResult', 'hookSpecificOutput'],
    }),
    read: (object, answering) => readAnswer(object, answering, hostOf(answering.hook)),
    received: ({ event, hook }) => payloadOf(event, hook.dialectEvent, hostOf(hook)),
    denial: denialOf,
    isAnswer,
    ofText: (text) => ({ warnings: [notAnObject(text)] }),
    rejects: (hook) => factsOf(dataOf(hook).event).exit2 === 'deny',
    failureDenies: (hook) => hook.deniesOnCrash === true,
    relativePaths: 'a relative path starts in the project, or in the "cwd" of the hook',
  };
  return (exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded => {
    switch (exit.kind) {
      case 'exited':
        return decodeExited(exit, { event, hook }, format);
      case 'response':
        return decodeResponse(exit, { event, hook }, format);
      case 'answered':
        // The host has submitted the prompt. Nothing is decided.
        return { warnings: [] };
    }
  };
}

function decodeExited(exit: Exited, { event, hook }: Answering, format: AnswerFormat): Decoded {
  const { messages, rest } = takeProgress(exit.stdout);
  const decoded = decodeCommand({ ...exit, stdout: rest }, event, hook, format);
  const read = exit.exitCode === 2 ? withExit2(decoded, { ...exit, stdout: rest }, hook) : decoded;
  return messages.length === 0 ? read : withUserMessage(read, messages.join('\n'));
}

/** The most lines that are read as progress. */
const maxProgress = 1000;

/**
 * Takes the lines with progress out of an output. They stand before the answer, each is one object, and their messages are for the user.
 * Everything else stays, so that no decision is lost.
 */
function takeProgress(stdout: string): { readonly messages: readonly string[]; readonly rest: string } {
  const messages: string[] = [];
  let rest = stdout;
  while (messages.length < maxProgress) {
    const [, line] = /^\s*(\{[^\n]*"progress"[^\n]*)(?:\n|$)/.exec(rest) ?? [];
    const parsed = line === undefined ? undefined : parseJson(line.trim());
    const value = parsed?.ok === true ? parsed.value : undefined;
    if (line === undefined || !isPlainObject(value) || value['type'] !== 'progress' || typeof value['message'] !== 'string') break;
    if (Object.keys(value).some((field) => !['type', 'message', 'temporary'].includes(field))) break;
    messages.push(value['message']);
    rest = rest.slice(rest.indexOf(line) + line.length);
  }
  return { messages, rest };
}

function withUserMessage({ output = {}, ...decoded }: Decoded, message: string): Decoded {
  const { userMessage } = output.hookSpecificOutput ?? {};
  const all = typeof userMessage === 'string' ? `${message}\n${userMessage}` : message;
  return { ...decoded, output: { ...output, hookSpecificOutput: { ...output.hookSpecificOutput, userMessage: all } } };
}

/** Exit code 2 after a failed tool makes the output text for the model. Copilot reads no reason of a deny from stderr. */
function withExit2(decoded: Decoded, { stdout, stderr }: Exited, hook: HookDefinition): Decoded {
  if (decoded.failure !== undefined) return decoded;
  const { exit2 } = factsOf(dataOf(hook).event);
  const printed = parseJson(stdout.trim());
  const isObject = printed.ok && isPlainObject(printed.value);
  if (exit2 === 'context' && stdout.trim() !== '' && !isObject) {
    const { output = {}, warnings } = decoded;
    const kept = warnings.filter(({ code }) => code !== 'no_effect' && code !== 'not_an_object');
    const specific = { ...output.hookSpecificOutput, additionalContext: asReason(stdout.trim()) };
    return { output: { ...output, hookSpecificOutput: specific }, warnings: kept };
  }
  const isOfStderr =
    verdictOf(decoded.output?.decision) === 'deny' && stderr.trim() !== '' && decoded.output?.reason === asReason(stderr.trim());
  if (exit2 !== 'deny' || !isOfStderr) return decoded;
  const message =
    'Copilot itself reads no reason from stderr, and says "hook exited with code 2". Print the reason as permissionDecisionReason.';
  return { ...decoded, warnings: [...decoded.warnings, { code: 'uncertain_effect', message }] };
}

function notAnObject(text: string): HookWarning {
  const message = `stdout must be one JSON object, and is ${formatValue(text)}; it is ignored. Print {} for no decision, and logs to stderr.`;
  return { code: 'not_an_object', message };
}

/** Returns an example of an object that denies on the event of this hook. */
function denialOf(hook: HookDefinition): string {
  switch (dataOf(hook).event) {
    case 'permissionRequest':
      return '{ "behavior": "deny", "message": "…" }';
    case 'userPromptSubmitted':
    case 'agentStop':
    case 'subagentStop':
      return '{ "decision": "block", "reason": "…" }';
    default:
      return '{ "permissionDecision": "deny", "permissionDecisionReason": "…" }';
  }
}
