import { type Diagnostic, formatDiagnostic, type HookOutcome, isHookEventName } from '@tenterhook/protocol';
import type { Hooks } from '../../create-hooks.js';
import { ExitStatus, statusOf } from '../exit-status.js';
import { onInterrupt } from '../interrupt.js';
import { isShownInFull } from '../../output/hook-line.js';
import { failure, printJson } from '../../output/json.js';
import { reportToTerminal } from '../../output/terminal-reporter.js';
import { canonicalEventName } from '../../commands/event-name.js';
import { type LateEnds, watchLateEnds } from '../late-ends.js';
import { type LoadedHooks, loadHooks, type SettingsFlags } from '../load-hooks.js';
import { readInput } from '../read-input.js';
import { say } from '../context.js';
import { switchedOffNote } from '../../commands/switched-off.js';
import { unusableSettings } from '../unusable-settings.js';

export interface FireFlags extends SettingsFlags {
  readonly input?: string;
  readonly json?: boolean;
  readonly exitCode?: boolean;
}

/** Fires one event and shows, or prints as JSON, what became of it. Resolves to the exit status. */
export async function fire(eventName: string, flags: FireFlags): Promise<number> {
  const input = await readInput(flags.input);
  const loaded = await loadHooks(flags);
  try {
    return await fireWith(loaded, eventName, input, flags);
  } finally {
    await loaded.hooks.dispose();
  }
}

async function fireWith({ hooks, dialect, note }: LoadedHooks, name: string, input: unknown, flags: FireFlags): Promise<number> {
  const eventName = canonicalEventName(name, dialect);
  if (note !== undefined) say(note);
  const error = unusableSettings(hooks, flags);
  if (error !== undefined) {
    if (flags.json) printJson(failure(error));
    say(`${error.code}: ${error.message}`);
    return ExitStatus.expectedFailure;
  }
  const shown = flags.json ? new Set<string>() : shownWithHooks(eventName, hooks);
  for (const diagnostic of hooks.diagnostics.filter((entry) => concerns(entry, eventName, hooks))) {
    const text = formatDiagnostic(diagnostic);
    if (!shown.has(text)) say(`${diagnostic.severity}: ${text}`);
  }
  sayWhyNothingRuns(hooks, eventName);

  const interruption = onInterrupt();
  const stopReporting = flags.json ? () => {} : reportToTerminal(hooks.bus);
  const lateEnds = watchLateEnds(hooks.bus);
  try {
    const payload = { eventName, input: input as Record<string, unknown> };
    const response = await hooks.bus.request('HOOK_EXECUTION_REQUEST', payload, { signal: interruption.signal });
    if (flags.json) printJson(response);
    // Without --json the report has said it.
    if (flags.json && !response.success) say(`${response.error?.code}: ${response.error?.message}`);
    await waitForTheRest(lateEnds, response.output?.outcomes ?? [], interruption.signal);
    return interruption.status ?? statusOf(response, flags.exitCode === true);
  } finally {
    stopReporting();
    lateEnds.forget();
    interruption.forget();
  }
}

/** Hooks that run on would end with the command, and whoever tries one out would see half of it. An agent goes on meanwhile. */
async function waitForTheRest(lateEnds: LateEnds, outcomes: readonly HookOutcome[], signal: AbortSignal): Promise<void> {
  const { length } = lateEnds.runningOf(outcomes);
  if (length === 0 || signal.aborted) return;
  say(
    `note: ${length} hook${length === 1 ? ' runs' : 's run'} on, and the command waits for the end. Ctrl-C stops ${length === 1 ? 'it' : 'them'}.`,
  );
  await lateEnds.wait(outcomes, signal);
}

/** A note says nothing that fire has to say, but for the one on a file or a level that is not read, when nothing else brought a hook. */
function concerns({ severity, code, eventName: of }: Diagnostic, eventName: string, hooks: Hooks): boolean {
  if (severity === 'note' && (!['unread_file', 'no_home'].includes(code) || hooks.has(eventName))) return false;
  return of === undefined || of === eventName;
}

/** What the timeline says in full of hooks that do not run, so that it is not said twice. */
function shownWithHooks(eventName: string, hooks: Hooks): ReadonlySet<string> {
  const planned = isHookEventName(eventName) ? hooks.hooks[eventName] : [];
  const warnings = planned.flatMap(({ skip }) => skip?.warning?.message ?? []);
  return new Set(warnings.filter(isShownInFull));
}

/** "My hook did not fire and nothing told me" must not happen here either. */
function sayWhyNothingRuns(hooks: Hooks, eventName: string): void {
  if (!isHookEventName(eventName)) return;
  const note = switchedOffNote(hooks.off[eventName]);
  if (note !== undefined) say(note);
  else if (!hooks.has(eventName)) {
    const files = hooks.files.map((file) => `${file.file} (${file.state})`).join(', ');
    say(`note: No hook is configured for ${eventName}.${files === '' ? '' : ` Looked in ${files}.`}`);
  }
}
