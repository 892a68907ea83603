import { styleText } from 'node:util';
import { type AggregatedHookResult, escapeForTerminal } from 'tenterhook';
import { type FiredEvent, renderEventTable } from './event-table.js';
import type { Operation } from './operation.js';

/** Formats the result of every prompt, tool call and model call, the hooks that decided it, and what the hooks of each event did. */
export function renderSummary(operations: readonly Operation[], events: readonly FiredEvent[]): string {
  const of = (kind: Operation['kind']) => operations.filter((operation) => operation.kind === kind);
  return [
    section('Prompts', of('prompt').flatMap(renderOperation)),
    section('Tool calls', of('tool').flatMap(renderOperation)),
    section('Model calls', [`  ${countStatuses(of('model'))}`]),
    section('Events', renderEventTable(events)),
    `  ${describeTrouble(events)}`,
  ].join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return [styleText('bold', title), ...lines].join('\n');
}

function renderOperation(operation: Operation): string[] {
  const rewritten = (operation.before?.changes ?? []).map(({ path, hookId }) => `${nameOf(hookId, operation.before)} rewrote ${path}`);
  const { label, format } = outcomeOf(operation.status, rewritten.length > 0);
  const row = `  ${styleText(format, label.padEnd(11))}  ${escapeForTerminal(operation.subject, 76)}`;
  const explanation = operation.reason === undefined ? rewritten.join(', ') : `${deciders(operation)}${operation.reason}`;
  return explanation === '' ? [row] : [row, `               ${escapeForTerminal(explanation, 160)}`];
}

function outcomeOf(status: Operation['status'], isRewritten: boolean): { label: string; format: 'green' | 'yellow' | 'red' } {
  switch (status) {
    case 'executed':
    case 'completed':
    case 'responded':
      return isRewritten ? { label: '~ changed', format: 'yellow' } : { label: `✓ ${status}`, format: 'green' };
    case 'synthetic':
      return { label: `~ ${status}`, format: 'yellow' };
    case 'stopped':
      return { label: `■ ${status}`, format: 'red' };
    default:
      return { label: `✗ ${status}`, format: 'red' };
  }
}

/** Returns the names of the hooks that decided, e.g. `stay-inside denied: `. Empty if no hook decided. */
function deciders({ before }: Operation): string {
  if (before === undefined || before.verdict.by.length === 0) return '';
  const names = before.verdict.by.map((hookId) => nameOf(hookId, before)).join(', ');
  return `${names} ${before.verdict.kind === 'ask' ? 'asked' : 'denied'}: `;
}

function countStatuses(operations: readonly Operation[]): string {
  const statuses = [...new Set(operations.map(({ status }) => status))];
  const counts = statuses.map((status) => `${operations.filter((operation) => operation.status === status).length} ${status}`);
  return `${operations.length}: ${counts.join(', ')}`;
}

/** Names the hooks that failed, because the run continued without them. */
function describeTrouble(events: readonly FiredEvent[]): string {
  const outcomes = events.flatMap(({ result }) => result.outcomes);
  const broken = outcomes.filter(({ status }) => status === 'failed' || status === 'timed-out');
  if (broken.length === 0) return 'No hook failed.';
  const each = broken.map(({ hookId, name, status }) => `${name ?? hookId} ${status === 'failed' ? 'failed' : 'timed out'}`);
  return `${[...new Set(each)].join(', ')}: the agent went on without them.`;
}

function nameOf(hookId: string, result: AggregatedHookResult | undefined): string {
  return result?.outcomes.find((outcome) => outcome.hookId === hookId)?.name ?? hookId;
}
