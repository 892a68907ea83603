import type { Explanation } from '@tenterhook/engine';
import { type HookEventName, hookEventNames, isHookEventName, matcherSubject } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { OpenHooks } from '../../hooks.js';
import { renderDiagnostics, renderExplainedHooks, summarise } from '../../output/reports/explanation.js';
import { renderSettingsFiles } from '../../output/reports/settings-files.js';
import type { Paint } from '../../output/terminal/palette.js';
import { joinParagraphs } from '../../output/terminal/text-layout.js';
import { type CommandContext, paintOf, printError, printJson, toFailure } from '../context.js';
import { type EventAsked, readEvent, readInput } from '../event-input.js';
import { ExitStatus, statusOf } from '../exit-status.js';
import { findUnusableSettings, formatDialectHint, type LoadedHooks, loadHooks, type SettingsFlags } from '../load-hooks.js';

export interface ExplainFlags extends SettingsFlags {
  readonly input?: string;
  readonly json?: boolean;
}

/** Explains for every hook of an event why it would or would not run. Runs no hook. Resolves to the exit status. */
export async function explain(eventName: string, flags: ExplainFlags, context: CommandContext): Promise<number> {
  const input = await readInput(flags.input, context);
  const loaded = await loadHooks(flags, context);
  try {
    return await explainWith(loaded, readEvent(eventName, input, loaded.wording), flags, context);
  } finally {
    await loaded.hooks.dispose();
  }
}

async function explainWith(
  { hooks, note }: LoadedHooks,
  { eventName, input }: EventAsked,
  flags: ExplainFlags,
  context: CommandContext,
): Promise<number> {
  if (note !== undefined) printError(context, note);
  const response = await refusal(hooks, eventName, input, flags);
  if (response !== undefined) {
    if (flags.json) printJson(context, response);
    printError(context, `${response.error?.code}: ${response.error?.message}${formatDialectHint(eventName)}`);
    return statusOf(response, false);
  }
  const fields = input as Record<string, unknown>;
  // Any other name was refused.
  const explanation = hooks.explain(eventName as HookEventName, fields);
  if (flags.json) printJson(context, { ...explanation, files: hooks.files });
  else context.stdout.write(formatExplanation(explanation, hooks, fields, flags.dialect, paintOf(context)));
  return ExitStatus.ok;
}

/** An event that cannot be fired cannot be explained, and is refused with the same message, that of the service. No hook runs for such a request. */
async function refusal(hooks: OpenHooks, eventName: string, input: unknown, flags: ExplainFlags) {
  const error = findUnusableSettings(hooks, flags);
  if (error !== undefined) return toFailure(error);
  if (isHookEventName(eventName) && isPlainObject(input)) return undefined;
  return hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName, input: input as Record<string, unknown> });
}

function formatExplanation(
  explanation: Explanation,
  hooks: OpenHooks,
  input: Readonly<Record<string, unknown>>,
  dialect: string | undefined,
  paint: Paint,
): string {
  const { eventName } = explanation;
  const subject = matcherSubject(eventName, input);
  const elsewhere = hookEventNames
    .map((other) => [other, hooks.hooks[other].length + hooks.off[other].length] as const)
    .filter(([other, count]) => other !== eventName && count > 0);
  return joinParagraphs([
    renderExplainedHooks(explanation, subject === undefined ? eventName : `${eventName} ${subject}`, paint),
    renderSettingsFiles(hooks, paint, { eventName, dialect }),
    renderDiagnostics(explanation, hooks.files, paint),
    [summarise(explanation, new Map(elsewhere))],
  ]);
}
