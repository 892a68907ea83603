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
import { applyFailurePolicy } from '../outcome/failure-policy.js';
import { isObeyed, outcomeBase } from '../outcome/outcome.js';
import type { Distrust } from './trust-check.js';

/**
 * Returns the outcome of a hook that is not trusted. If the hook was trusted before, it asks or denies, as `objects` specifies. Otherwise
 * a guard could be switched off by editing its script or its settings.
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
 * Returns the outcome of a hook whose files changed while it ran. Only its deny, ask or stop is kept, because the program that ran may
 * not be the trusted one. If the hook has `onError: 'block'` and did not deny, its run has failed.
 */
export function objectionOf(outcome: HookOutcome, hook: HookDefinition): HookOutcome {
  const message = `A file that ${describeHook(hook)} depends on changed while the hook ran. Only a deny, an ask or a stop of this run has an effect.`;
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
