import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookEventHandler } from '@tenterhook/engine';
import type { AggregatedHookResult, HookEventName, HookExecutionProgress, HookExecutor, HookOutcome } from '@tenterhook/protocol';
import { type CreateHooksOptions, createHooks, type Hooks } from 'tenterhook';
import { createCommandExecutor } from '../../packages/engine/src/runner/executors/command-executor.js';

/** A command, or a hook with its other fields. */
export type HookText = string | { readonly command: string; readonly [field: string]: unknown };

/** A hook system in its own project, for the time of a test. */
export interface Scene {
  readonly hooks: Hooks;
  readonly handler: HookEventHandler;
  readonly projectDir: string;
  /** All progress messages so far. */
  readonly progress: HookExecutionProgress[];
  /** Reads a file of the project that a hook wrote; undefined if it does not exist. */
  read(file: string): string | undefined;
}

/** Creates a system in a fresh directory. Afterwards neither processes nor files are left. */
export async function withHooks<Result>(options: CreateHooksOptions, use: (scene: Scene) => Promise<Result>): Promise<Result> {
  const projectDir = options.projectDir ?? freshDirectory();
  try {
    return await withHooksIn(projectDir, options, use);
  } finally {
    rmSync(projectDir, { recursive: true, force: true });
  }
}

/** Runs the commands of all systems in a test file that do not have their own spawner. */
let processes: HookExecutor | undefined;
afterAll(() => processes?.dispose?.());

/**
 * Options for hooks that must end with their system, because they may outlive their event: `dispose()` waits only for processes of the
 * system's own spawner.
 */
export const ownProcesses: CreateHooksOptions = { limits: {} };

/**
 * Creates a system for hooks that have all ended when `use` has. Unless there are limits, their processes are started by one executor that
 * outlives the system, because opening and closing a spawner takes longer than most hooks.
 */
export function withEndingHooks<Result>(options: CreateHooksOptions, use: (scene: Scene) => Promise<Result>): Promise<Result> {
  if (options.limits !== undefined || options.advanced?.executors !== undefined) return withHooks(options, use);
  processes ??= createCommandExecutor();
  const executors = [{ ...processes, dispose: async () => {} }];
  return withHooks({ ...options, advanced: { ...options.advanced, executors } }, use);
}

/** Creates such a system in a directory that is not removed. Unless the options say otherwise, settings that it discovers are trusted. */
export async function withHooksIn<Result>(
  projectDir: string,
  options: CreateHooksOptions,
  use: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  const hooks = await createHooks({ sessionId: 's1', ...formatOf(options), ...trustOf(options), ...options, projectDir });
  const progress: HookExecutionProgress[] = [];
  hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', (message) => progress.push(message.payload));
  const read = (file: string) => (existsSync(join(projectDir, file)) ? readFileSync(join(projectDir, file), 'utf8') : undefined);
  try {
    return await use({ hooks, handler: hooks.getEventHandler(), projectDir, progress, read });
  } finally {
    await hooks.dispose();
  }
}

/**
 * Sets LLxprt's format for settings that are one object, unless the options say otherwise: other formats have many of the same events, so
 * there would be a note.
 */
function formatOf({ settings, dialects }: CreateHooksOptions): CreateHooksOptions {
  return settings === undefined || Array.isArray(settings) || dialects !== undefined ? {} : { dialect: 'llxprt' };
}

/** Without settings, hooks of the project are discovered. Most tests are not about the question whether they may run. */
function trustOf({ settings }: CreateHooksOptions): CreateHooksOptions {
  return settings === undefined ? { trust: 'all' } : {};
}

/** Settings with one group of one event, in LLxprt's format. */
export function settingsOf(eventName: HookEventName, hooks: readonly HookText[], group: Record<string, unknown> = {}): object {
  return { hooks: { [eventName]: [{ ...group, hooks: hooks.map((hook) => (typeof hook === 'string' ? { command: hook } : hook)) }] } };
}

/** Fires the event of the acceptance list, with these hooks in one group. */
export function fireTool(
  hooks: readonly HookText[],
  group: Record<string, unknown> = {},
  toolName = 'write_file',
): Promise<AggregatedHookResult> {
  return fireEvent('BeforeTool', { tool_name: toolName, tool_input: { path: '/srv/app/a.txt' } }, hooks, group);
}

/** Fires any event, with these hooks in one group. */
export function fireEvent(
  eventName: HookEventName,
  input: Record<string, unknown>,
  hooks: readonly HookText[],
  group: Record<string, unknown> = {},
): Promise<AggregatedHookResult> {
  return withEndingHooks({ settings: settingsOf(eventName, hooks, group) }, ({ handler }) => handler.fire(eventName, input));
}

/** A command that prints a value as JSON. The value must not contain a single quote. */
export function says(value: unknown): string {
  return `echo '${JSON.stringify(value)}'`;
}

export function outcomeAt(result: AggregatedHookResult, index: number): HookOutcome {
  const outcome = result.outcomes[index];
  if (outcome === undefined) throw new Error(`there are ${result.outcomes.length} outcomes: ${JSON.stringify(result)}`);
  return outcome;
}

export function warningCodes(outcome: HookOutcome): string[] {
  return outcome.warnings.map((warning) => warning.code);
}

export function freshDirectory(name = 'project'): string {
  return mkdtempSync(join(tmpdir(), `tenterhook-${name}-`));
}

/**
 * Processes whose environment or working directory contains the text. A process that has ended but was not reaped has neither any more. A
 * process that a lane forked, and that executes no program, has the environment of the lane.
 */
export function processesWith(text: string): number[] {
  const holdsText = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text) || readlinkSync(`/proc/${pid}/cwd`).includes(text);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && holdsText(entry))
    .map(Number);
}
