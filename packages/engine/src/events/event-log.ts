import type { AggregatedHookResult, HookDefinition, HookEvent, HookOutcome, Plan } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import type { CircuitState } from '../runner/circuit/circuit.js';
import { lateSkips, type ProgressListener } from './progress.js';

// Each step has its own namespace, so that `DEBUG=tenterhook:planner` shows only which hooks were selected.
const planner = createLog('planner');
const runner = createLog('runner');
const aggregator = createLog('aggregator');

const circuitMeanings: Readonly<Record<CircuitState, string>> = {
  open: 'the hook failed too often and is skipped for a while',
  'half-open': 'the pause is over, and this run is a trial',
  closed: 'the trial run succeeded, and the hook runs as before',
};

let events = 0;

/** Whether the log writes anything now. The log can be switched on while the program runs. */
export function isLogging(): boolean {
  return planner.enabled || runner.enabled || aggregator.enabled;
}

/**
 * Returns the listener that writes the steps of one event to the log, one per line. The log masks secrets, shortens long values and escapes
 * special characters. It writes only with `DEBUG=tenterhook:*`, because event data must not reach stderr unasked (field failure 84).
 */
export function logProgress(event: HookEvent): ProgressListener {
  events += 1;
  // Several events may run at the same time. The number shows which lines belong to the same event.
  const title = `${event.eventName}#${events}`;
  return (progress) => {
    switch (progress.kind) {
      case 'planned':
        logPlan(title, progress.plan);
        return runner('%s input %O', title, event.input);
      case 'recheck-planned':
        return planner(
          '%s the input was rewritten, so it is shown to %O',
          title,
          progress.plan.order.map(({ id }) => id),
        );
      case 'started':
        return logStart(progress.recheck ? `${title} recheck` : title, progress.hook);
      case 'finished':
        return logOutcome(`${title} ${progress.hook.id}`, progress.outcome, progress.late === true);
      case 'circuit-changed':
        return runner('%s %s circuit %s: %s', title, progress.hook.id, progress.state, circuitMeanings[progress.state]);
      case 'aggregated':
        if (planner.enabled) {
          for (const { hookId, skipReason = '' } of lateSkips(progress.plan, progress.result.outcomes)) {
            planner('%s did not run: %s, %s', title, hookId, skipReason);
          }
        }
        return logResult(title, progress.result);
    }
  };
}

function logPlan(title: string, { stages, skipped, order }: Plan): void {
  if (!planner.enabled) return;
  const selected = stages.reduce((count, stage) => count + stage.hooks.length, 0);
  planner('%s %d of %d hooks selected, in %d stage%s', title, selected, order.length, stages.length, stages.length === 1 ? '' : 's');
  for (const [index, stage] of stages.entries()) {
    for (const { id, matcher } of stage.hooks) {
      if (matcher === undefined) planner('%s stage %d: %s, no matcher', title, index + 1, id);
      else planner('%s stage %d: %s, matcher %O', title, index + 1, id, matcher);
    }
  }
  for (const { hook, skipReason, reason } of skipped) planner('%s not selected: %s, %s: %s', title, hook.id, skipReason, reason);
}

function logStart(title: string, { id, timeoutMs, action }: HookDefinition): void {
  if (action.kind === 'command' && action.command !== '') runner('%s %s started, timeout %d ms: %O', title, id, timeoutMs, action.command);
  else runner('%s %s started, timeout %d ms', title, id, timeoutMs);
}

function logOutcome(title: string, outcome: HookOutcome, isLate: boolean): void {
  if (!runner.enabled) return;
  const end = outcome.signal ?? (outcome.exitCode === undefined ? '' : `exit code ${outcome.exitCode}`);
  const facts = [outcome.status, end, isLate ? 'after its event' : ''].filter((fact) => fact !== '').join(', ');
  runner('%s ended: %s, in %d ms', title, facts, outcome.durationMs);
  for (const part of ['output', 'stdout', 'stderr'] as const) {
    const value = outcome[part];
    if (value !== undefined && value !== '') runner('%s %s %O', title, part, value);
  }
  for (const { code, message } of outcome.warnings) runner('%s %s: %s', title, code, message);
}

function logResult(title: string, { verdict, changes, finalOutput, outcomes, totalDuration }: AggregatedHookResult): void {
  if (!aggregator.enabled) return;
  const by = (ids: readonly string[]) => (ids.length === 0 ? '' : ` by ${ids.join(', ')}`);
  const stop = verdict.stop ? ` and stop${by(verdict.stoppedBy)}` : '';
  aggregator('%s verdict %s, of %d hooks in %d ms', title, `${verdict.kind}${by(verdict.by)}${stop}`, outcomes.length, totalDuration);
  if (verdict.reason !== undefined) aggregator('%s reason %O', title, verdict.reason);
  for (const { path, hookId } of changes) aggregator('%s changed %s by %s', title, path, hookId);
  // A plain copy, because otherwise the log would show the name of the output's class.
  if (finalOutput !== undefined) aggregator('%s final output %O', title, { ...finalOutput });
}
