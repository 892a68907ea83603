import type { AggregatedHookResult, HookDefinition, HookEvent, HookExecutionProgress, HookOutcome, Plan } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { withoutCutSecret } from '@tenterhook/runtime/log';
import { wakesAgent } from '../outcome/outcome.js';
import type { CircuitState } from '../runner/circuit/circuit.js';
import { beginningOfInput } from './input-beginning.js';

/** A step of an event, for listeners. */
export type Progress =
  | { readonly kind: 'planned'; readonly plan: Plan }
  /** Hooks are asked again, because the input was rewritten. */
  | { readonly kind: 'recheck-planned'; readonly plan: Plan }
  | { readonly kind: 'started'; readonly hook: HookDefinition; readonly recheck?: true }
  /** What the hook is about to read. Reported only if the system has the option `tellsInput`. */
  | { readonly kind: 'input'; readonly hook: HookDefinition; readonly stdin: string; readonly cwd?: string; readonly recheck?: true }
  | { readonly kind: 'finished'; readonly hook: HookDefinition; readonly outcome: HookOutcome; readonly late?: boolean }
  /** The event changed the state of the hook's circuit. */
  | { readonly kind: 'circuit-changed'; readonly hook: HookDefinition; readonly state: CircuitState }
  | { readonly kind: 'aggregated'; readonly plan: Plan; readonly result: AggregatedHookResult };

/** Receives the steps of one event in order. Never throws, and the event does not wait for it. */
export type ProgressListener = (progress: Progress) => void;

/** A progress payload without the correlation ID, which only the bus knows. */
export type ProgressMessage = HookExecutionProgress extends infer Message
  ? Message extends unknown
    ? Omit<Message, 'correlationId'>
    : never
  : never;

type Writable<Value> = { -readonly [Field in keyof Value]: Value[Field] };
type Building<Kind extends ProgressMessage['kind']> = Writable<Extract<ProgressMessage, { kind: Kind }>>;
type PlannedHook = Extract<ProgressMessage, { kind: 'planned' }>['stages'][number][number];
type ProgressOutcome = Extract<ProgressMessage, { kind: 'hook-finished' }>['outcome'];

/** What the hook received and printed. The response has it, so progress usually does not. */
const printedFields = ['stdin', 'stdout', 'stderr', 'output'] as const;

/** The maximum number of characters of a hook's output in a message. */
const maxPrinted = 10_000;

/** Where the steps of one event are published. */
export interface ProgressTarget {
  readonly progress: (message: ProgressMessage) => void;
  /** Whether a message that is published now may have a receiver. If not, no message is built. @default true */
  readonly isFollowed?: boolean;
}

/** Returns the listener that publishes each step as messages. `elapsedMs` returns the milliseconds since the event began. */
export function sendProgress(
  { eventName, input }: Pick<HookEvent, 'eventName' | 'input'>,
  elapsedMs: () => number,
  target: ProgressTarget,
): ProgressListener {
  const send = (message: ProgressMessage) => target.progress(message);
  return (progress) => {
    if (target.isFollowed === false) return;
    switch (progress.kind) {
      case 'planned': {
        const { stages, skipped } = progress.plan;
        const described = stages.map((stage) => stage.hooks.map(describeHook));
        const { session_id, cwd, timestamp } = input;
        const base = { session_id, cwd, timestamp };
        return send({ kind: 'planned', eventName, elapsedMs: elapsedMs(), stages: described, skipped: skipped.length, base });
      }
      case 'started': {
        const { hook, recheck } = progress;
        const { id: hookId, name, timeoutMs } = hook;
        const message: Building<'hook-started'> = { kind: 'hook-started', eventName, elapsedMs: elapsedMs(), hookId, timeoutMs };
        if (name !== undefined) message.name = name;
        if (hook.hidden === true) message.hidden = true;
        if (recheck) message.recheck = recheck;
        return send(message);
      }
      case 'input': {
        const { hook, stdin, cwd, recheck } = progress;
        const message: Building<'hook-input'> = {
          kind: 'hook-input',
          eventName,
          elapsedMs: elapsedMs(),
          hookId: hook.id,
          ...beginningOfInput(stdin),
        };
        if (cwd !== undefined) message.cwd = cwd;
        if (recheck) message.recheck = recheck;
        return send(message);
      }
      case 'finished': {
        const { hook, outcome, late } = progress;
        const shown = late ? { ...withoutPrinted(outcome), ...printedBy(outcome) } : withoutPrinted(outcome);
        const message: Building<'hook-finished'> = {
          kind: 'hook-finished',
          eventName,
          elapsedMs: elapsedMs(),
          hookId: hook.id,
          outcome: shown,
        };
        if (hook.hidden === true) message.hidden = true;
        if (late) message.late = true;
        if (late && wakesAgent(hook, outcome)) message.rewake = true;
        return send(message);
      }
      case 'circuit-changed':
        return send({ kind: 'circuit-changed', eventName, elapsedMs: elapsedMs(), hookId: progress.hook.id, state: progress.state });
      case 'aggregated':
        for (const { hookId, skipReason = 'invalid' } of lateSkips(progress.plan, progress.result.outcomes)) {
          send({ kind: 'hook-skipped', eventName, elapsedMs: elapsedMs(), hookId, skipReason });
        }
    }
  };
}

/** Returns the outcomes of hooks that were planned and then skipped, because of a deny, a stop, a condition or an open circuit. */
export function lateSkips({ stages }: Plan, outcomes: readonly HookOutcome[]): readonly HookOutcome[] {
  // Usually no hook runs. If a thousand hooks do not match, the filter below would take time for nothing.
  if (stages.length === 0) return [];
  const skipped = outcomes.filter(({ status, recheck }) => status === 'skipped' && !recheck);
  if (skipped.length === 0) return [];
  const planned = new Set(stages.flatMap((stage) => stage.hooks.map((hook) => hook.id)));
  return skipped.filter(({ hookId }) => planned.has(hookId));
}

function describeHook({ id: hookId, name, dialect, source, hidden }: HookDefinition): PlannedHook {
  const described: Writable<PlannedHook> = { hookId, dialect, source };
  if (name !== undefined) described.name = name;
  if (hidden === true) described.hidden = true;
  return described;
}

function withoutPrinted(outcome: HookOutcome): ProgressOutcome {
  const warnings = outcome.warnings.map((warning) => ({ ...warning }));
  // A rest pattern takes 3 µs for a frozen object, `Object.assign` 0.1 µs. Outcomes of functions usually have nothing to leave out.
  if (!printedFields.some((field) => field in outcome)) return Object.assign({}, outcome, { warnings });
  const { stdin, stdout, stderr, output, ...others } = outcome;
  return { ...others, warnings };
}

/** If a hook ended after the response was sent, the response does not have its output, so the message about its end has it. */
function printedBy({ stdin, stdout, stderr, output }: HookOutcome): Partial<HookOutcome> {
  return omitUndefined({ output, stdin, stdout: shortened(stdout), stderr: shortened(stderr) });
}

function shortened(printed: string | undefined): string | undefined {
  return printed === undefined || printed.length <= maxPrinted ? printed : withoutCutSecret(printed.slice(0, maxPrinted));
}
