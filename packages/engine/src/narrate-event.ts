import { createLog } from '@tenterhook/bus/internal';
import type { AggregatedHookResult, HookDefinition, HookEvent, HookOutcome, Plan } from '@tenterhook/protocol';
import { maskSecrets } from './mask-secrets.js';
import type { ReportProgress } from './progress.js';

// One namespace a stage, so that `DEBUG=tenterhook:planner` tells who was selected and nothing else.
const planner = createLog('planner');
const runner = createLog('runner');
const aggregator = createLog('aggregator');

/** The most characters of a payload in one line. */
const maxPayload = 2_000;

/** What `DEBUG=tenterhook:*` shows of one event, a line each. Payloads stand on stderr only where they were asked for (field failure 84). */
export interface EventNarrator {
  /** The same report, and what it says narrated. */
  readonly report: ReportProgress;
  result(result: AggregatedHookResult): void;
}

let events = 0;

/** Whether anything of an event would be shown now; `DEBUG` can be switched on while the program runs. */
export function isNarrating(): boolean {
  return planner.enabled || runner.enabled || aggregator.enabled;
}

export function narrateEvent(event: HookEvent, report: ReportProgress): EventNarrator {
  if (!isNarrating()) return { report, result: () => {} };
  events += 1;
  // Events run at the same time: the number says which lines belong together.
  const title = `${event.eventName}#${events}`;
  return {
    report: {
      planned(plan) {
        narratePlan(title, plan);
        runner('%s', `${title} input ${payload(event.input)}`);
        report.planned(plan);
      },
      started(hook) {
        runner('%s', `${title} ${text(hook.id)} started, timeout ${hook.timeoutMs} ms${commandOf(hook)}`);
        report.started(hook);
      },
      finished(hook, outcome, late) {
        narrateOutcome(`${title} ${text(hook.id)}`, outcome, late === true);
        report.finished(hook, outcome, late);
      },
      skippedOf(plan, outcomes) {
        narrateLateSkips(title, plan, outcomes);
        report.skippedOf(plan, outcomes);
      },
    },
    result: (result) => narrateResult(title, result),
  };
}

function narratePlan(title: string, { stages, skipped, order }: Plan): void {
  if (!planner.enabled) return;
  const selected = stages.reduce((count, stage) => count + stage.hooks.length, 0);
  planner('%s', `${title} ${selected} of ${order.length} hooks selected, in ${stages.length} stage${stages.length === 1 ? '' : 's'}`);
  for (const [index, stage] of stages.entries()) {
    for (const hook of stage.hooks) {
      const matcher = hook.matcher === undefined ? 'no matcher' : `matcher ${payload(hook.matcher)}`;
      planner('%s', `${title} stage ${index + 1}: ${text(hook.id)}, ${matcher}`);
    }
  }
  for (const { hook, skipReason, reason } of skipped)
    planner('%s', `${title} not selected: ${text(hook.id)}, ${skipReason}: ${text(reason)}`);
}

/** Hooks that were selected and had no turn. */
function narrateLateSkips(title: string, { stages }: Plan, outcomes: readonly HookOutcome[]): void {
  if (!planner.enabled) return;
  const planned = new Set(stages.flatMap((stage) => stage.hooks.map((hook) => hook.id)));
  for (const { hookId, status, skipReason = '' } of outcomes) {
    if (status === 'skipped' && planned.has(hookId)) planner('%s', `${title} had no turn: ${text(hookId)}, ${skipReason}`);
  }
}

function narrateOutcome(title: string, outcome: HookOutcome, isLate: boolean): void {
  if (!runner.enabled) return;
  const end = outcome.signal ?? (outcome.exitCode === undefined ? '' : `exit code ${outcome.exitCode}`);
  const facts = [outcome.status, text(end), isLate ? 'after its event' : ''].filter((fact) => fact !== '').join(', ');
  runner('%s', `${title} ended: ${facts}, in ${outcome.durationMs} ms`);
  for (const part of ['output', 'stdout', 'stderr'] as const) {
    const value = outcome[part];
    if (value !== undefined && value !== '') runner('%s', `${title} ${part} ${payload(value)}`);
  }
  for (const warning of outcome.warnings) runner('%s', `${title} ${text(warning.code)}: ${text(warning.message)}`);
}

function narrateResult(title: string, { verdict, changes, finalOutput, outcomes, totalDuration }: AggregatedHookResult): void {
  if (!aggregator.enabled) return;
  const by = (ids: readonly string[]) => (ids.length === 0 ? '' : ` by ${ids.map(text).join(', ')}`);
  const stop = verdict.stop ? ` and stop${by(verdict.stoppedBy)}` : '';
  aggregator('%s', `${title} verdict ${verdict.kind}${by(verdict.by)}${stop}, of ${outcomes.length} hooks in ${totalDuration} ms`);
  if (verdict.reason !== undefined) aggregator('%s', `${title} reason ${payload(verdict.reason)}`);
  for (const { path, hookId } of changes) aggregator('%s', `${title} changed ${text(path)} by ${text(hookId)}`);
  if (finalOutput !== undefined) aggregator('%s', `${title} final output ${payload({ ...finalOutput })}`);
}

function commandOf({ action }: HookDefinition): string {
  return action.kind === 'command' && action.command !== '' ? `: ${payload(action.command)}` : '';
}

/** A value as JSON on one line, secrets masked. */
function payload(value: unknown): string {
  return bounded(inOneLine(JSON.stringify(maskSecrets(value)) ?? 'undefined'));
}

/** A text of ours with something of the settings in it: as it reads, without quotes. */
function text(value: string): string {
  return bounded(inOneLine(String(maskSecrets(value))));
}

/** Whatever a terminal obeys or a reader cannot see, as JSON would write it; JSON itself leaves most of it as it is. */
function inOneLine(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''),
  );
}

function bounded(line: string): string {
  return line.length > maxPayload ? `${line.slice(0, maxPayload - 1)}…` : line;
}
