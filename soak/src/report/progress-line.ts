import type { Violations } from '../checks/violations.js';
import type { Phase } from '../load/run-phase.js';

const onTerminalMs = 200;
const elsewhereMs = 10_000;

/** Tells on stderr how it goes: a line that is drawn anew on a terminal, else one every ten seconds. The returned function ends it. */
export function startProgress(phase: Phase, violations: Violations): () => void {
  const beganAt = performance.now();
  const isTerminal = process.stderr.isTTY === true;
  const draw = () => {
    const text = describe(phase, violations, performance.now() - beganAt);
    // One column stays free: some terminals break the line when the last one is filled.
    process.stderr.write(isTerminal ? `\r${text.slice(0, (process.stderr.columns || 80) - 1)}\x1b[K` : `${text}\n`);
  };
  const timer = setInterval(draw, isTerminal ? onTerminalMs : elsewhereMs);
  return () => {
    clearInterval(timer);
    if (isTerminal) process.stderr.write('\r\x1b[K');
  };
}

function describe({ ledger, settings }: Phase, violations: Violations, elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  const elapsed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
  const counts = `${ledger.requests} requests, ${ledger.statuses.total} outcomes, ${ledger.inFlight} in flight, ${settings.reloads} reloads`;
  return `${elapsed}  ${counts}, ${memory} MiB, ${violations.count} violations`;
}
