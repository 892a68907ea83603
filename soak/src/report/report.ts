import { styleText } from 'node:util';
import type { Violation, Violations } from '../checks/violations.js';
import type { Phase } from '../load/run-phase.js';
import type { Figures } from './figures.js';

const shownViolations = 20;

/** Formats the figures as text. */
export function renderReport(figures: Figures, hasColours: boolean): string {
  const { heapBytes, violations } = figures;
  const paint = (style: 'red' | 'green', text: string) => (hasColours ? styleText(style, text, { validateStream: false }) : text);
  const rows: Record<string, string> = {
    ...figures.machine,
    seed: `${figures.seed}${figures.isInterrupted ? ' (interrupted)' : ''}`,
    time: `${(figures.elapsedMs / 60_000).toFixed(2)} minutes, ${figures.load} events in flight`,
    events: `${figures.events}`,
    requests: `${figures.requests}, responses ${figures.responses}`,
    'ended as': shown(figures.ends),
    hooks: `${figures.hooks} outcomes`,
    'of them': shown(figures.statuses),
    faults: `${figures.faults} runs of hostile hooks, of ${figures.kinds.filter((kind) => kind.isHostile).length} kinds`,
    reloads: `${figures.reloads}`,
    'slow subscribers': `${figures.subscribers.loops} loops, received ${figures.subscribers.received} messages, dropped ${figures.subscribers.dropped}`,
    cancels: `${figures.cancels}`,
    'latest timeout': `${figures.latestTimeoutMs} ms after its deadline`,
    'latest cancel': `${figures.latestCancelMs} ms after it was sent`,
    'loop blocked': `${figures.loopDelayMs.p99} ms (p99), ${figures.loopDelayMs.max} ms at most`,
    'circuit changes': `${figures.circuitChanges}`,
    'max RSS': `${(figures.maxRssBytes / 2 ** 20).toFixed(0)} MiB`,
    heap: `${mebibytes(heapBytes.before)} before, ${mebibytes(heapBytes.after)} after; ${mebibytes(heapBytes.tolerance)} more are tolerated`,
    descriptors: `${figures.descriptors.before} before, ${figures.descriptors.after} after`,
    processes: `${figures.processes.before} before, ${figures.processes.after} after`,
    daemons: `${figures.daemons} left by normal exits, ended by the soak`,
    violations: paint(figures.violationCount === 0 ? 'green' : 'red', `${figures.violationCount}`),
  };
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return [
    ...Object.entries(rows).map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    '',
    ...renderKinds(figures),
    ...renderViolations(violations, figures.violationCount),
  ].join('\n');
}

function renderKinds({ kinds }: Figures): string[] {
  const width = Math.max(0, ...kinds.map((kind) => kind.name.length));
  return [
    'Hooks by kind (* hostile)',
    ...kinds.map((kind) => `  ${kind.isHostile ? '*' : ' '} ${kind.name.padEnd(width)}  ${shown(kind.statuses)}`),
  ];
}

function renderViolations(violations: readonly Violation[], count: number): string[] {
  if (count === 0) return [];
  const first = violations.slice(0, shownViolations).map(({ what, event, hook }) => {
    const where = [event === undefined ? '' : `event ${event}`, hook === undefined ? '' : `hook ${hook}`].filter((part) => part !== '');
    return `  ${where.length === 0 ? '' : `${where.join(', ')}: `}${what}`;
  });
  return ['', `Violations${count > first.length ? `, the first ${first.length} of ${count}` : ''}`, ...first];
}

function shown(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return parts.length === 0 ? 'not run' : parts.join(', ');
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

const onTerminalMs = 200;
const elsewhereMs = 10_000;

/** Reports progress on stderr: on a terminal a line that is redrawn, otherwise a line every ten seconds. The returned function stops it. */
export function startProgress(phase: Phase, violations: Violations): () => void {
  const beganAt = performance.now();
  const isTerminal = process.stderr.isTTY === true;
  const draw = () => {
    const text = describe(phase, violations, performance.now() - beganAt);
    // One column stays free, because some terminals break the line when the last column is filled.
    process.stderr.write(isTerminal ? `\r${text.slice(0, (process.stderr.columns || 80) - 1)}\x1b[K` : `${text}\n`);
  };
  const timer = setInterval(draw, isTerminal ? onTerminalMs : elsewhereMs);
  return () => {
    clearInterval(timer);
    if (isTerminal) process.stderr.write('\r\x1b[K');
  };
}

function describe({ requestLog, settings }: Phase, violations: Violations, elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  const elapsed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
  const counts = `${requestLog.requests} requests, ${requestLog.statuses.total} outcomes, ${requestLog.inFlight} in flight, ${settings.reloads} reloads`;
  return `${elapsed}  ${counts}, ${memory} MiB, ${violations.count} violations`;
}
