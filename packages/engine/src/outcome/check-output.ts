import {
  type Decoded,
  describeHook,
  eventEntry,
  type HookDefinition,
  type HookEventName,
  type HookOutput,
  type HookWarning,
  type ReadableExit,
  verdictOf,
  type WarningCode,
} from '@tenterhook/protocol';
import { unusableValue } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeThrown } from '@tenterhook/runtime/text';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the decoded output without values that JSON cannot represent. Such a value would make the next hook fail, and that hook may be
 * a guard. Each field is checked separately, so that a deny in another field is kept. The check covers all dialects, because handlers and
 * executors of the host can return any value.
 */
export function withUsableOutput(decoded: Decoded): Decoded {
  if (decoded.output === undefined) return decoded;
  const { output, ...rest } = decoded;
  if (!isPlainObject(output)) {
    const problem: HookWarning = {
      code: 'not_an_object',
      message: 'The output that the dialect read from the hook is not an object. It is ignored: it neither allows nor denies.',
    };
    return { ...rest, warnings: [...rest.warnings, problem] };
  }
  const warnings: HookWarning[] = [];
  const usable = usableFields(output, '', warnings);
  return warnings.length === 0 ? decoded : { ...rest, output: usable as HookOutput, warnings: [...rest.warnings, ...warnings] };
}

function usableFields(fields: Fields, path: string, warnings: HookWarning[]): Fields {
  const kept = Object.keys(fields).flatMap((name): [string, unknown][] => {
    const at = `${path}${name}`;
    try {
      const value = fields[name];
      // The inner fields are checked separately too. So an invalid field does not remove the others.
      if (at === 'hookSpecificOutput' && isPlainObject(value)) return [[name, usableFields(value, `${at}.`, warnings)]];
      const problem = unusableValue(at, value);
      if (problem === undefined) return [[name, value]];
      warnings.push(problem);
    } catch (error) {
      const message = `${at} cannot be read (${describeThrown(error)}). It was dropped.`;
      warnings.push({ code: 'wrong_type', message });
    }
    return [];
  });
  return Object.fromEntries(kept);
}

/**
 * Warnings which mean that a part of the answer was lost. The lost part may have been a deny. So a hook with `onError: 'block'` has
 * failed if it has one of these warnings.
 * - `invalid_json`: an answer that begins like an object, but is cut off or malformed.
 * - `not_an_object`: JSON that is not an answer, such as a list that contains the answer, or an answer that was encoded twice.
 * - `wrong_type`: a known field with a wrong value, such as `"decision": "DENY"`, or a rewrite of the wrong shape.
 * - `too_deep`: a field that was dropped because of its depth.
 * - `decision_in_text`: a decision in text, where decisions are not read. It may be only a quotation. But a guard that denies by mistake
 *   is noticed, and a guard that allows by mistake is not.
 * - `decision_on_stderr`: a deny or an ask on stderr, which is not read.
 * - `other_spelling`: a known field in another spelling, such as `"Decision"`, or a deny or an ask in the spelling of another format.
 * - `rewrite_ignored`: a rewrite that may have removed something. It was ignored because the output was not exactly one object.
 *
 * With the other codes no deny is lost:
 * - The answer was read: `mixed_output` (loggers print such output), `double_encoded`, `repeated_field`, `invalid_utf8`, `wrong_event`.
 * - Only unknown fields are lost: `too_many_fields`.
 * - The event does not have the field: `reserved_field`, `no_effect`.
 */
export const brokenOutputCodes: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'invalid_json',
  'not_an_object',
  'wrong_type',
  'too_deep',
  'decision_in_text',
  'decision_on_stderr',
  'other_spelling',
  'rewrite_ignored',
]);

export interface BrokenOutput {
  readonly cause: HookWarning;
  /**
   * The `continue: false` of the answer, if it could be read. It is kept together with the deny, because on some events an agent
   * continues after a deny.
   */
  readonly stop?: HookOutput;
}

/**
 * Returns the warning that makes a run of a hook with `onError: 'block'` a failure, or undefined. With `onError: 'continue'` it is only a
 * warning (decision 7). An answer that denies has not failed, whatever else is wrong with it.
 */
export function brokenOutput({ output, failure, warnings }: Decoded, hook: HookDefinition): BrokenOutput | undefined {
  if (hook.onError !== 'block' || failure !== undefined || verdictOf(output?.decision) === 'deny') return undefined;
  const cause = warnings.find(({ code }) => brokenOutputCodes.has(code));
  if (cause === undefined) return undefined;
  if (output?.continue !== false) return { cause };
  return { cause, stop: { continue: false, ...(output.stopReason === undefined ? {} : { stopReason: output.stopReason }) } };
}

/**
 * Returns a failure if the server of a hook with `onError: 'block'` sent an empty answer without a length. The connection may have been cut
 * before a deny was sent. For other hooks, an empty answer means that they decide nothing, because simple servers answer in this way.
 */
export function missingAnswer(exit: ReadableExit, { failure }: Decoded, hook: HookDefinition): BrokenOutput | undefined {
  if (hook.onError !== 'block' || failure !== undefined || exit.kind !== 'response') return undefined;
  if (exit.endsWithConnection !== true || exit.body.trim() !== '') return undefined;
  const message = `${describeHook(hook)} received an empty answer without a length: its server may have ended the connection before the answer was sent. If the hook decides nothing, answer with "Content-Length: 0", with the status 204, or with {}.`;
  return { cause: { code: 'request_failed', message } };
}

/** Returns a warning for each part of the output that has no effect on this event (field failure 12, decision 67). */
export function noEffectWarnings(output: HookOutput, eventName: HookEventName): HookWarning[] {
  const { may, rewrites } = eventEntry(eventName);
  // A deny with a rewrite has an effect, because in some formats a hook denies in order to remove a value.
  const hasRewritten = rewrites.some(({ field }) => output.hookSpecificOutput?.[field] !== undefined);
  const warnings: HookWarning[] = [];
  if (verdictOf(output.decision) === 'deny' && may.block === false && !hasRewritten) {
    warnings.push({
      code: 'no_effect',
      message: `${eventName} cannot be blocked: the agent continues, although the hook denied. Deny on an event that can be blocked, such as BeforeTool.`,
    });
  }
  if (verdictOf(output.decision) === 'ask' && may.block !== true) {
    warnings.push({
      code: 'no_effect',
      message: `${eventName} cannot ask the user: the agent continues, although the hook asked. Ask on an event that can be blocked, such as BeforeTool.`,
    });
  }
  if (output.continue === false && !may.stop) {
    warnings.push({
      code: 'no_effect',
      message: `${eventName} cannot stop the agent: it continues, although the hook printed "continue": false. Stop on another event, such as BeforeAgent.`,
    });
  }
  return warnings;
}
