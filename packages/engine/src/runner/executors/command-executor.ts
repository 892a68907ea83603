import {
  type Detachment,
  EXIT_CODE_BLOCKING_ERROR,
  EXIT_CODE_SUCCESS,
  type Exit,
  type HookDefinition,
  type HookExecutor,
  type Invocation,
  type StartRoute,
} from '@tenterhook/protocol';
import type { OwnRunOptions } from '@tenterhook/protocol/internal';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { maskShort } from '@tenterhook/runtime/log';
import type { FirstLine, ProcessExit, ProcessJob, ResidentExit, Spawner, SpawnerKind, SpawnerLimits } from '@tenterhook/spawner';
import { findShell, resolveLimits, resolveOptions, routeOf } from '@tenterhook/spawner/internal';
import { jobKindOf } from '../nested-runs.js';
import { examineCommand } from './examine-command.js';
import { failedExit, isResident, residentJob, residentRoute, residentVersion, withWarnings } from './resident/resident-hook.js';
import { notStarted } from './turn-queue.js';

/** The options of the executor for commands, as documented in `HookSystemOptions`. */
export interface CommandOptions {
  readonly watchesInput?: boolean;
  readonly keepsInput?: boolean;
  readonly spawner?: SpawnerKind;
}

/** Runs commands, and tells how their processes are started. */
export interface CommandExecutor extends HookExecutor {
  /**
   * Returns how the command of a hook would be run in this directory and environment. Undefined for other hooks. Without lanes, undefined
   * for commands that are not resident, too.
   */
  routeOf(hook: HookDefinition, place: Pick<ProcessJob, 'cwd' | 'env'>): StartRoute | undefined;
  /**
   * Loads the spawner and starts a lane before the first command needs them, if the program still runs in a second and there are commands
   * then.
   */
  prepare(hasCommands: () => boolean): void;
  /** Whether a resident process is alive. */
  readonly hasResidents: boolean;
  /** Ends the resident processes of all hooks but these. */
  retain(hooks: Iterable<HookDefinition>): void;
}

/**
 * Runs command hooks with the spawner, which starts all processes of the engine. The spawner is loaded for the first command. So an agent
 * without command hooks does not load it. Throws a TypeError for invalid limits.
 */
export function createCommandExecutor(
  limits: Partial<SpawnerLimits> = {},
  { watchesInput = false, keepsInput = false, ...options }: CommandOptions = {},
): CommandExecutor {
  const resolved = resolveLimits(limits);
  const kind = resolveOptions(options);
  let spawner: Spawner | undefined;
  let isDisposed = false;
  let preparing: NodeJS.Timeout | undefined;
  const load = async (): Promise<Spawner> => {
    const { createSpawner } = await import('@tenterhook/spawner');
    spawner ??= createSpawner(resolved, kind);
    return spawner;
  };
  return {
    kind: 'command',
    queues: true,
    async run(invocation, hook, _event, options) {
      const { onStart, mayStart, isTouched, onDetach } = options;
      const { abortable: signal = options.signal } = options as typeof options & Partial<OwnRunOptions>;
      if (invocation.kind !== 'command') throw new TypeError(`a command executor was given "${invocation.kind}"`);
      const { command, cwd, env, stdin, directories } = invocation;
      // Only the first job waits for the spawner. Later jobs skip the `await`, so that all jobs of a stage start in the same turn of the
      // event loop.
      spawner ??= await load();
      // The executor was disposed while the spawner was loaded. The new spawner has opened nothing yet, so it need not be disposed.
      if (isDisposed) return notStarted('disposed');
      const checked = mayStart === undefined ? {} : { mayStart };
      const job = {
        command,
        cwd,
        env,
        stdin,
        timeoutMs: hook.timeoutMs,
        signal,
        onStart,
        ...checked,
        ...(directories === undefined ? {} : { directories }),
        jobKind: jobKindOf(hook),
        // A hook can pause or kill the lane that started it. That must not reach hooks of another level.
        laneGroup: hook.level ?? '',
        watchesInput,
      };
      const withInput = <Ended extends ResidentExit>(exit: Ended) =>
        keepsInput && 'stdout' in exit ? { ...exit, stdin: maskShort(stdin, maxShownInput) } : exit;
      if (isResident(hook)) {
        const route = residentRoute(hook);
        if (route.kind === 'resident') {
          const exit = withWarnings(withInput(await spawner.residents.run(residentJob(job, invocation, hook, isTouched))), hook);
          return exit.kind === 'unanswered' ? failedExit(exit) : toExit(exit, invocation);
        }
        const exit = await spawner.run(job);
        return toExit(withInput('stdout' in exit ? { ...exit, route } : exit), invocation);
      }
      if (onDetach === undefined || invocation.detachesOnAsyncLine !== true) return toExit(withInput(await spawner.run(job)), invocation);
      let detachment: Detachment | undefined;
      const onFirstLine = ({ text, replaceTimeout }: FirstLine) => {
        if (detachment !== undefined) return;
        detachment = readAsyncLine(text);
        if (detachment === undefined) return;
        if (detachment.timeoutMs !== undefined) replaceTimeout(detachment.timeoutMs);
        onDetach(detachment);
      };
      const exit = await toExit(withInput(await spawner.run({ ...job, onFirstLine })), invocation);
      const { timeoutMs } = (detachment as Detachment | undefined) ?? {};
      return exit.kind === 'timed-out' && timeoutMs !== undefined ? { ...exit, timeoutMs } : exit;
    },
    routeOf(hook, place) {
      if (isResident(hook)) return residentRoute(hook);
      const { action } = hook;
      if (action.kind !== 'command' || kind.spawner === 'direct') return undefined;
      const { command, args } = action;
      const started = args === undefined ? { kind: 'shell' as const, text: command } : { kind: 'program' as const, file: command, args };
      // The answer is about an agent, also if a program with which users try their hooks asks for it. Only that program watches inputs.
      return routeOf({ command: started, ...place }, findShell({ platform: process.platform, env: process.env }));
    },
    prepare(hasCommands) {
      if (kind.spawner === 'direct' || watchesInput || isDisposed) return;
      preparing ??= setTimeout(async () => {
        if (!hasCommands()) return;
        const loaded = await load();
        if (!isDisposed) loaded.prepare();
      }, prepareAfterMs).unref();
    },
    get hasResidents() {
      return (spawner?.residents.size ?? 0) > 0;
    },
    retain(hooks) {
      const versions = new Map<string, string>();
      for (const hook of hooks) if (hook.skip === undefined && isResident(hook)) versions.set(hook.id, residentVersion(hook));
      spawner?.residents.retain((key, version) => versions.get(key) === version);
    },
    dispose: async () => {
      isDisposed = true;
      clearTimeout(preparing);
      await spawner?.dispose();
    },
  };
}

/** Short programs end before, and pay nothing for a lane that they do not use. */
const prepareAfterMs = 1000;

/** The maximum number of characters of the input in an outcome. */
const maxShownInput = 2000;

/** Converts the result of a job to an exit. If the command failed, searches for the cause, e.g. a missing script. */
async function toExit(exit: ProcessExit, invocation: Extract<Invocation, { kind: 'command' }>): Promise<Exit> {
  if (exit.kind === 'not-started') return notStarted(exit.reason);
  if (exit.kind === 'unrunnable' && shortages.has(exit.reason)) return { ...exit, limited: true };
  if (exit.kind !== 'exited' || exit.exitCode === EXIT_CODE_SUCCESS || exit.exitCode === EXIT_CODE_BLOCKING_ERROR) return exit;
  const findings = await examineCommand(invocation, exit.exitCode, exit.stderr);
  return findings === undefined ? exit : { ...exit, findings };
}

/**
 * Errors that the hook does not cause. Either the machine lacks disk space, a file descriptor, a process or a shell. Or the working
 * directory of the event is missing: the model may choose or move this directory.
 */
const shortages: ReadonlySet<string> = new Set([
  'EAGAIN',
  'EDQUOT',
  'EFBIG',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOSPC',
  'missing_cwd',
  'missing_shell',
  'no_room',
]);

/**
 * Reads the first line of a hook's output. With `{"async": true}` the hook asks to continue in the background. The line is read as soon
 * as it is a complete object, because many programs print no line break after it and then run for minutes.
 */
export function readAsyncLine(text: string): Detachment | undefined {
  // This cheap check comes first. The function is called for each chunk of the first line of every hook.
  if (text.length > longestAsyncLine || !text.includes('async')) return undefined;
  const line = text.trim();
  if (!line.startsWith('{') || !line.endsWith('}')) return undefined;
  const value = parseJson(line);
  if (!isPlainObject(value) || value['async'] !== true) return undefined;
  const timeoutMs = value['asyncTimeout'] ?? undefined;
  if (timeoutMs === undefined) return {};
  if (typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= longestTimerMs) return { timeoutMs };
  const shown = JSON.stringify(timeoutMs).slice(0, 40);
  const message = `asyncTimeout is ${shown}. It must be a number of milliseconds from 1 to ${longestTimerMs}. The timeout of the settings is used.`;
  return { warnings: [{ code: 'wrong_type', message }] };
}

/** The maximum length in characters of a line that is parsed here. A longer line is the hook's answer, which is parsed later. */
const longestAsyncLine = 65_536;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
