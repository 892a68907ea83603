import { describeHook, type Exit, type HookDefinition, type HookWarning, type Invocation, type StartRoute } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import type { ProcessJob, ResidentExit, ResidentJob, ResidentNote } from '@tenterhook/spawner';
import { watchNamedCode } from './named-code.js';

const log = createLog('resident');

type Command = Extract<Invocation, { kind: 'command' }>;
type ResidentHook = Pick<HookDefinition, 'id' | 'action' | 'async' | 'trust'>;

/** Whether one process answers many events of the hook. */
export function isResident({ action }: Pick<HookDefinition, 'action'>): boolean {
  return action.kind === 'command' && action.mode === 'resident';
}

/** Returns how a resident hook is run. */
export function residentRoute({ async }: ResidentHook): StartRoute {
  // The next events would wait for the end of a hook for which its own event does not wait.
  return async ? { kind: 'cold', reason: 'its event does not wait for it (async)' } : { kind: 'resident' };
}

/** Identifies what the process of a hook is started for. A hook that is not resident, or must not run, has no version. */
export function residentVersion({ action, trust }: ResidentHook): string {
  return JSON.stringify([action, trust?.pin]);
}

/** Adds to a job what a resident process needs. `isTouched` is that of the run. */
export function residentJob(job: ProcessJob, command: Command, hook: ResidentHook, isTouched?: () => boolean): ResidentJob {
  let hasCodeChanged = (): boolean => true;
  return {
    ...job,
    key: hook.id,
    version: residentVersion(hook),
    beforeStart: () => {
      // Files are noted before the start: a change right after it must not be missed.
      hasCodeChanged = watchNamedCode(command);
    },
    isTouched: () => hasCodeChanged() || isTouched?.() === true,
    onStderr: (text) => log('%s: %s', hook.id, text),
  };
}

/** Converts the notes about a resident process to warnings of the outcome. */
export function withWarnings<Ended extends ResidentExit>(
  exit: Ended,
  hook: HookDefinition,
): Ended & { readonly warnings?: readonly HookWarning[] } {
  if (!('notes' in exit) || exit.notes === undefined || exit.notes.length === 0) return exit;
  return { ...exit, warnings: exit.notes.map((note) => warningOf(note, hook)) };
}

function warningOf({ kind, message }: ResidentNote, hook: HookDefinition): HookWarning {
  const what = `The resident process of ${describeHook(hook)}`;
  return kind === 'restarted'
    ? { code: 'resident_restarted', message: `${what} ${message} between two events. Another one was started for this event.` }
    : { code: 'resident_output', message: `${what} ${message}. It was ignored. Print one answer for each event, and logs to stderr.` };
}

/** Converts the end of a process that gave no valid answer. The event fails as if the hook could not be run. */
export function failedExit({ kind: _, problem, notes: _notes, ...captured }: Extract<ResidentExit, { kind: 'unanswered' }>): Exit {
  return { kind: 'unrunnable', code: 'resident_failed', message: `its resident process ${problem}.`, ...captured };
}
