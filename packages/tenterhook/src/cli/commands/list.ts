import {
  eventEntry,
  formatDiagnostic,
  type HookDefinition,
  type HookEventName,
  hookEventNames,
  type ShownAction,
  shownAction,
} from '@tenterhook/protocol';
import type { OpenHooks } from '../../hooks.js';
import { formatAction, formatHookFacts, isOnlyInAgent } from '../../output/reports/hook-facts.js';
import { renderSettingsFiles } from '../../output/reports/settings-files.js';
import { escapeForTerminal } from '../../output/terminal/escape.js';
import { plainPaint } from '../../output/terminal/palette.js';
import { type CommandContext, printError, printJson } from '../context.js';
import { ExitStatus } from '../exit-status.js';
import { findUnusableSettings, loadHooks, type SettingsFlags, timeoutUnitOf } from '../load-hooks.js';

export interface ListFlags extends SettingsFlags {
  readonly json?: boolean;
}

interface ListedHook extends ShownAction {
  readonly hookId: string;
  readonly name?: string;
  readonly description?: string;
  readonly eventName: string;
  /** The event as its settings name it, where that is not `eventName`. */
  readonly dialectEvent?: string;
  readonly dialect: string;
  readonly source: string;
  readonly matcher?: string;
  readonly condition?: string;
  readonly async?: true;
  readonly once?: true;
  readonly timeoutMs: number;
  readonly onError: string;
  readonly hidden?: true;
  readonly file?: string;
  readonly line?: number;
  readonly state: 'on' | 'off' | 'disabled' | 'invalid' | 'untrusted' | 'condition';
  readonly reason?: string;
}

/** Lists every configured hook, and every file that was looked for (field failure 21). Resolves to the exit status. */
export async function list(flags: ListFlags, context: CommandContext): Promise<number> {
  const { hooks, note } = await loadHooks(flags, context);
  if (note !== undefined) printError(context, note);
  try {
    const listed = listedHooks(hooks);
    for (const diagnostic of hooks.diagnostics)
      if (diagnostic.code === 'no_home') printError(context, `note: ${formatDiagnostic(diagnostic)}`);
    if (flags.json) printJson(context, { files: hooks.files, hooks: listed, diagnostics: hooks.diagnostics });
    else
      context.stdout.write(
        `${[...withBlank(renderSettingsFiles(hooks, plainPaint, { dialect: flags.dialect })), ...hookLines(listed)].join('\n')}\n`,
      );
    // All hooks were printed; a file that was named but gives no hooks is a failure nevertheless (design §4.4).
    return findUnusableSettings(hooks, flags) === undefined ? ExitStatus.ok : ExitStatus.expectedFailure;
  } finally {
    await hooks.dispose();
  }
}

function listedHooks(hooks: OpenHooks): ListedHook[] {
  return hookEventNames.flatMap((eventName) => [
    ...hooks.hooks[eventName].map((hook) =>
      hook.skip === undefined ? listed(hook, 'on') : listed(hook, hook.skip.skipReason as ListedHook['state'], hook.skip.reason),
    ),
    ...hooks.off[eventName].map(({ hook, reason }) => listed(hook, 'off', reason)),
  ]);
}

function listed(hook: HookDefinition, state: ListedHook['state'], reason?: string): ListedHook {
  const { id: hookId, name, description, eventName, dialect, source, timeoutMs, onError, file, line, action } = hook;
  const optional = {
    name,
    description,
    dialectEvent: hook.dialectEvent === eventName ? undefined : hook.dialectEvent,
    matcher: hook.matcher,
    condition: hook.condition,
    async: hook.async === true ? true : undefined,
    once: hook.once,
    hidden: hook.hidden,
    ...shownAction(action),
    file,
    line,
    reason,
  };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { hookId, eventName, dialect, source, timeoutMs, onError, state, ...given };
}

function withBlank(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [...lines, ''];
}

function hookLines(hooks: readonly ListedHook[]): string[] {
  if (hooks.length === 0) return ['No hooks are configured.'];
  return hookEventNames.flatMap((eventName) => {
    const own = hooks.filter((hook) => hook.eventName === eventName);
    return own.length === 0 ? [] : [headOf(eventName), ...own.flatMap(linesOf)];
  });
}

/** Users look here first for a hook that is on and never runs. */
function headOf(eventName: HookEventName): string {
  return eventEntry(eventName).firedBy === 'host' ? `${eventName}  (fired only by an agent that publishes it itself)` : eventName;
}

function linesOf(hook: ListedHook): string[] {
  const state = isOnlyInAgent({ skipReason: hook.state, type: hook.type }) ? 'only in an agent' : hook.state;
  const lines = [`  ${state === 'on' ? '●' : '○'} ${hook.hookId}${state === 'on' ? '' : `  (${state})`}`];
  if (hook.description !== undefined) lines.push(`      ${hook.description}`);
  lines.push(...formatAction(hook).map((line) => `      ${line}`));
  lines.push(`      ${formatHookFacts(hook, timeoutUnitOf)}`);
  if (hook.reason !== undefined) lines.push(`      ${hook.reason}`);
  return lines.map((line) => escapeForTerminal(line, 400));
}
