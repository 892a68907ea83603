import { describeHook, eventEntry, type HookDefinition, type HookOutcome } from '@tenterhook/protocol';

/** The rank of each level. The administrator's settings rank above the user's, and these above those of a repository. */
const ranks: Readonly<Record<string, number>> = { extension: 0, plugin: 0, project: 1, local: 2, user: 3, system: 4, managed: 4 };

/** Settings, handlers and other sources that the host passes rank like the user. */
const rankOfHost = 3;

/**
 * The lowest level whose hooks have run. A hook can kill the processes of another hook, itself or through a process that it leaves running,
 * and this leaves no trace. So if a signal ends a guard after hooks of a lower level have run, one of them may have killed it.
 */
export class RanRanks {
  #lowest = Number.POSITIVE_INFINITY;

  /** Called when a hook starts. Only commands count, because only a process can send signals. */
  note({ action, source }: HookDefinition): void {
    if (action.kind === 'command') this.#lowest = Math.min(this.#lowest, rankOf(source));
  }

  /** Whether a hook of a lower level may have ended this run, on an event whose hooks guard something. */
  mayHaveKilled({ source, eventName }: HookDefinition, outcome: HookOutcome): boolean {
    if (outcome.status !== 'failed' || signalOf(outcome) === undefined || this.#lowest >= rankOf(source)) return false;
    const { may, rewrites } = eventEntry(eventName);
    return may.block === true || rewrites.length > 0;
  }
}

/** The outcome of a run that may have been killed. It denies, unless the hook answers when it is run again. */
export function killed(outcome: HookOutcome, hook: HookDefinition): HookOutcome {
  const message = `${describeHook(hook)} was ended by ${signalOf(outcome)}. Hooks of a lower level had run before, and one of them may have sent the signal.`;
  // The warning that the end by a signal is ignored is left out.
  const others = outcome.warnings.filter(({ code }) => code !== 'signal');
  return { ...outcome, warnings: [{ code: 'guard_killed', message }, ...others] };
}

export function wasKilled({ warnings }: HookOutcome): boolean {
  return warnings[0]?.code === 'guard_killed';
}

/** The signal that ended the hook. A shell reports it as an exit code from 129 on. */
function signalOf({ signal, exitCode }: HookOutcome): string | undefined {
  if (signal !== undefined) return signal;
  return exitCode !== undefined && exitCode > 128 && exitCode < 160 ? `the signal ${exitCode - 128}` : undefined;
}

function rankOf(source: string): number {
  const [level = ''] = source.split(':');
  return Object.hasOwn(ranks, level) ? (ranks[level] as number) : rankOfHost;
}
