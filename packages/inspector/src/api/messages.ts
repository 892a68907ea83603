import type { Diagnostic } from '@tenterhook/protocol';

/** What the server of the inspector sends to its page. Types only, because the page is built apart from the server. All texts are masked. */

/** One hook in one event. Times are milliseconds from the start of its event. */
export interface HookBar {
  readonly hookId: string;
  readonly name?: string;
  readonly dialect: string;
  readonly stage: number;
  /** `queued` and `running`, then the status of its outcome. */
  readonly status: string;
  readonly startMs?: number;
  readonly endMs?: number;
  readonly timeoutMs?: number;
  /** The hook is asynchronous and ended after its event. */
  readonly late?: true;
}

/** One event in the list. */
export interface EventRow {
  /** Counts all events of a source from 0. It is never used again. */
  readonly n: number;
  readonly correlationId: string;
  /** Milliseconds since 1970 at which the event was requested. */
  readonly at: number;
  readonly session?: string;
  readonly event: string;
  /** The tool, the prompt or another value that says what the event is about. */
  readonly subject?: string;
  /** The number of hooks that ran, and of all hooks of the event. */
  readonly run: number;
  readonly all: number;
  readonly state: 'running' | 'answered' | 'failed';
  readonly verdict: 'none' | 'allow' | 'ask' | 'deny';
  readonly stop?: true;
  /** The code of the error, if the event was not carried out. */
  readonly error?: string;
  readonly durationMs?: number;
  readonly hooks: readonly HookBar[];
}

/** A line of `GET /api/stream`. */
export type StreamLine =
  /** The first line of each stream: what the page must know before it draws anything. */
  | { readonly kind: 'begin'; readonly isMasked: boolean; readonly recordings: readonly string[] }
  | { readonly kind: 'rows'; readonly rows: readonly EventRow[] }
  | { readonly kind: 'row-changed'; readonly row: EventRow }
  /** Rows were left out for a slow reader, or have left the index. The reader asks again from `next`. */
  | { readonly kind: 'gap'; readonly from: number; readonly next: number; readonly why: 'slow' | 'forgotten' | 'disconnected' }
  | { readonly kind: 'connection'; readonly state: 'connected' | 'lost' | 'ended' | 'recording'; readonly message?: string }
  /** Follows changes. All changes up to `revision` were sent before; a reader that asks again passes it with its cursor. */
  | { readonly kind: 'stats'; readonly total: number; readonly forgotten: number; readonly dropped: number; readonly revision: number }
  | { readonly kind: 'ping' };

/** A text of a hook. Longer texts are fetched in pieces of 64 KiB. */
export interface HookText {
  readonly text: string;
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** `GET /api/events/:n`. */
export interface EventDetails {
  readonly row: EventRow;
  readonly request: unknown;
  readonly response: unknown;
  readonly progress: readonly unknown[];
  readonly verdict?: { readonly kind: string; readonly reason?: string; readonly by: readonly string[] };
  readonly hooks: readonly HookDetails[];
  /** Hooks that did not run, each with the sentence of `tenterhook explain` and its code. */
  readonly notRun: readonly { readonly hookId: string; readonly name?: string; readonly skipReason?: string; readonly sentence: string }[];
  readonly changes: readonly { readonly field: string; readonly by: string; readonly before: unknown; readonly after: unknown }[];
  readonly command: string;
}

export interface HookDetails extends HookBar {
  readonly durationMs?: number;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly decision?: string;
  readonly reason?: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly cwd?: string;
  readonly stdin?: HookText & { readonly isReconstructed: boolean };
  readonly stdout?: HookText;
  readonly stderr?: HookText;
  readonly output?: unknown;
}

/** `GET /api/about`. */
export interface About {
  readonly source: {
    readonly kind: 'live' | 'recording';
    readonly name: string;
    readonly version?: string;
    readonly pid?: number;
    readonly canBeAsked: boolean;
    readonly notes: readonly string[];
  };
  /** Whether `POST /api/run` exists. */
  readonly mayRun: boolean;
  readonly isMasked: boolean;
  readonly hooks: readonly {
    readonly hookId: string;
    readonly name?: string;
    readonly eventName: string;
    readonly dialect: string;
    readonly source: string;
    readonly off?: string;
    readonly matcher?: string;
    readonly file?: string;
    readonly line?: number;
  }[];
  readonly files: readonly { readonly file: string; readonly source: string; readonly dialect?: string; readonly state: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `GET /api/statistics`: the figures of `tenterhook report`, by hook. */
export interface HookStatistics {
  readonly hookId: string;
  readonly name?: string;
  readonly eventName: string;
  readonly runs: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly maxMs?: number;
  /** The durations of the last runs, at most 100, for a sparkline. */
  readonly lastMs: readonly number[];
  readonly denies: number;
  readonly failures: number;
  readonly timeouts: number;
  readonly skips: Readonly<Record<string, number>>;
  readonly circuit?: string;
}

/** An event that is asked about or run. */
interface EventBody {
  readonly eventName: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** `POST /api/run`: the event to run. The answer is an `EventDetails`, whose row has the number of the run. */
export interface RunBody extends EventBody {
  /** `shown` of the preview by which a person has allowed the run. If other commands would start now, nothing is run. */
  readonly shown: string;
}

/** `POST /api/explain` and `POST /api/preview`. */
export interface AskBody extends EventBody {
  /** Only the settings files are asked, as they are now. @default the agent, and the files if it does not answer */
  readonly by?: 'files';
}

/** The answer of `POST /api/preview`, as far as the page shows it: the hooks that would run, and what they would start. */
export interface PreviewAnswer {
  readonly by: 'agent' | 'files';
  readonly hooks: readonly {
    readonly hookId: string;
    readonly name?: string;
    readonly kind: string;
    readonly command?: string;
    readonly url?: string;
    readonly cwd?: string;
    readonly reason?: string;
  }[];
  readonly issues: readonly { readonly path: string; readonly message: string; readonly remedy?: string }[];
  /** A mark of these commands, for `POST /api/run`. Only if the files were asked. */
  readonly shown?: string;
}

export interface ExplainAnswer {
  /** Whether the agent answered, or the settings files of its project were read now. */
  readonly by: 'agent' | 'files';
  readonly hooks: readonly { readonly hookId: string; readonly name?: string; readonly runs: boolean; readonly sentence: string }[];
  readonly issues: readonly { readonly path: string; readonly message: string; readonly remedy?: string }[];
}

/** `GET /api/compare?before=0&now=1`: two of the recordings, in the words of `tenterhook diff`. */
export interface Comparison {
  /** The paths of the recordings. */
  readonly before: string;
  readonly now: string;
  /** How many requests are the same, differ, were added and are missing. */
  readonly summary: string;
  readonly different: readonly {
    readonly kind: 'changed' | 'added' | 'removed';
    readonly title: string;
    readonly lines: readonly string[];
    /** The event in the list: the one of `now` if it was added, else the one of `before`. Absent if it is no longer kept. */
    readonly n?: number;
  }[];
  /** Requests that differ, too, and are not in `different`. */
  readonly more: number;
  /** Durations that differ by more than a factor of 2. */
  readonly times: readonly string[];
}

/** `GET /api/agents`. */
export interface RunningAgent {
  readonly pid: number;
  readonly name: string;
  readonly cwd: string;
  readonly startedAt: string;
  readonly version: string;
  readonly isAttached: boolean;
}
