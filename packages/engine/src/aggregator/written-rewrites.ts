import { eventEntry, type HookEventName, type HookOutcome, type Rewrite, verdictOf } from '@tenterhook/protocol';
import { isObeyed } from '../outcome/outcome.js';
import { isComposable, isPresent } from './compose-rewrite.js';

/**
 * Whether the outcome writes the field. A hook whose failure denies (`failedClosed`) may write it too: its dialect may have added a rewrite
 * that removes the data.
 */
export function writes(eventName: HookEventName, outcome: HookOutcome, rewrite: Rewrite): boolean {
  if (outcome.output === undefined) return false;
  const counts = isObeyed(outcome) || outcome.failedClosed === true;
  return counts && !isDenied(eventName, outcome) && isComposable(rewrite, outcome.output?.hookSpecificOutput?.[rewrite.field]);
}

/**
 * Whether the hook prevented the operation. If so, its rewrite is ignored, as after exit code 2 (decision 3). A deny after an operation
 * prevents nothing. In that case the rewrite is applied, because it may remove parts of a result (decisions 63 and 67).
 */
function isDenied(eventName: HookEventName, outcome: HookOutcome): boolean {
  return eventEntry(eventName).may.block === true && verdictOf(outcome.output?.decision) === 'deny';
}

/** Adds warnings for the rewrites of an outcome that are not applied. */
export function withIgnoredRewrites(eventName: HookEventName, outcome: HookOutcome): HookOutcome {
  if (!isObeyed(outcome)) return outcome;
  const specific = outcome.output?.hookSpecificOutput ?? {};
  if (!isDenied(eventName, outcome)) return withMalformedRewrites(eventName, outcome, specific);
  const fields = eventEntry(eventName)
    .rewrites.filter((rewrite) => isComposable(rewrite, specific[rewrite.field]))
    .map(({ field }) => field);
  // After a failed request the outcomes are aggregated a second time. They then already have the warning.
  if (fields.length === 0 || outcome.warnings.some(({ code }) => code === 'rewrite_ignored')) return outcome;
  const message = `The hook denied ${eventName}, so its ${fields.join(', ')} was not applied.`;
  return { ...outcome, warnings: [...outcome.warnings, { code: 'rewrite_ignored', message }] };
}

/**
 * Adds warnings for rewrites that cannot be applied. Most dialects check rewrites themselves. For the other dialects, this warning is the
 * only sign.
 */
function withMalformedRewrites(eventName: HookEventName, outcome: HookOutcome, specific: Record<string, unknown>): HookOutcome {
  const malformed = eventEntry(eventName).rewrites.filter((rewrite) => {
    return isPresent(specific[rewrite.field]) && !isComposable(rewrite, specific[rewrite.field]);
  });
  const messages = malformed.map(({ field }) => `The value of hookSpecificOutput.${field} is not valid. It was not applied.`);
  const fresh = messages.filter((message) => outcome.warnings.every((warning) => warning.message !== message));
  if (fresh.length === 0) return outcome;
  return { ...outcome, warnings: [...outcome.warnings, ...fresh.map((message) => ({ code: 'wrong_type' as const, message }))] };
}
