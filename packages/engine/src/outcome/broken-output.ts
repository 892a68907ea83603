import { type Decoded, type HookCode, type HookDefinition, type HookOutput, type HookWarning, verdictOf } from '@tenterhook/protocol';

/**
 * Warnings after which nobody knows what the hook meant: something it said, which may have been its deny, is lost. A hook with
 * `onError: 'block'` has failed then, whatever its dialect. For each code the question was whether a word against the operation may
 * be among what is lost:
 * - `invalid_json`: an answer that begins like an object and is cut off or misspelt, alone or on a line among others;
 * - `not_an_object`: JSON, and no answer: a list around the answer, a text wrapped twice;
 * - `wrong_type`: a known field that was dropped, such as `"decision": "DENY"` or a redaction of the wrong shape;
 * - `too_deep`: the same, because of its depth;
 * - `decision_in_text`: a decision where none is read. It may be quoted, from a file say; a guard that closes by mistake is seen and
 *   mended, one that opens by mistake is not;
 * - `other_spelling`: a known field in other letters, such as `"Decision"`.
 *
 * Not among them, because what was said did count or nothing of it can have been an objection: `mixed_output` (loggers; the objects are
 * read), `double_encoded`, `invalid_utf8`, `too_many_fields` (unknown ones), `wrong_event` (the deny counts), `reserved_field` and
 * `no_effect` (readable, and about something that this event does not have).
 */
export const brokenOutputCodes: ReadonlySet<string> = new Set<HookCode>([
  'invalid_json',
  'not_an_object',
  'wrong_type',
  'too_deep',
  'decision_in_text',
  'other_spelling',
]);

export interface BrokenOutput {
  readonly cause: HookWarning;
  /** A stop that could be read. To a failure that is closed it is kept: on some events a deny alone lets the agent go on. */
  readonly stop?: HookOutput;
}

/**
 * What makes the answer of a hook with `onError: 'block'` a failure; undefined when there is nothing. With `continue` a broken answer
 * stays what it is, a warning (decision 7). A deny is a deny, whatever else is wrong with it: it must stay one of policy.
 */
export function brokenOutput({ output, failure, warnings }: Decoded, hook: HookDefinition): BrokenOutput | undefined {
  if (hook.onError !== 'block' || failure !== undefined || verdictOf(output?.decision) === 'deny') return undefined;
  const cause = warnings.find(({ code }) => brokenOutputCodes.has(code));
  if (cause === undefined) return undefined;
  if (output?.continue !== false) return { cause };
  return { cause, stop: { continue: false, ...(output.stopReason === undefined ? {} : { stopReason: output.stopReason }) } };
}
