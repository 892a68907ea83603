import type { Exit, HookCode, HookDefinition, HookExecutor, Invocation } from '@tenterhook/protocol';
import { LinkedSignal } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { runUntilDeadline } from './run-until-deadline.js';

/** The request to a callback. The request is a copy, so changes by the callback have no effect. */
export interface HostRequest {
  /** `prompt`, `agent`, `mcp_tool`, or another type of a format. */
  readonly type: string;
  /** The settings of the hook in its format, e.g. the text and the model of a `prompt`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The input that a command would read on stdin. */
  readonly input: unknown;
  readonly hook: Pick<HookDefinition, 'id' | 'dialect' | 'eventName' | 'file' | 'line'>;
}

/**
 * Runs one hook for the engine. The dialect of the hook interprets the returned value as the hook's answer. A thrown error is a failure of
 * the hook. The signal aborts at the deadline of the hook, when its event is cancelled, and when the system is disposed. An answer after
 * the abort is dropped. A callback that blocks the event loop cannot be interrupted.
 */
export type HostCallback = (request: HostRequest, options: { readonly signal: AbortSignal }) => unknown;

/**
 * Checks the callbacks. Throws a TypeError that names an invalid one. Without this check, the hooks of this callback would fail at every
 * event.
 */
export function requireCallbacks(callbacks: unknown = {}): Readonly<Record<string, HostCallback>> {
  if (!isPlainObject(callbacks)) throw new TypeError(`"callbacks" must be { [type]: function }, and is ${String(callbacks)}.`);
  for (const [type, callback] of Object.entries(callbacks)) {
    if (typeof callback === 'function') continue;
    const remedy = callback === undefined ? 'missing; leave the type out if the host has no callback for it' : String(callback);
    throw new TypeError(`"callbacks.${type}" must be a function, and is ${remedy}.`);
  }
  return callbacks as Readonly<Record<string, HostCallback>>;
}

/**
 * Runs hooks by callbacks of the host. Any number of callbacks may run at the same time. A limit was rejected: a callback may run an agent
 * whose events need further callbacks, and these could wait forever for the first one to end.
 */
export function createHostExecutor(callbacks: Readonly<Record<string, HostCallback>>): HookExecutor {
  // A Map is used because it has no inherited names. So a hook of the type `toString` finds no callback.
  const known = new Map(Object.entries(callbacks));
  const running = new Set<LinkedSignal>();
  return {
    kind: 'host',
    async run(invocation, hook, _event, { signal, onStart }) {
      if (invocation.kind !== 'host') throw new TypeError(`a host executor was given "${invocation.kind}"`);
      const callback = known.get(invocation.type);
      if (callback === undefined) return noCallback(invocation.type);
      const request = requestOf(invocation, hook);
      if (request === undefined) return failed('invalid_input', `the arguments of its callback "${invocation.type}" cannot be copied`, 0);
      onStart();
      const linked = new LinkedSignal(signal);
      running.add(linked);
      return call(callback, request, hook.timeoutMs, linked.signal).finally(() => {
        linked.release();
        running.delete(linked);
      });
    },
    async dispose() {
      for (const linked of [...running]) linked.abort('disposed');
    },
  };
}

/** Calls a callback. Settles in time, whatever the callback does. Never rejects. */
function call(callback: HostCallback, request: HostRequest, timeoutMs: number, signal: AbortSignal): Promise<Exit> {
  return runUntilDeadline(timeoutMs, signal, ({ settle, elapsedMs }) => {
    const control = new AbortController();
    const asked = async () => callback(request, { signal: control.signal });
    asked().then(
      (answer) => settle({ kind: 'answered', answer, durationMs: elapsedMs() }),
      (error) => settle(failed('hook_failed', `the callback "${request.type}" of the host threw an error: ${thrown(error)}`, elapsedMs())),
    );
    return ({ kind }) => {
      if (kind === 'cancelled' || kind === 'timed-out') control.abort(kind);
    };
  });
}

function requestOf(invocation: Extract<Invocation, { kind: 'host' }>, hook: HookDefinition): HostRequest | undefined {
  const { id, dialect, eventName, file, line } = hook;
  const place = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
  const { type, data, input } = invocation;
  try {
    return { type, ...structuredClone({ data, input }), hook: { id, dialect, eventName, ...place } };
  } catch {
    return undefined;
  }
}

function noCallback(type: string): Exit {
  const remedy = `The host must pass callbacks: { ${/^\w+$/.test(type) ? type : JSON.stringify(type)} }`;
  return failed(
    'no_executor',
    `hooks of the type "${type}" are run by a callback of the host. The host has no callback for this type. ${remedy}`,
    0,
  );
}

function failed(code: HookCode, message: string, durationMs: number): Exit {
  return { kind: 'unrunnable', code, message, durationMs };
}

/** Returns the text of a thrown value, which may be anything of any length. */
function thrown(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : 'a value that is not an Error';
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
