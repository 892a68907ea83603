import { describeHook, eventEntry, type HookDefinition, type HookOutcome } from '@tenterhook/protocol';
import { rankOf } from '../outcome/hook-key.js';

/**
 * Records the lowest level whose hooks have run; the level of a repository is below that of the user. A hook can kill the process of
 * another hook without a trace. It can do so even after its own end, through a process that it leaves running. So if a signal ends or
 * stops a guard, an earlier hook of a lower level may have sent the signal.
 *
 * If a guard fails in another way, or is slow, `onError` decides. Otherwise ordinary failures of a user's hooks would become denies in
 * every repository that has hooks.
 */
export class RanRanks {
  #lowest = Number.POSITIVE_INFINITY;

  /** Must be called before a hook starts. Records only commands, because only a process can send signals. */
  note(hook: HookDefinition): void {
    if (hook.action.kind === 'command') this.#lowest = Math.min(this.#lowest, rankOf(hook));
  }

  /** Whether a hook of a lower level may have killed this run. Always false on events that hooks can neither block nor rewrite. */
  mayHaveKilled(hook: HookDefinition, outcome: HookOutcome): boolean {
    const hasEndedEarly = outcome.status === 'failed' || outcome.status === 'timed-out';
    if (!hasEndedEarly || signalOf(outcome) === undefined || this.#lowest >= rankOf(hook)) return false;
    const { may, rewrites } = eventEntry(hook.eventName);
    return may.block === true || rewrites.length > 0;
  }
}

/**
 * All hook systems of this process share this record, because a process that a hook of one system leaves running can kill the hooks of
 * another system.
 */
export const ranRanksOfProcess = new RanRanks();

/**
 * Returns the outcome of a run that may have been killed by another hook. The outcome denies. It is replaced if the hook is run again and
 * answers.
 */
export function killed(outcome: HookOutcome, hook: HookDefinition): HookOutcome {
  const end = outcome.status === 'timed-out' ? 'stopped by a signal until its timeout' : `ended by ${signalOf(outcome)}`;
  const message = `${describeHook(hook)} was ${end}. Hooks of a lower level had run before, and one of them may have sent the signal.`;
  // The usual warning says that this failure is ignored. Here that would be wrong, so the warning is left out.
  const others = outcome.warnings.filter(({ code }) => code !== 'signal' && code !== 'timeout');
  return { ...outcome, warnings: [{ code: 'guard_killed', message }, ...others] };
}

export function wasKilled({ warnings }: HookOutcome): boolean {
  return warnings[0]?.code === 'guard_killed';
}

/** Returns the signal that ended the hook. A shell reports it as an exit code above 128. */
function signalOf({ signal, exitCode }: HookOutcome): string | undefined {
  if (signal !== undefined) return signal;
  return exitCode !== undefined && exitCode > 128 && exitCode <= 192 ? `the signal ${exitCode - 128}` : undefined;
}
