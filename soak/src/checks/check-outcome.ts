import { eventCatalogue, type HookEventName } from '@tenterhook/protocol';
import type { HookOutcome } from 'tenterhook';
import type { Meaning } from '../load/hook-kinds/hook-kind.js';
import type { ConfiguredHook } from '../load/settings-round.js';
import type { SentRequest } from './sent-request.js';

/** A violation. */
export interface Fault {
  readonly what: string;
  readonly hook?: string;
}

export function fault(what: string, outcome?: HookOutcome): Fault {
  return { what, ...(outcome === undefined ? {} : { hook: outcome.name ?? outcome.hookId }) };
}

/** Returns the decision of an outcome, if it counts. */
export function meaningOf({ output }: HookOutcome): Meaning {
  switch (output?.decision) {
    case 'deny':
    case 'block':
      return 'deny';
    case 'allow':
    case 'approve':
      return 'allow';
    case 'ask':
      return 'ask';
    default:
      return 'nothing';
  }
}

export function isObeyed({ status }: HookOutcome): boolean {
  return status === 'succeeded' || status === 'blocked';
}

export function hasFailed({ status }: HookOutcome): boolean {
  return status === 'failed' || status === 'timed-out' || status === 'cancelled';
}

/** What is known about the response that contains an outcome. */
export interface Surroundings {
  readonly request: SentRequest;
  /** True if the request was ended early and the response reports it. */
  readonly wasCut: boolean;
  /** True if the outcomes contain a deny or a stop. */
  readonly isChainEnded: boolean;
}

/** Checks whether a hook of this kind and configuration may end like this. */
export function checkOutcome(outcome: HookOutcome, hook: ConfiguredHook, around: Surroundings): Fault[] {
  const faults: Fault[] = [];
  const { status } = outcome;
  const illegal = illegalEnd(outcome, hook, around);
  if (illegal !== undefined) {
    const codes = outcome.warnings.map((warning) => warning.code).join(', ');
    const end = `${status} after ${Math.round(outcome.durationMs)} ms, exit code ${outcome.exitCode}, signal ${outcome.signal}, warnings: ${codes}`;
    faults.push(fault(`${illegal} (${end})`, outcome));
  }

  const isClosed = outcome.failedClosed === true;
  const mayBeClosed = hasFailed(outcome) || outcome.skipReason === 'circuit-open' || outcome.skipReason === 'invalid';
  // If a limit of the service kept a hook from being asked, the hook denies what can be blocked, whatever its onError is.
  const closes =
    hook.onError === 'block' || (outcome.limited === true && eventCatalogue[outcome.eventName as HookEventName].may.block === true);
  if (isClosed !== (mayBeClosed && closes)) {
    faults.push(fault(`onError is "${hook.onError}" and the status "${status}", but failedClosed is ${isClosed}`, outcome));
  }
  if ((status === 'blocked') !== (isObeyed(outcome) && meaningOf(outcome) === 'deny')) {
    faults.push(fault(`the status is "${status}" and the decision "${outcome.output?.decision}"`, outcome));
  }
  if (outcome.durationMs < 0) faults.push(fault(`it took ${outcome.durationMs} ms`, outcome));
  return faults;
}

function illegalEnd(outcome: HookOutcome, hook: ConfiguredHook, around: Surroundings): string | undefined {
  switch (outcome.status) {
    case 'skipped':
      return isSkippable(outcome, hook, around) ? undefined : `it was skipped for the wrong reason: ${outcome.skipReason}`;
    case 'cancelled':
      return mayBeCancelled(outcome, around) ? undefined : 'it was cancelled without a cancel';
    default:
      return illegalRun(outcome, hook, around);
  }
}

function illegalRun(outcome: HookOutcome, { kind, onError, isDisabled, isInvalid }: ConfiguredHook, { request }: Surroundings) {
  const { status } = outcome;
  if (isDisabled || isInvalid) return 'it ran, and must not';
  if (request.isUnrunnable) {
    return status === 'failed' && outcome.warnings[0]?.code === 'spawn_failed' ? undefined : 'it ran in a directory that does not exist';
  }
  if (kind.isBroken && onError === 'block' && status === 'failed') return undefined;
  if (!kind.ends.includes(status)) return `it may only end as ${kind.ends.join(' or ')}`;
  if (status === 'timed-out') return undefined;
  if (kind.exitCode !== undefined && outcome.exitCode !== kind.exitCode) return `it exits with ${kind.exitCode}`;
  if (kind.signal !== undefined && outcome.signal !== kind.signal) return `it is ended by ${kind.signal}`;
  if (!isObeyed(outcome)) return undefined;
  if (meaningOf(outcome) !== kind.says) return `it says ${kind.says} and was read as ${meaningOf(outcome)}`;
  if ((outcome.output?.continue === false) !== (kind.stops === true)) return 'its stop was lost, or made up';
  return undefined;
}

function isSkippable({ skipReason }: HookOutcome, hook: ConfiguredHook, { isChainEnded }: Surroundings): boolean {
  switch (skipReason) {
    case 'matcher':
      return hook.hasMatcher;
    case 'disabled':
      return hook.isDisabled;
    case 'invalid':
      return hook.isInvalid;
    case 'duplicate':
      return hook.copies > 1;
    case 'chain-ended':
      return isChainEnded;
    case 'circuit-open':
      return true;
    default:
      return false;
  }
}

function mayBeCancelled({ warnings }: HookOutcome, { wasCut }: Surroundings): boolean {
  if (wasCut) return true;
  // The load exceeds the queue on purpose. Only the text of the outcome shows this; there is no field for it.
  return warnings[0]?.code === 'not_started' && warnings[0].message.includes('limits.queued');
}
