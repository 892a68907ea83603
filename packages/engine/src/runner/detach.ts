import {
  type Detachment,
  type Dialect,
  describeHook,
  type Exit,
  type HookDefinition,
  type HookEvent,
  type HookExecutor,
  type HookWarning,
  type Invocation,
} from '@tenterhook/protocol';
import { type Abortable, LinkedSignal } from '@tenterhook/runtime/async';
import { omitUndefined } from '@tenterhook/runtime/json';
import { readAsyncLine } from './executors/command-executor.js';

/** How a run may continue after its event. */
export interface Detaching {
  /** Replaces the signal of the event after the run has detached itself. */
  readonly signal: Abortable;
  readonly onDetach: (detachment: Detachment) => void;
}

/**
 * Runs a hook that may detach itself, i.e. continue in the background. Until it detaches itself, the run is cancelled with its event.
 * Afterwards only `detaching.signal` cancels it.
 */
export function runDetachable(
  executor: HookExecutor,
  invocation: Invocation,
  hook: HookDefinition,
  event: HookEvent,
  { signal, onStart, mayStart, isTouched }: Omit<Parameters<HookExecutor['run']>[3], 'onDetach'>,
  detaching: Detaching,
): Promise<Exit> {
  const linked = new LinkedSignal(signal);
  const onDetach = (detachment: Detachment) => {
    // If the line is read after the abort, it has no effect.
    if (linked.aborted) return;
    linked.follow(detaching.signal);
    detaching.onDetach(detachment);
  };
  const options = { signal: linked.signal, onStart, ...omitUndefined({ mayStart, isTouched }), onDetach };
  return executor.run(invocation, hook, event, options).finally(() => linked.release());
}

/**
 * Whether a printed line can detach the hook. The settings of the hook must allow it, because a hook may print such a line by chance, as a
 * part of another text. A hook with `onError: 'block'` cannot detach itself, so that its event always waits for it. Both rules apply in all
 * dialects.
 */
export function mayDetach({ mayDetach: isAllowed, onError }: HookDefinition): boolean {
  return isAllowed === true && onError !== 'block';
}

/** Whether the first line of a command, or the answer of a server, asks the event not to wait. */
export function asksToDetach(exit: Exit): boolean {
  if (exit.kind === 'response') return readAsyncLine(exit.body) !== undefined;
  if (!('stdout' in exit) || exit.stdout === undefined) return false;
  const end = exit.stdout.indexOf('\n');
  return readAsyncLine(end < 0 ? exit.stdout : exit.stdout.slice(0, end)) !== undefined;
}

export function detachIgnored(hook: HookDefinition, { detachField }: Dialect, { kind }: Exit): HookWarning {
  const isGuard = hook.onError === 'block';
  const isAnswer = kind === 'response';
  const why = isGuard ? 'its failures deny' : isAnswer ? 'only a command can do that' : 'its settings do not allow that';
  const remedy = isGuard || isAnswer || detachField === undefined ? '' : `, or write "${detachField}": true in its settings`;
  const message = `${describeHook(hook)} asked to run in the background ("async": true). The event waited for the hook, because ${why}. Remove that ${isAnswer ? 'field' : 'line'}${remedy}.`;
  return { code: 'async_ignored', message };
}
