import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { RelayLoss } from '@tenterhook/protocol';

const maxBytes = 1024 * 1024;

/** How the message about an event begins that the daemon did not answer. */
export const answeredWithout = 'Answered without the daemon: ';

interface LogPlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Returns the path of the file with what agents could not carry out. */
export function logFile({ environment, home }: LogPlace): string {
  const folder = environment['XDG_STATE_HOME'] ?? '';
  return join(isAbsolute(folder) ? folder : join(home, '.local/state'), 'tenterhook/relay.log');
}

/** What a line is about, and where the log is. */
export interface LogEvent extends LogPlace {
  readonly agent: string;
  readonly event: string;
}

/** Writes a line for each loss. */
export function logLosses(losses: readonly RelayLoss[], about: LogEvent): void {
  logEntries(
    losses.map(({ effect, message }) => ({ effect, message })),
    about,
  );
}

/** Writes a line for each entry. A file that cannot be written changes no answer. */
export function logEntries(entries: readonly Readonly<Record<string, unknown>>[], { agent, event, ...place }: LogEvent): void {
  if (entries.length === 0) return;
  const file = logFile(place);
  const lines = entries.map((entry) => JSON.stringify({ time: new Date().toISOString(), agent, event, ...entry }));
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, `${file}.1`);
    appendFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  } catch {
    // The answer matters more than the log.
  }
}

/** What the log says, in numbers. */
export interface LogCounts {
  readonly losses: number;
  /** The number of events that the daemon did not answer. */
  readonly withoutDaemon: number;
}

/** Counts what the log says. */
export function countLog(place: LogPlace): LogCounts {
  let text = '';
  try {
    text = readFileSync(logFile(place), 'utf8');
  } catch {
    // There is no log yet.
  }
  const lines = text.split('\n').filter((line) => line.startsWith('{"time":'));
  const withoutDaemon = lines.filter((line) => line.includes(`"message":"${answeredWithout}`)).length;
  return { losses: lines.filter((line) => line.includes('"effect":')).length, withoutDaemon };
}
