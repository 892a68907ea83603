import { styleText } from 'node:util';
import type { AggregatedHookResult, HookOutcome } from 'tenterhook';
import type { FinishedCall } from './agent-loop.js';
import { describeCall } from './narrator.js';

const fates = {
  allowed: { mark: '✓', format: 'green' },
  changed: { mark: '~', format: 'yellow' },
  blocked: { mark: '✗', format: 'red' },
  stopped: { mark: '■', format: 'red' },
} as const;

/** A line a call: what became of it, how long its hooks took, and who is to thank. */
export function renderSummary(calls: readonly FinishedCall[]): string {
  const rows = calls.map(({ call, fate, before, after }) => {
    const { mark, format } = fates[fate];
    const hookMs = before.totalDuration + (after?.totalDuration ?? 0);
    const fateColumn = styleText(format, `${mark} ${fate}`);
    const row = `  ${fateColumn}  ${fit(describeCall(call), 52)}  ${seconds(hookMs).padStart(6)}`;
    const explanation = explain(fate, before, after);
    return explanation === '' ? row : `${row}\n             ${explanation}`;
  });
  return [styleText('bold', 'Summary'), ...rows, '', `  ${countFates(calls)}`, `  ${describeTrouble(calls)}`, ''].join('\n');
}

function explain(fate: FinishedCall['fate'], before: AggregatedHookResult, after: AggregatedHookResult | undefined): string {
  switch (fate) {
    case 'allowed':
      return '';
    case 'changed':
      return before.changes.map(({ hookId, path }) => `${nameOf(hookId, before.outcomes)} rewrote ${path}`).join(', ');
    case 'blocked': {
      const { by, kind, reason } = before.verdict;
      const verb = kind === 'ask' ? 'asked and nobody was there' : 'denied';
      return `${by.map((id) => nameOf(id, before.outcomes)).join(', ')} ${verb}: ${reason}`;
    }
    case 'stopped':
      return `stopped: ${before.verdict.stopReason ?? after?.verdict.stopReason ?? 'no reason given'}`;
  }
}

function countFates(calls: readonly FinishedCall[]): string {
  const counts = Object.keys(fates)
    .map((fate) => `${calls.filter((call) => call.fate === fate).length} ${fate}`)
    .filter((count) => !count.startsWith('0 '));
  const hookMs = calls.reduce((sum, { before, after }) => sum + before.totalDuration + (after?.totalDuration ?? 0), 0);
  return `${calls.length} tool calls: ${counts.join(', ')}. Their hooks took ${seconds(hookMs)}.`;
}

/** Hooks that broke: everything went on without them, and nobody has to wonder why they were not heard. */
function describeTrouble(calls: readonly FinishedCall[]): string {
  const outcomes = calls.flatMap(({ before, after }) => [...before.outcomes, ...(after?.outcomes ?? [])]);
  const broken = outcomes.filter(({ status }) => status === 'failed' || status === 'timed-out');
  if (broken.length === 0) return 'No hook failed.';
  const each = broken.map((outcome) => `${nameOf(outcome.hookId, outcomes)} ${outcome.status === 'failed' ? 'failed' : 'timed out'}`);
  return `${each.join(', ')}: the agent went on without them.`;
}

function nameOf(hookId: string, outcomes: readonly HookOutcome[]): string {
  return outcomes.find((outcome) => outcome.hookId === hookId)?.name ?? hookId;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function fit(text: string, columns: number): string {
  return text.length > columns ? `${text.slice(0, columns - 1)}…` : text.padEnd(columns);
}
