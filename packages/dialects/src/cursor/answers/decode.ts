import { type Decoded, describeHook, type HookDefinition, type HookEvent, type ReadableExit } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { AnswerFormat, Answering } from '../../shared/output/answer-format.js';
import { answerKeywords } from '../../shared/output/answer-keywords.js';
import { decodeCommand } from '../../shared/output/decode-command.js';
import type { Exited } from '../../shared/output/failures/command-failure.js';
import { parseJson } from '../../shared/output/json/json-objects.js';
import { isObjecting } from '../../shared/output/json/mixed-output.js';
import { decodeModelAnswer } from '../../shared/output/model-answer.js';
import { formatValue } from '../../shared/text.js';
import { factsOf } from '../input/event-table.js';
import { payloadOf } from '../input/payload.js';
import type { CursorHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { answerFields, readAnswer, rejectedPrompt } from './read-answer.js';

/** Returns the function that converts the answer of a hook into canonical output. */
export function createDecode(hostOf: (hook: HookDefinition) => CursorHost) {
  const format: AnswerFormat = {
    what: 'A Cursor hook',
    words: answerKeywords({
      decisions: [['permission']],
      values: ['deny', 'ask', 'allow'],
      ownFields: ['permission', 'followup_message', 'updated_input'],
    }),
    read: (object, answering) => readAnswer(object, answering, hostOf(answering.hook)),
    received: ({ event, hook }) => payloadOf(event, dataOf(hook).event, hostOf(hook)),
    denial: denialOf,
    isAnswer: (object) => Object.keys(object).some((field) => answerFields.includes(field)),
    ofText: () => ({}),
    takesOtherJsonAsText: true,
    rejects: (hook) => factsOf(dataOf(hook).event).rejects === true,
    relativePaths: "a relative path starts in the project, and for a hook of the user in the folder of the user's settings",
  };
  return (exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded => {
    switch (exit.kind) {
      case 'exited':
        return decodeExited(exit, { event, hook }, format);
      case 'answered':
        return decodeModelAnswer(exit.answer, hook, {
          isDenied,
          reasonFields: ['agent_message', 'user_message'],
          staysInLoop: factsOf(dataOf(hook).event).output.includes('followup_message'),
        });
      case 'response':
        return { failure: { code: 'internal_error', message: `${format.what} cannot end as "${exit.kind}".` }, warnings: [] };
    }
  };
}

function decodeExited(exit: Exited, answering: Answering, format: AnswerFormat): Decoded {
  const { event, hook } = answering;
  const decoded = decodeCommand(exit, event, hook, format);
  if (exit.exitCode === 2 && dataOf(hook).event === 'sessionStart')
    return { ...decoded, warnings: [rejectedPrompt('Exit code 2'), ...decoded.warnings.filter(({ code }) => code !== 'no_effect')] };
  if (exit.exitCode !== 0 || isObjecting(decoded.output ?? {})) return decoded;
  if (decoded.failure !== undefined) return factsOf(dataOf(hook).event).isPermission ? denyUnread(decoded.failure, decoded, exit) : decoded;
  return exit.stdout.trim() === '' ? decodeSilence(decoded, hook) : requireAnswer(decoded, exit, answering, format);
}

/** A hook that prints nothing has no opinion. With `failClosed`, it has failed, as in Cursor's editor. */
function decodeSilence(decoded: Decoded, hook: HookDefinition): Decoded {
  if (hook.onError !== 'block') return decoded;
  const message = `${describeHook(hook)} printed nothing. With "failClosed": true that is a failure in Cursor. Print {} for no decision.`;
  return { failure: { code: 'rejected_output', message }, warnings: decoded.warnings };
}

/** Denies because of an output that was too long to be read. Cursor denies when it cannot read an answer. */
function denyUnread({ code, message }: NonNullable<Decoded['failure']>, { warnings }: Decoded, { stdoutTruncated }: Exited): Decoded {
  // The engine itself reports an output that was cut off.
  return { output: { decision: 'deny', reason: message }, warnings: [...(stdoutTruncated ? [] : [{ code, message }]), ...warnings] };
}

/**
 * Handles output that is not exactly one valid answer. On the events with a permission Cursor denies then, whatever `failClosed` is. On the
 * others the hook has failed.
 */
function requireAnswer(decoded: Decoded, exit: Exited, answering: Answering, format: AnswerFormat): Decoded {
  const { hook } = answering;
  const { isPermission } = factsOf(dataOf(hook).event);
  const printed = exit.stdout.trim();
  const parsed = parseJson(printed);
  const isObject = parsed.ok && isPlainObject(parsed.value);
  const wrong = decoded.warnings.find(({ code }) => code === 'wrong_type' || code === 'too_deep' || code === 'repeated_field');
  if (isObject && (wrong === undefined || !isPermission)) return decoded;
  const suffix = isObject ? undefined : readSuffix(printed, answering, format);
  if (suffix !== undefined) return { ...suffix, warnings: [...decoded.warnings, ...suffix.warnings] };
  const what = isObject ? (wrong?.message ?? '') : `stdout must be one JSON object, and is ${formatValue(printed)}.`;
  const remedy = 'Print {} for no decision, and logs to stderr.';
  if (isPermission) {
    const reason = `${describeHook(hook)} denies, because Cursor denies when it cannot read an answer: ${what} ${remedy}`;
    return { output: { decision: 'deny', reason }, warnings: decoded.warnings };
  }
  const message = `${describeHook(hook)} has failed: ${what} ${remedy}`;
  return { failure: { code: 'rejected_output', message }, warnings: decoded.warnings };
}

/** The number of characters and of braces at the end of an output that are searched for an answer. */
const searchedEnd = 65_536;
const searchedBraces = 100;

/** Reads a deny or an ask at the end of other text, as Cursor does. An allow there may be a quotation, so it does not count. */
function readSuffix(printed: string, answering: Answering, format: AnswerFormat): Decoded | undefined {
  if (!printed.endsWith('}')) return undefined;
  const end = printed.slice(-searchedEnd);
  let at = end.length;
  for (let tried = 0; tried < searchedBraces; tried += 1) {
    at = at === 0 ? -1 : end.lastIndexOf('{', at - 1);
    if (at < 0) return undefined;
    const parsed = parseJson(end.slice(at));
    if (!parsed.ok || !isPlainObject(parsed.value) || format.isAnswer?.(parsed.value) !== true) continue;
    const { output, warnings } = format.read(parsed.value, answering, false);
    const { decision, reason } = output;
    if (!isObjecting(output)) return undefined;
    const message =
      'stdout mixes JSON with other text. Only a deny and an ask in it have an effect. Print one JSON object and nothing else.';
    return {
      output: { ...(decision === undefined ? {} : { decision }), ...(reason === undefined ? {} : { reason }) },
      warnings: [{ code: 'mixed_output', message }, ...warnings],
    };
  }
  return undefined;
}

/** Returns an example of an object that denies on the event of this hook. */
function denialOf(hook: HookDefinition): string {
  const { event } = dataOf(hook);
  if (event === 'beforeSubmitPrompt') return '{ "continue": false, "user_message": "…" }';
  return event === 'stop' || event === 'subagentStop' ? '{ "followup_message": "…" }' : '{ "permission": "deny", "agent_message": "…" }';
}

/** Tests whether a model denies in the fields of commands. A model that asks does not allow, so an ask is a deny too. */
function isDenied({ permission, decision, continue: goesOn }: Readonly<Record<string, unknown>>): boolean {
  return ['deny', 'ask'].includes(permission as string) || ['block', 'deny'].includes(decision as string) || goesOn === false;
}
