import { formatDiagnostic, type HookDefinition, type HookEventName, hookEventNames, isHookEventName } from '@tenterhook/protocol';
import { shownAction } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { OpenHooks } from '../../hooks.js';
import { explainListMarks, type ListedHook, renderHookList } from '../../output/reports/hook-list.js';
import { renderSettingsFiles } from '../../output/reports/settings-files.js';
import { joinParagraphs } from '../../output/terminal/text-layout.js';
import { type CommandContext, printError, printJson, styleOf } from '../context.js';
import { ExitStatus } from '../errors/exit-status.js';
import { readEvent } from '../firing/event-input.js';
import { refuseEvent } from '../firing/refuse-event.js';
import { findUnusableSettings, firstSteps, loadHooks, type SettingsFlags, timeoutUnitOf } from '../hooks/load-hooks.js';
import { reportTrust } from '../hooks/trust-flags.js';

export interface ListFlags extends SettingsFlags {
  readonly json?: boolean;
}

/**
 * Lists every configured hook, or those of one event, and every file where settings were looked for (field failure 21). Resolves to the
 * exit status.
 */
export async function list(asked: string | undefined, flags: ListFlags, context: CommandContext): Promise<number> {
  const { hooks, wording, note } = await loadHooks(flags, context);
  if (note !== undefined) printError(context, note);
  reportTrust(hooks, flags, context);
  try {
    const eventName = asked === undefined ? undefined : readEvent(asked, {}, wording).eventName;
    if (eventName !== undefined && !isHookEventName(eventName)) return await refuseEvent(hooks, eventName, flags, context);
    const listed = listedHooks(hooks, eventName === undefined ? hookEventNames : [eventName]);
    for (const diagnostic of hooks.diagnostics)
      if (diagnostic.code === 'no_home') printError(context, `note: ${formatDiagnostic(diagnostic)}`);
    if (flags.json) printJson(context, { files: hooks.files, hooks: listed, diagnostics: hooks.diagnostics });
    else context.stdout.write(textOf(listed, hooks, { dialect: flags.dialect, eventName }, context));
    // The hooks were printed. The command still fails if a file that the user named cannot be used (design §4.4).
    return findUnusableSettings(hooks, flags) === undefined ? ExitStatus.ok : ExitStatus.expectedFailure;
  } finally {
    await hooks.dispose();
  }
}

function textOf(
  listed: readonly ListedHook[],
  hooks: OpenHooks,
  { dialect, eventName }: { readonly dialect: string | undefined; readonly eventName: HookEventName | undefined },
  context: CommandContext,
): string {
  const style = { ...styleOf(context), timeoutUnitOf };
  const none = eventName === undefined ? `No hooks are configured.${firstSteps(hooks)}` : `No hook is configured for ${eventName}.`;
  const legend = explainListMarks(listed);
  return joinParagraphs([
    renderSettingsFiles(hooks, style, { dialect, ...(eventName === undefined ? {} : { eventName }) }),
    listed.length === 0 ? [none] : renderHookList(listed, style),
    legend === '' ? [] : [style.paint('dim', legend)],
  ]);
}

function listedHooks(hooks: OpenHooks, eventNames: readonly HookEventName[]): ListedHook[] {
  return eventNames.flatMap((eventName) => [
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
    async: hook.async === true ? (true as const) : undefined,
    once: hook.once,
    recheck: hook.recheck,
    mode: action.kind === 'command' ? action.mode : undefined,
    hidden: hook.hidden,
    trust: hook.trust?.state,
    ...shownAction(action),
    file,
    line,
    reason,
  };
  return { hookId, eventName, dialect, source, timeoutMs, onError, state, ...omitUndefined(optional) } as ListedHook;
}
