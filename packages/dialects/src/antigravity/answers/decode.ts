import {
  type Decoded,
  describeHook,
  type HookDefinition,
  type HookEvent,
  type HookWarning,
  type ReadableExit,
  verdictOf,
} from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { AnswerFormat } from '../../shared/output/answer-format.js';
import { answerKeywords } from '../../shared/output/answer-keywords.js';
import { decodeCommand } from '../../shared/output/decode-command.js';
import type { Exited } from '../../shared/output/failures/command-failure.js';
import { parseJson } from '../../shared/output/json/json-objects.js';
import { formatValue } from '../../shared/text.js';
import { factsOf } from '../input/event-table.js';
import { payloadOf } from '../input/invocation.js';
import type { AntigravityHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { answerFields, readAnswer } from './read-answer.js';

/** Returns the function that converts the answer of a hook into canonical output. */
export function createDecode(hostOf: (hook: HookDefinition) => AntigravityHost) {
  const format: AnswerFormat = {
    what: 'An Antigravity hook',
    words: answerKeywords({
      decisions: [['decision']],
      values: ['deny', 'block', 'ask', 'force_ask', 'allow', 'continue'],
      ownFields: ['injectSteps', 'terminationBehavior', 'overwrite'],
    }),
    read: (object, answering) => readAnswer(object, answering, hostOf(answering.hook)),
    received: ({ event, hook }) => payloadOf(event, dataOf(hook).event, hostOf(hook)),
    denial: denialOf,
    isAnswer: (object) => Object.keys(object).some((field) => answerFields.includes(field)),
    ofText: (text, { hook }) => (isGate(hook) ? {} : { warnings: [notAnObject(text)] }),
    rejects: (hook) => factsOf(dataOf(hook).event).rejects === true,
    failureDenies: (hook) => hook.deniesOnCrash === true,
    relativePaths: "a relative path starts in the project, and for a hook of the user in the folder of the user's settings",
  };
  return (exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded => {
    const decoded = decodeCommand(exit, event, hook, format);
    return exit.kind === 'exited' && exit.exitCode === 0 && isGate(hook) ? requireAnswer(decoded, exit, hook) : decoded;
  };
}

function isGate(hook: HookDefinition): boolean {
  return factsOf(dataOf(hook).event).isGate === true;
}

/** Warnings about an answer that Antigravity accepts. With any other warning it denies. */
const accepted: ReadonlySet<HookWarning['code']> = new Set(['no_effect']);

/** Go, in which Antigravity reads answers, does not accept it. */
const byteOrderMark = '\uFEFF';

/**
 * Denies because of any output that is not exactly one valid answer, as Antigravity does before a tool. This includes `{}`. A hook that
 * prints nothing has decided nothing.
 */
function requireAnswer(decoded: Decoded, { stdout, stdoutTruncated }: Exited, hook: HookDefinition): Decoded {
  const { output, failure, warnings } = decoded;
  const kind = verdictOf(output?.decision);
  const hasMark = stdout.startsWith(byteOrderMark);
  const printed = stdout.trim();
  if (kind === 'deny' || (printed === '' && !hasMark && failure === undefined)) return decoded;
  const { continue: goesOn, stopReason } = output ?? {};
  const stop = omitUndefined({ continue: goesOn, stopReason });
  if (failure !== undefined) {
    // The engine itself reports an output that was cut off.
    return {
      output: { ...stop, decision: 'deny', reason: failure.message },
      warnings: [...(stdoutTruncated ? [] : [failure]), ...warnings],
    };
  }
  const parsed = parseJson(printed);
  const answer = parsed.ok && isPlainObject(parsed.value) && !hasMark ? parsed.value : undefined;
  const unknown = Object.keys(answer ?? {}).find((field) => !factsOf(dataOf(hook).event).output.includes(field));
  const wrong = warnings.find(({ code }) => !accepted.has(code));
  if (answer !== undefined && unknown === undefined && wrong === undefined && kind !== 'none') return decoded;
  const what =
    answer === undefined
      ? `stdout must be one JSON object, and is ${formatValue(hasMark ? `${byteOrderMark}${printed}` : printed)}.`
      : (wrong?.message ??
        (unknown === undefined
          ? `The answer ${formatValue(printed)} has no decision.`
          : `The answer has the unknown field ${formatValue(unknown)}.`));
  const remedy = 'Print nothing for no decision, { "decision": "allow" } to allow, and logs to stderr.';
  const reason = `${describeHook(hook)} denies, because Antigravity denies without a valid answer: ${what} ${remedy}`;
  return { output: { ...stop, decision: 'deny', reason }, warnings };
}

function notAnObject(text: string): HookWarning {
  const message = `stdout must be one JSON object, and is ${formatValue(text)}; it is ignored. Print {} for no answer, and logs to stderr.`;
  return { code: 'not_an_object', message };
}

/** Returns an example of an object with which a hook of this event objects. */
function denialOf(hook: HookDefinition): string {
  switch (dataOf(hook).event) {
    case 'Stop':
      return '{ "decision": "continue", "reason": "…" }';
    case 'PostInvocation':
      return '{ "terminationBehavior": "terminate" }';
    default:
      return '{ "decision": "deny", "reason": "…" }';
  }
}
