import { type HookDecision, type VerdictKind, verdictOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { textOfField } from '@tenterhook/runtime/text';
import type { RecordedExchange } from '../format/recording.js';

type Fields = Readonly<Record<string, unknown>>;

/** What one hook did in one event. */
export interface HookRun {
  readonly hookId: string;
  readonly name: string | undefined;
  /** Undefined if the hook did not run, and in the minimal form. */
  readonly durationMs: number | undefined;
  /** The time that the agent waited for this hook: its duration, if it was the slowest of its stage. */
  readonly waitedMs: number;
  readonly isRun: boolean;
  readonly decision: VerdictKind;
  readonly stops: boolean;
  readonly rewrites: boolean;
  /** Why it failed. Undefined if it did not fail. */
  readonly failure: string | undefined;
  readonly isTimeout: boolean;
  readonly skipReason: string | undefined;
  /** The engine in another process that has the handler, with its version. */
  readonly engine: string | undefined;
}

/** What happened in one event. */
export interface EventFigures {
  readonly eventName: string;
  readonly session: string | undefined;
  readonly runs: readonly HookRun[];
  readonly circuits: readonly { readonly hookId: string; readonly state: string }[];
}

/** Reads the figures of an event. Undefined if it has no outcomes. */
export function readEvent({ eventName, request, response, progress, late }: RecordedExchange): EventFigures | undefined {
  const payload = fieldsOf(response?.payload);
  const result = isPlainObject(payload['output']) ? payload['output'] : fieldsOf(fieldsOf(payload['error'])['details']);
  if (eventName === undefined || !Array.isArray(result['outcomes'])) return undefined;
  const outcomes = result['outcomes'].filter(isPlainObject);
  const steps = [...progress, ...late].map((message) => fieldsOf(message.payload));
  const stages = stagesOf(steps.find(({ kind }) => kind === 'planned'));
  const ends = new Map(steps.filter((step) => step['late'] === true).map((step) => [step['hookId'], fieldsOf(step['outcome'])]));
  const runs = outcomes.map((outcome) => readRun(outcome, result, ends.get(outcome['hookId'])));
  const slowest = new Map<string, number>();
  // Hooks of a stage run side by side, and only the slowest of them is waited for. Those that run again do so after all stages.
  const stageOf = (index: number) => {
    const { hookId, recheck } = outcomes[index] as Fields;
    return recheck === true ? 'recheck' : (stages.get(hookId) ?? `alone ${index}`);
  };
  for (const [index, { durationMs = 0, isRun }] of runs.entries()) {
    const stage = stageOf(index);
    const first = slowest.get(stage);
    if (!isRun || outcomes[index]?.['status'] === 'detached') continue;
    if (first === undefined || durationMs > (runs[first]?.durationMs ?? 0)) slowest.set(stage, index);
  }
  const waited = new Set(slowest.values());
  const input = fieldsOf(fieldsOf(request?.payload)['input']);
  const base = fieldsOf(steps.find(({ kind }) => kind === 'planned')?.['base']);
  return {
    eventName,
    session: textOf(base['session_id']) ?? textOf(input['session_id']),
    runs: runs.map((run, index) => ({ ...run, waitedMs: waited.has(index) ? (run.durationMs ?? 0) : 0 })),
    circuits: steps
      .filter(({ kind }) => kind === 'circuit-changed')
      .map(({ hookId, state }) => ({ hookId: textOfField(hookId), state: textOfField(state) })),
  };
}

function readRun(outcome: Fields, result: Fields, lateEnd: Fields | undefined): HookRun {
  const hookId = textOfField(outcome['hookId']);
  const { status, skipReason, name, failedClosed } = outcome;
  const output = fieldsOf(outcome['output']);
  const specific = fieldsOf(output['hookSpecificOutput']);
  const codes = Array.isArray(outcome['warnings']) ? outcome['warnings'].filter(isPlainObject).map(({ code }) => textOfField(code)) : [];
  const hasFailed = ['failed', 'timed-out', 'cancelled'].includes(textOfField(status));
  const isRun = status !== 'skipped' && !codes.includes('not_started');
  // Only a detached hook ends after its event.
  const duration = (status === 'detached' ? lateEnd?.['durationMs'] : undefined) ?? outcome['durationMs'];
  const isDeny = status === 'blocked' || failedClosed === true;
  return {
    hookId,
    name: textOf(name),
    durationMs: isRun && typeof duration === 'number' ? duration : undefined,
    waitedMs: 0,
    isRun,
    decision: isDeny ? 'deny' : verdictOf((output['decision'] ?? specific['permissionDecision']) as HookDecision),
    stops: output['continue'] === false,
    rewrites: listOf(result['changes']).some((change) => change['hookId'] === hookId) && outcome['recheck'] !== true,
    failure: hasFailed ? failureOf(hookId, result, codes, textOfField(status)) : undefined,
    isTimeout: status === 'timed-out',
    skipReason: status === 'skipped' ? (textOf(skipReason) ?? 'unknown') : undefined,
    engine: engineOf(fieldsOf(outcome['engine'])),
  };
}

function engineOf({ name, version }: Fields): string | undefined {
  return typeof name === 'string' ? [name, textOf(version)].filter(Boolean).join(' ') : undefined;
}

function failureOf(hookId: string, result: Fields, codes: readonly string[], status: string): string {
  const error = listOf(result['errors']).find((one) => one['hookId'] === hookId);
  return textOf(error?.['code']) ?? codes[0] ?? status;
}

function stagesOf(planned: Fields | undefined): Map<unknown, string> {
  const stages = Array.isArray(planned?.['stages']) ? planned['stages'] : [];
  return new Map(stages.flatMap((stage, index) => listOf(stage).map(({ hookId }) => [hookId, `stage ${index}`] as const)));
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}

function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
