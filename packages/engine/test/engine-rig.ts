import {
  type Decoded,
  type Dialect,
  type Exit,
  type HookDefinition,
  type HookEvent,
  HookEventName,
  type HookExecutor,
  type HookOutcome,
  type HookOutput,
  type HookSource,
  type Invocation,
} from '@tenterhook/protocol';
import { matcherSubject } from '@tenterhook/protocol/internal';
import type { Progress, ProgressListener } from '../src/events/progress.js';
import { containDialect } from '../src/registry/contain-dialect.js';

/** A listener with a function for each kind of step that matters. */
export function listenTo(
  listeners: {
    readonly [Kind in Progress['kind']]?: (progress: Extract<Progress, { kind: Kind }>) => unknown;
  },
): ProgressListener {
  return (progress) => void listeners[progress.kind]?.(progress as never);
}

export function eventOf(eventName: HookEventName, fields: Record<string, unknown> = {}): HookEvent {
  const base = {
    session_id: 's1',
    transcript_path: '',
    cwd: '/srv/app',
    hook_event_name: eventName,
    timestamp: '2026-11-21T10:00:00.000Z',
  };
  return { eventName, input: { ...base, ...fields }, projectDir: '/srv/app' };
}

export const toolEvent = eventOf('BeforeTool', { tool_name: 'write_file', tool_input: { path: 'a.txt' } });

/** A hook of the dialect below, which runs for the tools whose name holds `matcher`. */
export function hookOf(id: string, fields: Partial<HookDefinition> & { readonly sequential?: boolean } = {}): HookDefinition {
  const { sequential = false, ...definition } = fields;
  return {
    id,
    dialect: 'fake',
    source: 'user',
    eventName: 'BeforeTool',
    dialectEvent: 'BeforeTool',
    timeoutMs: 60_000,
    onError: 'continue',
    action: { kind: 'call', handlerId: id },
    dialectData: { sequential },
    ...definition,
  };
}

export function outcomeOf(hookId: string, output?: HookOutput, fields: Partial<HookOutcome> = {}): HookOutcome {
  const isDeny = output?.decision === 'deny' || output?.decision === 'block';
  return {
    hookId,
    eventName: 'BeforeTool',
    source: 'user',
    dialect: 'fake',
    status: isDeny ? 'blocked' : 'succeeded',
    durationMs: 1,
    ...(output === undefined ? {} : { output }),
    warnings: [],
    ...fields,
  };
}

/** The smallest dialect: a hook is a call, and its answer is its output. Contained, like those of a system. */
export function fakeDialect(changes: Partial<Dialect> = {}): Dialect {
  return containDialect({
    name: 'fake',
    events: HookEventName,
    locations: () => [],
    claims: () => undefined,
    parse: () => ({ source: 'user', hooks: [], diagnostics: [] }),
    layOut: (hooks) => {
      if (hooks.length === 0) return [];
      const isSequential = hooks.some((hook) => (hook.dialectData as { sequential: boolean }).sequential);
      return isSequential ? hooks.map((hook) => ({ hooks: [hook] })) : [{ hooks }];
    },
    select: (hook, event) => {
      const subject = matcherSubject(event.eventName, event.input) ?? '';
      if (hook.matcher === undefined || subject.includes(hook.matcher)) return { run: true, reason: 'it matches' };
      return { run: false, skipReason: 'matcher', reason: 'it does not match' };
    },
    invocation: (event, hook): Invocation => ({ kind: 'call', handlerId: hook.id, argument: event.input }),
    decode: (exit): Decoded => {
      if (exit.kind !== 'answered') throw new Error(`cannot read ${exit.kind}`);
      return exit.answer === undefined ? { warnings: [] } : { output: exit.answer as HookOutput, warnings: [] };
    },
    ...changes,
  });
}

/** A hook that runs until the test lets it end, or the event is cancelled. */
export interface Run {
  readonly hookId: string;
  readonly input: HookEvent['input'];
  answer(output?: HookOutput): void;
  end(exit: Exit): void;
}

/** Runs calls as the test says. `next()` waits for the next hook that starts, in the order in which they start. */
export class FakeExecutor implements HookExecutor {
  readonly kind = 'call';
  readonly started: string[] = [];
  isDisposed = false;
  readonly #runs: Run[] = [];
  readonly #waiting: ((run: Run) => void)[] = [];

  run(
    _invocation: Invocation,
    hook: HookDefinition,
    event: HookEvent,
    { signal, onStart }: { signal: AbortSignal; onStart: () => void },
  ): Promise<Exit> {
    onStart();
    this.started.push(hook.id);
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'cancelled', durationMs: 1 }), { once: true });
      const run: Run = {
        hookId: hook.id,
        input: event.input,
        answer: (output) => resolve({ kind: 'answered', answer: output, durationMs: 1 }),
        end: resolve,
      };
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#runs.push(run);
      else waiting(run);
    });
  }

  next(): Promise<Run> {
    const run = this.#runs.shift();
    return run === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(run);
  }

  async dispose(): Promise<void> {
    this.isDisposed = true;
  }
}

/** Executes calls at once, with the answers that stand here by hook id. */
export function answering(answers: Readonly<Record<string, HookOutput>>): HookExecutor {
  return {
    kind: 'call',
    run: async (_invocation, hook, _event, { onStart }) => {
      onStart();
      return { kind: 'answered', answer: answers[hook.id], durationMs: 1 };
    },
  };
}

/** A source whose hooks can be swapped. */
export interface SwappableSource extends HookSource {
  swap(hooks: readonly HookDefinition[]): void;
  readonly observers: number;
}

export function sourceOf(hooks: readonly HookDefinition[], more: Partial<HookSource> = {}): SwappableSource {
  let current = hooks;
  const observers = new Set<() => void>();
  return {
    ...more,
    hooksFor: (eventName) => current.filter((hook) => hook.eventName === eventName),
    changes$: {
      subscribe: (observer) => {
        observers.add(observer);
        return { unsubscribe: () => observers.delete(observer) };
      },
    },
    swap: (next) => {
      current = next;
      for (const observer of [...observers]) observer();
    },
    get observers() {
      return observers.size;
    },
  };
}
