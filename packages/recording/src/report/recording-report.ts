/** How a report is arranged. */
export interface ReportOptions {
  /** What a row is about. @default 'hook' */
  readonly by?: 'hook' | 'event' | 'session' | undefined;
  /** The order of the rows, the largest first. @default 'total': the time that the agent waited */
  readonly sort?: 'p95' | 'total' | 'failures' | undefined;
}

/** The figures of a hook, an event or a session. */
export interface ReportRow {
  /** The id of the hook, the name of the event, or the id of the session. */
  readonly key: string;
  /** A short name. The key, if no other row has the same. */
  readonly name: string;
  readonly events: readonly string[];
  /** The engines in other processes whose handlers ran, each with its version: `policy 2.1`. */
  readonly engines: readonly string[];
  readonly runs: number;
  /** The median by nearest rank, in milliseconds. Undefined without times, like the other durations. */
  readonly p50Ms: number | undefined;
  /** Undefined for less than 20 runs. */
  readonly p95Ms: number | undefined;
  readonly maxMs: number | undefined;
  /** The time that the agent waited. Hooks side by side count once: the slowest one. */
  readonly waitedMs: number;
  /** The share of all waiting, from 0 to 1. */
  readonly waitedShare: number;
  readonly deny: number;
  readonly ask: number;
  readonly allow: number;
  readonly stop: number;
  /** Runs that changed the event. */
  readonly rewrites: number;
  readonly timeouts: number;
  /** By code. Timeouts are included. */
  readonly failures: Readonly<Record<string, number>>;
  /** By reason. A skipped hook is not a run. */
  readonly skips: Readonly<Record<string, number>>;
  /** How often a circuit changed, by its new state. */
  readonly circuits: Readonly<Record<string, number>>;
}

/** The figures of recordings. */
export interface RecordingReport {
  readonly by: 'hook' | 'event' | 'session';
  readonly events: number;
  readonly runs: number;
  readonly hooks: number;
  readonly waitedMs: number;
  /** False if all recordings are in the minimal form, which has no durations. */
  readonly hasTimes: boolean;
  readonly rows: readonly ReportRow[];
}
