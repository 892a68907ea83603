import type { AggregatedHookResult } from 'tenterhook';
import { hasRun, hookDeeds } from './hook-deeds.js';

export interface FiredEvent {
  readonly eventName: string;
  readonly result: AggregatedHookResult;
}

/**
 * Formats one row for each event, in the order in which the events first occurred. A row shows how often the event was fired, how
 * many hooks ran, how long they took, and what they did.
 */
export function renderEventTable(events: readonly FiredEvent[]): string[] {
  const names = [...new Set(events.map(({ eventName }) => eventName))];
  return [row('event', 'fired', 'hooks', 'time', 'what they did'), ...names.map((name) => renderEvent(name, events))];
}

function renderEvent(name: string, events: readonly FiredEvent[]): string {
  const results = events.filter(({ eventName }) => eventName === name).map(({ result }) => result);
  const ran = results.flatMap(({ outcomes }) => outcomes.filter(hasRun)).length;
  const tookMs = results.reduce((sum, { totalDuration }) => sum + totalDuration, 0);
  return row(name, String(results.length), String(ran), `${(tookMs / 1000).toFixed(2)} s`, countDeeds(results.flatMap(hookDeeds)));
}

/** Returns counts such as `rewrote 7 ×, stopped`, the most frequent first. */
function countDeeds(deeds: readonly string[]): string {
  const counts = [...new Set(deeds)].map((deed) => ({ deed, count: deeds.filter((other) => other === deed).length }));
  const sorted = counts.sort((a, b) => b.count - a.count);
  return sorted.map(({ deed, count }) => (count === 1 ? deed : `${deed} ${count} ×`)).join(', ') || '–';
}

function row(event: string, fired: string, hooks: string, time: string, deeds: string): string {
  return `  ${event.padEnd(19)}  ${fired.padStart(5)}  ${hooks.padStart(5)}  ${time.padStart(7)}   ${deeds}`;
}
