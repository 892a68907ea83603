import type { Exit, HookCode, HookDefinition, HookExecutor, Invocation } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** What a callback is asked. A copy: what it changes changes nothing here. */
export interface HostRequest {
  /** `prompt`, `agent`, `mcp_tool`, or what else a format calls it. */
  readonly type: string;
  /** What the settings say of the hook, as its format has it: of a `prompt` the text and the model. */
  readonly data: Readonly<Record<string, unknown>>;
  /** What a command would be given on stdin. */
  readonly input: unknown;
  readonly hook: Pick<HookDefinition, 'id' | 'dialect' | 'eventName' | 'file' | 'line'>;
}

/**
 * Runs one hook for the system. Its answer is read by the hook's format; to throw means that the hook has failed. The signal aborts when
 * nobody waits any longer: at the deadline of the hook, with its event and with the system. What it does after that is dropped; a callback that
 * never gives the event loop back can be interrupted by nobody.
 */
export type HostCallback = (request: HostRequest, options: { readonly signal: AbortSignal }) => unknown;

/** A TypeError that names the callback: one that is none would be a guard that fails at every event. */
export function requireCallbacks(callbacks: unknown = {}): Readonly<Record<string, HostCallback>> {
  if (!isPlainObject(callbacks)) throw new TypeError(`"callbacks" must be { [type]: function }, and is ${String(callbacks)}.`);
  for (const [type, callback] of Object.entries(callbacks)) {
    if (typeof callback === 'function') continue;
    const remedy = callback === undefined ? 'missing; leave the type out where the host has nothing for it' : String(callback);
    throw new TypeError(`"callbacks.${type}" must be a function, and is ${remedy}.`);
  }
  return callbacks as Readonly<Record<string, HostCallback>>;
}

/**
 * Runs hooks by callbacks of the host. They do not wait for one another: a callback that lets an agent work may cause events whose hooks are
 * callbacks too, and with a bound on how many run they could wait for each other for ever.
 */
export function createHostExecutor(callbacks: Readonly<Record<string, HostCallback>>): HookExecutor {
  // A copy without inherited names: no type must find a method of an object.
  const known = new Map(Object.entries(callbacks));
  const running = new Set<() => void>();
  return {
    kind: 'host',
    async run(invocation, hook, _event, { signal, onStart }) {
      if (invocation.kind !== 'host') throw new TypeError(`a host executor was given "${invocation.kind}"`);
      const callback = known.get(invocation.type);
      if (callback === undefined) return noCallback(invocation.type);
      const request = requestOf(invocation, hook);
      if (request === undefined)
        return failed('invalid_input', `what its callback "${invocation.type}" is to be given cannot be copied`, 0);
      onStart();
      return call(callback, request, hook.timeoutMs, signal, running);
    },
    async dispose() {
      for (const stop of [...running]) stop();
    },
  };
}

/** Never rejects, and settles in time whatever the callback does. */
function call(
  callback: HostCallback,
  request: HostRequest,
  timeoutMs: number,
  signal: AbortSignal,
  running: Set<() => void>,
): Promise<Exit> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const control = new AbortController();
    const settle = (end: (durationMs: number) => Exit) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      running.delete(stop);
      resolve(end(performance.now() - startedAt));
    };
    const giveUp = (kind: 'cancelled' | 'timed-out') => {
      settle((durationMs) => ({ kind, durationMs }));
      control.abort(kind);
    };
    const stop = () => giveUp('cancelled');
    const timer = setTimeout(() => giveUp('timed-out'), timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    running.add(stop);
    const asked = async () => callback(request, { signal: control.signal });
    asked().then(
      (answer) => settle((durationMs) => ({ kind: 'answered', answer, durationMs })),
      (error) =>
        settle((durationMs) => failed('hook_failed', `the callback "${request.type}" of the host threw: ${thrown(error)}`, durationMs)),
    );
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
  const remedy = `the host passes callbacks: { ${/^\w+$/.test(type) ? type : JSON.stringify(type)} }`;
  return failed('no_executor', `hooks of the type "${type}" are run by the host alone, and it has no callback for them; ${remedy}`, 0);
}

function failed(code: HookCode, message: string, durationMs: number): Exit {
  return { kind: 'unrunnable', code, message, durationMs };
}

/** It may be anything, and of any length. */
function thrown(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : 'something that is no Error';
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
