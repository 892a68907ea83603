import { defaultDialects } from '@tenterhook/dialects';
import {
  type Diagnostic,
  type Dialect,
  eventEntry,
  formatDiagnostic,
  HookEventName,
  type HookOutcome,
  isHookEventName,
} from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { OpenHooks } from '../../hooks.js';
import { isShownInFull } from '../../output/timeline/hook-line.js';
import { reportEvents } from '../../output/timeline/terminal-reporter.js';
import { findDirectoryProblem } from '../../settings/discover/locations.js';
import { type CommandContext, directoryOf, printError, printJson, toFailure } from '../context.js';
import { ExitStatus, statusOf, UsageError } from '../errors/exit-status.js';
import { type EventAsked, readEvent, readInput } from '../firing/event-input.js';
import { type LateEnds, watchLateEnds } from '../firing/late-ends.js';
import { refuseEvent } from '../firing/refuse-event.js';
import { findDialect } from '../hooks/dialect-name.js';
import {
  findUnusableSettings,
  firstSteps,
  formatSwitchedOffNote,
  type LoadedHooks,
  loadHooks,
  type SettingsFlags,
} from '../hooks/load-hooks.js';
import { reportTrust } from '../hooks/trust-flags.js';
import { onInterrupt } from '../interrupt.js';

export interface FireFlags extends SettingsFlags {
  readonly input?: string;
  readonly json?: boolean;
  readonly exitCode?: boolean;
  readonly verbose?: boolean;
}

/** Fires one event and shows its result, or prints it as JSON. Resolves to the exit status. */
export async function fire(eventName: string | undefined, flags: FireFlags, context: CommandContext): Promise<number> {
  if (eventName === undefined) throw missingEvent(flags);
  const input = await readInput(flags.input, context);
  const loaded = await loadHooks(flags, context, { keepsInput: flags.verbose === true });
  try {
    return await fireWith(loaded, readEvent(eventName, input, loaded.wording, loaded.formats), flags, context);
  } finally {
    await loaded.hooks.dispose();
  }
}

/** Returns the error for a missing event name. The message lists the events that most agents fire, and only counts the others. */
function missingEvent({ dialect }: FireFlags): UsageError {
  const { events = HookEventName }: Pick<Dialect, 'events'> = dialect === undefined ? {} : findDialect(dialect, defaultDialects());
  const isUsual = (name: string) => eventEntry(events[name] as HookEventName).firedBy !== 'host';
  const names = Object.keys(events);
  const usual = names.filter(isUsual);
  const others = names.length - usual.length;
  const option = dialect === undefined ? '' : ` --dialect ${dialect}`;
  return new UsageError(
    `Name the event to fire: ${usual.join(', ')}${others === 0 ? '' : `, or one of ${others} others`}. tenterhook events${option} describes all of them.`,
  );
}

async function fireWith(
  { hooks, projectDir, note }: LoadedHooks,
  { asked, eventName, complete }: EventAsked,
  flags: FireFlags,
  context: CommandContext,
): Promise<number> {
  if (note !== undefined) printError(context, note);
  reportTrust(hooks, flags, context);
  const error = findUnusableSettings(hooks, flags);
  if (error !== undefined) {
    if (flags.json) printJson(context, toFailure(error));
    printError(context, `${error.code}: ${error.message}`);
    return ExitStatus.expectedFailure;
  }
  if (!isHookEventName(eventName)) return refuseEvent(hooks, eventName, { json: flags.json === true }, context);
  const shown = flags.json ? new Set<string>() : shownWithHooks(eventName, hooks);
  for (const diagnostic of hooks.diagnostics.filter((entry) => concerns(entry, eventName, hooks))) {
    const text = formatDiagnostic(diagnostic);
    if (!shown.has(text)) printError(context, `${diagnostic.severity}: ${text}`);
  }
  explainWhyNothingRuns(hooks, eventName, context);

  const interruption = onInterrupt();
  const details = { directory: directoryOf(context), isVerbose: flags.verbose === true };
  const stopReporting = flags.json ? () => {} : reportEvents(hooks.bus, { stream: context.stdout, env: context.env, details });
  const lateEnds = watchLateEnds(hooks.bus);
  try {
    const payload = { eventName, input: withExistingDirectory(complete, projectDir, context) as Record<string, unknown> };
    const response = await hooks.bus.request('HOOK_EXECUTION_REQUEST', payload, { signal: interruption.signal });
    if (flags.json) printJson(context, response);
    // Without --json, the report shows the error.
    if (flags.json && !response.success) printError(context, `${response.error?.code}: ${response.error?.message}`);
    if (response.error?.code === 'validation_failed') printError(context, `note: ${formatEventsHint(asked, flags)}`);
    await waitForTheRest(lateEnds, response.output?.outcomes ?? [], interruption.signal, context);
    return interruption.status ?? statusOf(response, flags.exitCode === true);
  } finally {
    stopReporting();
    lateEnds.forget();
    interruption.forget();
  }
}

function formatEventsHint(asked: string, { dialect }: FireFlags): string {
  return `tenterhook events ${asked}${dialect === undefined ? '' : ` --dialect ${dialect}`} shows the fields of the event, and a sample to fire.`;
}

/**
 * Returns the input. It may have been captured on another machine: if its working directory does not exist here, the input gets the project
 * directory instead.
 */
function withExistingDirectory(input: unknown, projectDir: string, context: CommandContext): unknown {
  if (!isPlainObject(input) || typeof input['cwd'] !== 'string' || !Object.hasOwn(input, 'hook_event_name')) return input;
  const problem = findDirectoryProblem(input['cwd']);
  if (problem === undefined) return input;
  printError(context, `note: The working directory in --input, ${input['cwd']}, ${problem}. The hooks run in ${projectDir}.`);
  return { ...input, cwd: projectDir };
}

/**
 * Waits for detached hooks. Without this wait they would end with this command, and a user who tries a hook would see only a part of its
 * run. An agent does not wait for them.
 */
async function waitForTheRest(
  lateEnds: LateEnds,
  outcomes: readonly HookOutcome[],
  signal: AbortSignal,
  context: CommandContext,
): Promise<void> {
  const { length } = lateEnds.runningOf(outcomes);
  if (length === 0 || signal.aborted) return;
  printError(
    context,
    `note: Waiting for ${length} asynchronous hook${length === 1 ? '' : 's'} to end. Ctrl-C stops ${length === 1 ? 'it' : 'them'}.`,
  );
  await lateEnds.wait(outcomes, signal);
}

/**
 * Tests whether `fire` prints a diagnostic. Errors and warnings are printed if they concern the event. A note is printed only if the event
 * has no hook and the note is about settings that are not read.
 */
function concerns({ severity, code, eventName: of }: Diagnostic, eventName: string, hooks: OpenHooks): boolean {
  // Not printed, because the outcome of the hook reports it.
  if (code === 'private_address') return false;
  const isConfigured = isHookEventName(eventName) && hooks.has(eventName);
  if (severity === 'note' && (!['unread_file', 'no_home'].includes(code) || isConfigured)) return false;
  return of === undefined || of === eventName;
}

/** Returns the messages that the timeline shows in full below skipped hooks. They must not be printed twice. */
function shownWithHooks(eventName: string, hooks: OpenHooks): ReadonlySet<string> {
  const planned = isHookEventName(eventName) ? hooks.hooks[eventName] : [];
  const warnings = planned.flatMap(({ skip }) => skip?.warning?.message ?? []);
  return new Set(warnings.filter(isShownInFull));
}

function explainWhyNothingRuns(hooks: OpenHooks, eventName: string, context: CommandContext): void {
  if (!isHookEventName(eventName)) return;
  const note = formatSwitchedOffNote(hooks.off[eventName]);
  if (note !== undefined) printError(context, note);
  else if (!hooks.has(eventName)) {
    const found = hooks.files.filter(({ state }) => state !== 'missing').map(({ file, state }) => `${file} (${state})`);
    const looked = found.length === 0 ? '' : ` Looked in ${found.join(', ')}.`;
    const rest = ' tenterhook list shows where Tenterhook looks for settings.';
    printError(
      context,
      `note: No hook is configured for ${eventName}.${looked}${hooks.files.length === 0 ? '' : rest}${firstSteps(hooks)}`,
    );
  }
}
