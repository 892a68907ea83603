import { describeHook, eventEntry, type HookDefinition, type HookOutcome, hookLevels, levelOf } from '@tenterhook/protocol';

/**
 * The lowest level whose hooks have run. A hook can end the processes of another hook, at once or through a process that it leaves behind, and
 * nothing of that can be seen. So every guard that ends by a signal after hooks of a lower level have run counts as one that may have been killed.
 */
export class RanRanks {
  #lowest = Number.POSITIVE_INFINITY;

  /** Called when a hook starts. Only a command can send signals. */
  note(hook: HookDefinition): void {
    if (hook.action.kind === 'command') this.#lowest = Math.min(this.#lowest, rankOf(hook));
  }

  /** Whether a hook of a lower level may have ended this run, on an event whose hooks guard something. */
  mayHaveKilled(hook: HookDefinition, outcome: HookOutcome): boolean {
    if (outcome.status !== 'failed' || signalOf(outcome) === undefined || this.#lowest >= rankOf(hook)) return false;
    const { may, rewrites } = eventEntry(hook.eventName);
    return may.block === true || rewrites.length > 0;
  }
}

/** The outcome of such a run. It denies, unless the hook is asked again and answers. */
export function killed(outcome: HookOutcome, hook: HookDefinition): HookOutcome {
  const message = `${describeHook(hook)} was ended by ${signalOf(outcome)}, and hooks of a lower level have run, one of which may have done that.`;
  // Without the warning that says that the end by a signal is ignored.
  const others = outcome.warnings.filter(({ code }) => code !== 'signal');
  return { ...outcome, warnings: [{ code: 'guard_killed', message }, ...others] };
}

export function wasKilled({ warnings }: HookOutcome): boolean {
  return warnings[0]?.code === 'guard_killed';
}

/** A shell reports that a signal ended its command by an exit code from 129 on. */
function signalOf({ signal, exitCode }: HookOutcome): string | undefined {
  if (signal !== undefined) return signal;
  return exitCode !== undefined && exitCode > 128 && exitCode < 160 ? `the signal ${exitCode - 128}` : undefined;
}

function rankOf(hook: HookDefinition): number {
  return hookLevels.indexOf(levelOf(hook));
}
