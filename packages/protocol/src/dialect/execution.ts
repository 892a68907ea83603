import type { HookCode } from '../codes.js';
import type { HookEventName, HookInput } from '../events/event-catalogue.js';
import type { HookDefinition } from '../hooks/hook-definition.js';
import type { HookWarning } from '../results/outcome.js';

/** An event as hooks see it at one point of its plan. */
export interface HookEvent {
  readonly eventName: HookEventName;
  /** The canonical input, with what earlier stages rewrote. */
  readonly input: Readonly<HookInput>;
  readonly projectDir: string;
  /** `additionalContext` of the stages so far, a blank line between them; some dialects show it to the next hook (decision 18). */
  readonly contextSoFar?: string;
}

/** What an executor is asked to do; plain data. */
export type Invocation =
  | {
      readonly kind: 'command';
      readonly command:
        | { readonly kind: 'shell'; readonly text: string }
        | { readonly kind: 'program'; readonly file: string; readonly args: readonly string[] };
      readonly cwd: string;
      /** The whole environment. */
      readonly env: Readonly<Record<string, string>>;
      readonly stdin: string;
      /**
       * Nobody waits any longer for a command whose first line of stdout is a JSON object with `"async": true`: its outcome is `detached`, and its
       * end a late one. A number `asyncTimeout` in that line is its time in milliseconds from then on; without it the hook's stays. @default it is waited for
       */
      readonly detachesOnAsyncLine?: true;
    }
  /**
   * Nothing is run, and the operation is denied whatever the hook's `onError` says: the input has two meanings, of which the hook could be
   * shown the one and the tool read the other. Not a failure of the hook, or whoever makes up the input could switch it off.
   */
  | { readonly kind: 'refused'; readonly reason: string }
  /** A POST of JSON. Credentials in the URL are sent as basic authorization. */
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly kind: 'call'; readonly handlerId: string; readonly argument: unknown }
  /** A call of the host's callback for this type; `data` and `input` are what the callback is given. */
  | { readonly kind: 'host'; readonly type: string; readonly data: Readonly<Record<string, unknown>>; readonly input: unknown };

/** What a process printed. Texts are bounded; the byte counts are of all that was written, as far as that can be known. */
export interface Captured {
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  readonly invalidUtf8: boolean;
}

/** An end that only the hook's dialect can read. */
export type ReadableExit =
  | ({ readonly kind: 'exited'; readonly exitCode: number; readonly durationMs: number; readonly leftProcesses: number } & Captured)
  | { readonly kind: 'response'; readonly status: number; readonly body: string; readonly truncated: boolean; readonly durationMs: number }
  | { readonly kind: 'answered'; readonly answer: unknown; readonly durationMs: number };

/** How one run of a hook ended. Every end but a readable one means the same in all dialects. */
export type Exit =
  | ReadableExit
  | ({ readonly kind: 'signalled'; readonly signal: string; readonly durationMs: number } & Captured)
  /** `timeoutMs`: the time it had, where that was not the hook's. */
  | ({ readonly kind: 'timed-out'; readonly durationMs: number; readonly timeoutMs?: number } & Partial<Captured>)
  | ({ readonly kind: 'cancelled'; readonly durationMs: number } & Partial<Captured>)
  | { readonly kind: 'not-started'; readonly message: string; readonly durationMs: number }
  | { readonly kind: 'unrunnable'; readonly code: HookCode; readonly message: string; readonly durationMs: number };

/** A run that goes on without anybody waiting for it. */
export interface Detachment {
  /** Milliseconds that it has from now on. @default its deadline stays */
  readonly timeoutMs?: number;
  /** What was wrong with the request to be detached. */
  readonly warnings?: readonly HookWarning[];
}

/**
 * Runs hooks of one kind of action. run() never rejects for what a hook does; it enforces `hook.timeoutMs`, counted from the
 * moment it calls onStart, and settles at once when the signal aborts. dispose() stops everything it started; it is waited for 10 s at most.
 */
export interface HookExecutor {
  /** What it runs: a kind of invocation, or a name that hooks give as their `executor`. One of each kind; the last one given counts. */
  readonly kind: string;
  /** Whether hooks may wait in it for their turn. Without it the time until onStart is called counts, and a hook may wait no longer than its timeout. @default false */
  readonly queues?: boolean;
  run(
    invocation: Invocation,
    hook: HookDefinition,
    event: HookEvent,
    options: {
      readonly signal: AbortSignal;
      readonly onStart: () => void;
      /**
       * There where the run may say of itself that nobody is to wait for it (`detachesOnAsyncLine`), and called then, once. From then on the signal is
       * that of the whole system.
       */
      readonly onDetach?: (detachment: Detachment) => void;
    },
  ): Promise<Exit>;
  dispose?(): Promise<void>;
}

/** Exit codes of a command hook as seed 000 names them. What they mean is up to the hook's dialect; these are the native one's words. */

/** The hook ran; its stdout is its answer. */
export const EXIT_CODE_SUCCESS = 0;

/** The hook failed; a warning, the operation goes on (fail-open). */
export const EXIT_CODE_NON_BLOCKING_ERROR = 1;

/** The operation is blocked, whatever stdout says (decision 3). */
export const EXIT_CODE_BLOCKING_ERROR = 2;
