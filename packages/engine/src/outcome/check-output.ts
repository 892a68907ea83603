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
 * Returns the decoded output without values that JSON cannot represent. Such a value would make the next hook fail, and if that hook is a
 * guard, the operation would pass. Each field is checked separately, so that a deny in another field is not lost. The check is made here
 * for all dialects: handlers and executors of the host can answer with any value, and the author of a dialect may forget the check.
 */
export function withUsableOutput(decoded: Decoded): Decoded {
  const { output, ...rest } = decoded;
  if (output === undefined) return decoded;
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
      // The inner fields are checked one by one too, so that one that is nested too deeply does not remove the others.
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
 * Warnings that mean that part of the answer was lost and may have been a deny. If a hook with `onError: 'block'` has one of them, it has
 * failed, whatever its dialect. The codes:
 * - `invalid_json`: an answer that begins like an object but is cut off or malformed, alone or on a line among others;
 * - `not_an_object`: JSON that is not an answer, such as a list around the answer, or an answer that was encoded twice;
 * - `wrong_type`: a known field that was dropped, such as `"decision": "DENY"`, or a redaction of the wrong shape;
 * - `too_deep`: a field that was dropped because of its depth;
 * - `decision_in_text`: a decision in text, where decisions are not read. It may be a quotation, for example from a file. But a guard that
 *   denies by mistake is noticed and fixed, and a guard that allows by mistake is not;
 * - `decision_on_stderr`: an objection in stderr, which is not read;
 * - `other_spelling`: a known field in another spelling, such as `"Decision"`, or an objection in the spelling of another format;
 * - `rewrite_ignored`: a rewrite that was ignored because the output was not exactly one object. It should have removed something from the
 *   input or the result.
 *
 * The following codes are not listed, because the answer was read or the lost part cannot be an objection: `mixed_output` (printed by
 * loggers; objections are read), `double_encoded` and `repeated_field` (likewise), `invalid_utf8`, `too_many_fields` (only unknown fields
 * are lost), `wrong_event` (a deny is obeyed), `reserved_field` and `no_effect` (the field is readable, but this event does not have it).
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
   * The stop, if the readable part of the answer has one. It is kept in addition to the deny, because on some events an agent continues
   * after a deny.
   */
  readonly stop?: HookOutput;
}

/**
 * Returns the warning that makes the answer of a hook with `onError: 'block'` a failure; undefined if there is none. With `onError:
 * 'continue'`, a broken answer remains a warning (decision 7). An answer that denies is never a failure, whatever else is wrong with it.
 */
export function brokenOutput({ output, failure, warnings }: Decoded, hook: HookDefinition): BrokenOutput | undefined {
  if (hook.onError !== 'block' || failure !== undefined || verdictOf(output?.decision) === 'deny') return undefined;
  const cause = warnings.find(({ code }) => brokenOutputCodes.has(code));
  if (cause === undefined) return undefined;
  if (output?.continue !== false) return { cause };
  return { cause, stop: { continue: false, ...(output.stopReason === undefined ? {} : { stopReason: output.stopReason }) } };
}

/**
 * Returns a failure if the server of a hook with `onError: 'block'` sent an empty answer without a length, because the connection may have
 * been cut before a deny. For other hooks such an answer decides nothing, because simple servers, such as loggers, answer in this way.
 */
export function missingAnswer(exit: ReadableExit, { failure }: Decoded, hook: HookDefinition): BrokenOutput | undefined {
  if (hook.onError !== 'block' || failure !== undefined || exit.kind !== 'response') return undefined;
  if (exit.endsWithConnection !== true || exit.body.trim() !== '') return undefined;
  const message = `${describeHook(hook)} received an empty answer without a length: its server may have ended the connection before the answer was sent. For no opinion, answer with "Content-Length: 0", with the status 204, or with {}.`;
  return { cause: { code: 'request_failed', message } };
}

/** Returns a warning for each part of the output that can have no effect on this event (field failure 12, decision 67). */
export function noEffectWarnings(output: HookOutput, eventName: HookEventName): HookWarning[] {
  const { may, rewrites } = eventEntry(eventName);
  // A deny with a rewrite does have an effect: in some formats a hook writes a deny to remove a value.
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
