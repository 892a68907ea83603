import type { HookOutcome } from 'tenterhook';
import type { Meaning } from '../load/hook-kinds/hook-kind.js';

/** Something that must not be. */
export interface Fault {
  readonly what: string;
  readonly hook?: string;
}

export function fault(what: string, outcome?: HookOutcome): Fault {
  return { what, ...(outcome === undefined ? {} : { hook: outcome.name ?? outcome.hookId }) };
}

/** What an outcome says where its hook is obeyed. */
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
