import type { Abortable, DeadlineTimer } from '@tenterhook/runtime/async';
import type { HookCode } from '../codes.js';
import type { HookEventName, HookInput } from '../events/event-catalogue.js';
import type { HookDefinition } from '../hooks/hook-definition.js';
import type { HookWarning, StartRoute } from '../results/outcome.js';

/** An event as hooks receive it at one point of the plan. */
export interface HookEvent {
  readonly eventName: HookEventName;
  /** The canonical input, including the rewrites of earlier stages. */
  readonly input: Readonly<HookInput>;
  readonly projectDir: string;
  /** `additionalContext` of the stages before, separated by blank lines. Some dialects pass it to the next hook (decision 18). */
  readonly contextSoFar?: string;
}

/** The task of an executor, as plain data. */
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
       * Absolute paths of directories that the hook expects. A missing directory is created before the start, readable only by the
       * user. If it cannot be created, the hook starts nevertheless. @default none
       */
      readonly directories?: readonly string[];
      /**
       * Lets a command detach itself, so that the event stops waiting for it. The hook needs `mayDetach`, and its first line on
       * stdout must be JSON such as `{"async": true, "asyncTimeout": 60000}`. The outcome is `detached`, and the end of the command
       * is reported later. `asyncTimeout` is a new timeout in milliseconds, counted from this line.
       * @default the event waits for the end
       */
      readonly detachesOnAsyncLine?: true;
    }
  /**
   * Nothing runs, and the operation is denied, whatever `onError` is. This is for an input with two meanings: the hook could see
   * one meaning, and the tool could act on the other. A refused input is not a failure of the hook. Otherwise an attacker could
   * send such inputs until the circuit breaker skips the hook.
   */
  | { readonly kind: 'refused'; readonly reason: string }
  /** A POST of JSON. Credentials in the URL are sent as basic authorization. */
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly kind: 'call'; readonly handlerId: string; readonly argument: unknown }
  /** Calls the host's callback for this type with `data` and `input`. */
  | { readonly kind: 'host'; readonly type: string; readonly data: Readonly<Record<string, unknown>>; readonly input: unknown };

/** The output of a process. The texts end at a limit. The byte counts include the bytes beyond the limit. */
export interface Captured {
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  readonly invalidUtf8: boolean;
  /** The beginning of what was written to the stdin of the process, with secrets masked. Missing if the executor does not keep it. */
  readonly stdin?: string;
  /** How the command was run. Missing if the system has no lanes and the hook is not resident. */
  readonly route?: StartRoute;
  /** Problems that the executor found, for the outcome. */
  readonly warnings?: readonly HookWarning[];
}

/**
 * What an executor found out about a shell command that failed. The dialect needs it for its message, because a dialect cannot read
 * files.
 */
export interface CommandFindings {
  /** Variables in the text of the command that are missing or empty in the hook's environment. */
  readonly emptyVariables: readonly string[];
  /** Variables in the text of the command whose values contain white space. */
  readonly spacedVariables: readonly string[];
  /** The files named in the shell's error message, each with its first line. Only files that begin with `#!` are listed. */
  readonly scripts: readonly { readonly path: string; readonly firstLine: string }[];
  /**
   * The path of an existing file that begins the command without quotes and contains a blank, e.g. `/home/me/my guard.sh`. The
   * shell splits it at the blank.
   */
  readonly pathWithBlank?: string;
}

/** An end of a run whose meaning depends on the dialect of the hook. */
export type ReadableExit =
  | ({
      readonly kind: 'exited';
      readonly exitCode: number;
      readonly durationMs: number;
      readonly leftProcesses: number;
      /** Set if the process read none of its input. Missing if the executor did not watch this. */
      readonly inputUnread?: true;
      /** Missing for exit codes 0 and 2, and if nothing was found. */
      readonly findings?: CommandFindings;
    } & Captured)
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly body: string;
      readonly truncated: boolean;
      /**
       * True if the response has no header with its length. The end of the connection is then the only sign that the response is
       * complete, and a part may be missing. If such a response is empty, a hook with `onError: 'block'` has failed.
       * @default false
       */
      readonly endsWithConnection?: boolean;
      readonly durationMs: number;
    }
  | { readonly kind: 'answered'; readonly answer: unknown; readonly durationMs: number };

/**
 * How one run of a hook ended. A dialect interprets the members of `ReadableExit`. The other members have the same meaning in all
 * dialects.
 */
export type Exit =
  | ReadableExit
  | ({ readonly kind: 'signalled'; readonly signal: string; readonly durationMs: number } & Captured)
  /**
   * `timeoutMs` is the timeout that ended the run, if it was not `hook.timeoutMs`. `signal` is set if another program had stopped
   * the process with this signal.
   */
  | ({ readonly kind: 'timed-out'; readonly durationMs: number; readonly timeoutMs?: number; readonly signal?: string } & Partial<Captured>)
  | ({ readonly kind: 'cancelled'; readonly durationMs: number } & Partial<Captured>)
  | ({ readonly kind: 'not-started'; readonly message: string; readonly durationMs: number } & Limited)
  | ({ readonly kind: 'unrunnable'; readonly code: HookCode; readonly message: string; readonly durationMs: number } & Limited &
      Partial<Captured>);

interface Limited {
  /**
   * True if a limit of the executor or of the machine prevented the run, so that a later run may succeed. @default the cause was
   * not a limit
   */
  readonly limited?: true;
}

/** The new conditions of a run after the hook has detached itself from its event. */
export interface Detachment {
  /** Timeout in milliseconds from now. @default the deadline of the run stays */
  readonly timeoutMs?: number;
  /** Problems in the hook's request to detach. */
  readonly warnings?: readonly HookWarning[];
}

/**
 * Runs hooks of one kind of action. A failing hook never makes `run()` reject, and `run()` resolves at once when the signal aborts.
 * A hook is stopped `hook.timeoutMs` after the executor has called `onStart`. `dispose()` stops everything that the executor
 * started. The engine waits at most 10 s for `dispose()`.
 */
export interface HookExecutor {
  /**
   * The kind of invocation that this executor runs, or a name that hooks have in `executor`. If two executors have the same kind,
   * the last one is used.
   */
  readonly kind: string;
  /**
   * Whether hooks may wait in a queue of the executor. If false, the time before the call of `onStart` is part of the timeout.
   * @default false
   */
  readonly queues?: boolean;
  /** Runs one hook. See the promises of `HookExecutor`. */
  run(
    invocation: Invocation,
    hook: HookDefinition,
    event: HookEvent,
    options: {
      readonly signal: AbortSignal;
      readonly onStart: () => void;
      /**
       * Present if the hook must be checked again right before it starts. Call this function immediately before the start, after
       * any wait in a queue. If it returns false, start nothing and resolve to `not-started`.
       */
      readonly mayStart?: () => boolean;
      /**
       * Present together with `mayStart`, for processes that outlive the run. Returns whether a file that the hook runs or reads may have
       * changed since the last call of `mayStart`.
       */
      readonly isTouched?: () => boolean;
      /**
       * Present if the run may detach itself (`detachesOnAsyncLine`). Call this function once when the run detaches itself. After
       * the call, `signal` aborts only when the system is disposed, and no longer when the event is cancelled.
       */
      readonly onDetach?: (detachment: Detachment) => void;
    },
  ): Promise<Exit>;
  /** Stops everything that the executor started. */
  dispose?(): Promise<void>;
}

/** Exit codes of a command hook, with their meaning in LLxprt Code. They may have another meaning in other dialects. */

/** The hook succeeded, and its stdout is its answer. */
export const EXIT_CODE_SUCCESS = 0;

/** The hook failed. The operation continues with a warning (fail-open). */
export const EXIT_CODE_NON_BLOCKING_ERROR = 1;

/** The operation is blocked, whatever stdout says (decision 3). */
export const EXIT_CODE_BLOCKING_ERROR = 2;

/** The options of a run for executors of this repository. */
export type OwnRunOptions = Parameters<HookExecutor['run']>[3] & {
  /** Follows the cancel without creating a signal. */
  readonly abortable: Abortable;
  /** The deadline timer of the event. Only for a run for which the event waits, and which runs alone. @default each run has its own */
  readonly timer?: DeadlineTimer | undefined;
};

const keepingPromises = new WeakSet<object>();

/**
 * Marks a method `run` of this repository, and the hooks with which it keeps the promises of `HookExecutor` by itself, so that the engine
 * does not watch these runs. Each of them settles by its deadline or at the abort, calls `onStart` once, and rejects if the code of a host
 * throws. The executor is not marked, because a host may replace its method. A copy of a hook is not marked either, because a host may
 * change the deadline in it.
 */
export function markKeepsPromises(part: HookExecutor['run'] | HookDefinition): void {
  keepingPromises.add(part);
}

export function keepsPromises({ run }: HookExecutor, hook: HookDefinition): boolean {
  return keepingPromises.has(hook) && keepingPromises.has(run);
}
