import {
  type Dialect,
  describeHook,
  type HookDefinition,
  type HookOutcome,
  type HookOutput,
  type HookWarning,
  verdictOf,
} from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { applyFailurePolicy, isObeyed, outcomeBase } from '../outcome/outcome.js';
import type { Distrust } from './trust-check.js';

/**
 * Returns the outcome of a hook that is not trusted. If the hook was trusted before and could have objected, the outcome asks or denies.
 * Otherwise a guard could be switched off by editing its script, or its settings: `objects` is about the version that was trusted.
 */
export function untrustedOutcome(hook: HookDefinition, { reason, objects }: Distrust, dialect: Dialect): HookOutcome {
  const outcome: HookOutcome = {
    ...outcomeBase(hook),
    status: 'skipped',
    skipReason: 'untrusted',
    durationMs: 0,
    warnings: [{ code: 'untrusted', message: reason }],
  };
  if (objects === undefined) return outcome;
  if (objects === 'ask' && hook.onError !== 'block') return { ...outcome, output: { decision: 'ask', reason } };
  return applyFailurePolicy({ ...outcome, warnings: [{ code: 'guard_untrusted', message: reason }] }, hook, dialect);
}

/**
 * Reduces the outcome of a hook whose files changed while it ran to a deny, an ask or a stop. The program that ran may not be the one that
 * was trusted, so it can neither allow nor change anything. If the hook fails closed and does not deny, its run has failed.
 */
export function objectionOf(outcome: HookOutcome, hook: HookDefinition): HookOutcome {
  const message = `A file that ${describeHook(hook)} reaches changed while the hook ran. Only a deny, an ask or a stop of this run has an effect.`;
  const warnings: readonly HookWarning[] = [{ code: 'changed_while_running', message }, ...outcome.warnings];
  if (!isObeyed(outcome)) return { ...outcome, warnings: [...outcome.warnings, ...warnings.slice(0, 1)] };
  const kind = verdictOf(outcome.output?.decision);
  const { output, ...rest } = outcome;
  const left = output === undefined ? {} : { output: withoutGains(output, kind === 'deny' || kind === 'ask') };
  const hasFailed = hook.onError === 'block' && kind !== 'deny';
  return { ...rest, ...left, ...(hasFailed ? { status: 'failed' as const } : {}), warnings };
}

function withoutGains({ decision, reason, continue: goesOn, stopReason }: HookOutput, objects: boolean): HookOutput {
  return omitUndefined({
    ...(objects ? { decision, reason } : {}),
    ...(goesOn === false ? { continue: false, stopReason } : {}),
  });
}
