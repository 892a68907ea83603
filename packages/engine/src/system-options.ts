import type { MessageBus } from '@tenterhook/bus';
import type { Dialect, HookExecutor, HookSource, HookTracing } from '@tenterhook/protocol';
import type { SpawnerKind, SpawnerLimits } from '@tenterhook/spawner';
import type { CircuitBreakerOptions } from './runner/circuit/circuit.js';
import type { HostCallback } from './runner/executors/host-executor.js';
import type { HttpOptions } from './runner/executors/http/http-executor.js';
import type { TrustCheck, TrustGate } from './trust/trust-check.js';

export type { SpawnerKind };

// An interface, not a type alias: for an alias, editors and the reference would show the name of the spawner's type.
/** Limits for running hooks, over all events. Commands and requests are counted separately. */
export interface HookLimits extends SpawnerLimits {}

/** The options of a hook system. `createHooks()` takes the same options, and also finds the settings files. */
export interface HookSystemOptions {
  /** The directory of the project. Hooks receive it as `*_PROJECT_DIR`. A relative path is resolved against the current directory. */
  readonly projectDir: string;
  /** Id of the session for all events. @default the session id of each request, or a generated one for this system */
  readonly sessionId?: string;
  /** Working directory of the hooks, unless a request has a `cwd`. A relative path is made absolute. @default projectDir */
  readonly cwd?: string;
  /** File with the transcript of the session. @default '' */
  readonly transcriptPath?: string;
  /** The base environment of hooks, read at each event. @default the environment of this process */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The dialects of the hooks. Hooks run in the order of this list. */
  readonly dialects: readonly Dialect[];
  /** Where the hooks come from. @default none */
  readonly sources?: readonly HookSource[];
  /** Executors in addition to those for commands, requests and callbacks. If several executors have the same kind, the last one is used. */
  readonly executors?: readonly HookExecutor[];
  /** The bus on which events are fired. A HookService must serve it. @default a private bus that the system serves itself */
  readonly bus?: MessageBus;
  /** How many hooks run at the same time, and how much of their output is kept. @default the defaults in `HookLimits` */
  readonly limits?: Partial<HookLimits>;
  /**
   * How the processes of commands are started. `auto`: on Linux, resident bash shells (lanes) start the shell commands that give the same
   * result there; see docs/lanes.md. Other commands are started directly. `lanes`: the same, with a process warning if this machine cannot use
   * lanes. `direct`: the agent's process starts each one.
   * @default the environment variable `TENTERHOOK_SPAWNER`, else 'auto'
   */
  readonly spawner?: SpawnerKind;
  /**
   * Whether outcomes report commands that did not read their input (`inputUnread`). Meant for programs with which users try their hooks.
   * Other programs do without it, because each running hook then needs one more file descriptor. @default false
   */
  readonly watchesInput?: boolean;
  /**
   * Whether outcomes have the beginning of the input that a command could read (`stdin`). Meant for programs with which users try their
   * hooks. Other programs do without it, because the input may be large and confidential. @default false
   */
  readonly keepsInput?: boolean;
  /**
   * Whether progress messages contain what each command receives on stdin, and each request as its body: at most 64 KiB, as it is, with the
   * secrets in it. Only while the bus has a listener for progress. @default false
   */
  readonly tellsInput?: boolean;
  /** Where `http` hooks may send requests. @default only the public internet */
  readonly http?: HttpOptions;
  /**
   * Callbacks for hooks that only the host can run, by type: asking a model (`prompt`, `agent`), calling a tool (`mcp_tool`). Hooks of
   * other types fail with `no_executor`. @default none
   */
  readonly callbacks?: Readonly<Record<string, HostCallback>>;
  /**
   * Skips a hook that keeps failing, and tries it again after a pause. In the pause its outcome is `skipped` with the reason
   * `circuit-open`. If its `onError` is `block`, this outcome denies. Failures are counted per hook. A reload of the hooks resets the
   * count.
   * @default off
   */
  readonly circuitBreaker?: CircuitBreakerOptions;
  /** Records events and hooks, for example as OpenTelemetry spans. @default nothing is recorded */
  readonly tracing?: HookTracing | undefined;
  /** Decides which sources are trusted. @default every source is trusted */
  readonly isTrusted?: TrustCheck;
  /** Decides which hooks may run, in addition to `isTrusted`. @default every hook may run */
  readonly trust?: TrustGate;
}
