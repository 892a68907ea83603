import type { HookCode } from '../codes.js';
import type { HookEventName, HookInput } from '../events/event-catalogue.js';
import type { HookDefinition } from '../hooks/hook-definition.js';
import type { HookWarning } from '../results/outcome.js';

/** An event as hooks see it at one point of the plan. */
export interface HookEvent {
  readonly eventName: HookEventName;
  /** The canonical input, including the rewrites of earlier stages. */
  readonly input: Readonly<HookInput>;
  readonly projectDir: string;
  /** `additionalContext` of the stages so far, separated by blank lines. Some dialects pass it to the next hook (decision 18). */
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
       * Lets a command detach itself, so that the event stops waiting for it. The first line on stdout must be JSON such as `{"async":
       * true, "asyncTimeout": 60000}`, and the hook needs `mayDetach`. The outcome is `detached`, and the end of the command is reported
       * later. `asyncTimeout` is a new timeout in milliseconds, counted from this line.
       * @default the event waits for the end
       */
      readonly detachesOnAsyncLine?: true;
    }
  /**
   * Nothing runs, and the operation is denied, whatever `onError` is. Used for an input with two meanings: the hook could read one, and the
   * tool could act on the other. It does not count as a failure of the hook. Otherwise an attacker could send such inputs until the hook is
   * skipped.
   */
  | { readonly kind: 'refused'; readonly reason: string }
  /** A POST of JSON. Credentials in the URL are sent as basic authorization. */
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly kind: 'call'; readonly handlerId: string; readonly argument: unknown }
  /** Calls the host's callback for this type with `data` and `input`. */
  | { readonly kind: 'host'; readonly type: string; readonly data: Readonly<Record<string, unknown>>; readonly input: unknown };

/** The output of a process. The texts are truncated at a limit. The byte counts include what was truncated. */
export interface Captured {
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  readonly invalidUtf8: boolean;
  /** The beginning of what was written to the stdin of the process, with secrets masked. Absent if the executor does not keep it. */
  readonly stdin?: string;
}

/**
 * What an executor found out about a shell command that failed. The dialect needs it for its message, because a dialect cannot read files.
 */
export interface CommandFindings {
  /** Variables in the text of the command that the hook received empty or not at all. */
  readonly emptyVariables: readonly string[];
  /** Variables in the text of the command whose values contain white space. */
  readonly spacedVariables: readonly string[];
  /** The files named in the shell's error message, each with its first line. Only files that begin with `#!` are listed. */
  readonly scripts: readonly { readonly path: string; readonly firstLine: string }[];
  /**
   * The path of an existing file that contains blanks and is written at the beginning of the command without quotes, e.g. `/home/me/my
   * guard.sh`. The shell splits it at the blank.
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
      /** The process read none of its input. Absent if that was not watched. */
      readonly inputUnread?: true;
      /** Absent for exit codes 0 and 2, and if nothing was found. */
      readonly findings?: CommandFindings;
    } & Captured)
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly body: string;
      readonly truncated: boolean;
      /**
       * True if the response has no header from which its end is known, so that only the end of the connection showed it. A part of it may
       * be missing. So if it is empty, a hook with `onError: 'block'` has failed.
       * @default false
       */
      readonly endsWithConnection?: boolean;
      readonly durationMs: number;
    }
  | { readonly kind: 'answered'; readonly answer: unknown; readonly durationMs: number };

/** How one run of a hook ended. The dialect interprets only a `ReadableExit`. The others mean the same in all dialects. */
export type Exit =
  | ReadableExit
  | ({ readonly kind: 'signalled'; readonly signal: string; readonly durationMs: number } & Captured)
  /**
   * `timeoutMs`: the timeout that applied, if it was not the hook's. `signal`: set if another program had stopped the process with this
   * signal.
   */
  | ({ readonly kind: 'timed-out'; readonly durationMs: number; readonly timeoutMs?: number; readonly signal?: string } & Partial<Captured>)
  | ({ readonly kind: 'cancelled'; readonly durationMs: number } & Partial<Captured>)
  | ({ readonly kind: 'not-started'; readonly message: string; readonly durationMs: number } & Limited)
  | ({ readonly kind: 'unrunnable'; readonly code: HookCode; readonly message: string; readonly durationMs: number } & Limited);

interface Limited {
  /** True if a limit of the executor or of the machine prevented the run. A later run may succeed. @default the cause was not a limit */
  readonly limited?: true;
}

/** How a run continues after its event has stopped waiting for it. */
export interface Detachment {
  /** Timeout in milliseconds from now. @default the deadline of the run stays */
  readonly timeoutMs?: number;
  /** Problems in the hook's request to detach. */
  readonly warnings?: readonly HookWarning[];
}

/**
 * Runs hooks of one kind of action. `run()` never rejects because of a hook, and resolves at once when the signal aborts. `run()` enforces
 * `hook.timeoutMs`, counted from its call of `onStart`. `dispose()` stops everything that the executor started. The system waits at most 10
 * s for `dispose()`.
 */
export interface HookExecutor {
  /**
   * The kind of invocation that it runs, or a name that hooks give in `executor`. If two executors have the same kind, the last one is
   * used.
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
       * Present if the hook must be checked again right before it starts. Call it after any wait in a queue, immediately before the start.
       * If it returns false, start nothing and resolve to `not-started`.
       */
      readonly mayStart?: () => boolean;
      /**
       * Present if the run may detach itself (`detachesOnAsyncLine`). Call it once when the run detaches itself. Afterwards `signal` aborts
       * when the system is disposed, not when the event is cancelled.
       */
      readonly onDetach?: (detachment: Detachment) => void;
    },
  ): Promise<Exit>;
  /** Stops everything that it started. */
  dispose?(): Promise<void>;
}

/**
 * Exit codes of a command hook, under their names in seed 000. Each dialect defines their meaning. Below are the meanings in LLxprt Code.
 */

/** The hook succeeded. Its stdout is its answer. */
export const EXIT_CODE_SUCCESS = 0;

/** The hook failed. There is a warning, and the operation continues (fail-open). */
export const EXIT_CODE_NON_BLOCKING_ERROR = 1;

/** The operation is blocked, whatever stdout says (decision 3). */
export const EXIT_CODE_BLOCKING_ERROR = 2;
