import { compileWildcard } from '@tenterhook/patterns';
import type { CombinedSettings, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { sessionEndS } from './handlers/handler-types.js';
import { type ClaudeHookData, dataOf } from './hook-data.js';
import type { ParsedPolicies } from './policies.js';

const maxSessionEndMs = 60_000;

/** Rules across files: who is switched off, which addresses hooks may be sent to, and the time that the end of a session has. */
export function combine(parsed: readonly ParsedSettings[]): CombinedSettings {
  const managed = parsed.filter(({ source }) => source === 'managed');
  // Any file may switch off; none may undo it, or a repository could make hooks run that its user has switched off.
  const all = parsed.find((document) => policiesOf(document).disableAllHooks === true);
  const ofManaged = managed.find((document) => policiesOf(document).disableAllHooks === true);
  const managedOnly = managed.find((document) => policiesOf(document).allowManagedHooksOnly === true);
  const hooks: HookDefinition[] = [];
  const off: { hook: HookDefinition; reason: string }[] = [];
  for (const hook of parsed.flatMap((document) => document.hooks)) {
    const isManaged = hook.source === 'managed';
    const disabled = isManaged ? ofManaged : all;
    if (disabled !== undefined) off.push({ hook, reason: `disableAllHooks is true in ${placeOf(disabled)}.` });
    else if (managedOnly !== undefined && !isManaged) {
      off.push({ hook, reason: `allowManagedHooksOnly is true in ${placeOf(managedOnly)}, and this hook is not the administrator's.` });
    } else hooks.push(withinPolicy(hook, parsed));
  }
  const sessionEndMs = parsed.map((document) => policiesOf(document).sessionEndMs).find((value) => value !== undefined);
  return { hooks: withSessionBudget(hooks, sessionEndMs ?? sessionEndS * 1000), off, diagnostics: [] };
}

function placeOf({ file, source }: ParsedSettings): string {
  return file ?? `the settings "${source}"`;
}

/** Every list that any file has is one that a hook has to be on: a repository may restrict, and never allow what others do not. */
function withinPolicy(hook: HookDefinition, speakers: readonly ParsedSettings[]): HookDefinition {
  const data = dataOf(hook);
  const { runs } = data;
  if (runs.kind !== 'http' || hook.skip !== undefined) return hook;
  for (const speaker of speakers) {
    const { allowedHttpHookUrls: allowed, httpHookAllowedEnvVars: variables } = policiesOf(speaker);
    if (allowed !== undefined && !allowed.some((pattern) => compileWildcard(pattern)(runs.url))) {
      return { ...hook, skip: { skipReason: 'disabled', reason: `allowedHttpHookUrls of ${placeOf(speaker)} does not have its address.` } };
    }
    if (variables === undefined) continue;
    const kept = runs.allowedEnvVars.filter((name) => variables.includes(name));
    if (kept.length === runs.allowedEnvVars.length) continue;
    const less: ClaudeHookData = { ...data, runs: { ...runs, allowedEnvVars: kept } };
    return withinPolicy({ ...hook, dialectData: less }, speakers);
  }
  return hook;
}

/** One time for all of them, as long as the longest that any of them asks for. They run side by side, so each may have all of it. */
function withSessionBudget(hooks: readonly HookDefinition[], usualMs: number): HookDefinition[] {
  const asked = hooks.flatMap((hook) => (hook.eventName === 'SessionEnd' ? (dataOf(hook).writtenTimeoutMs ?? []) : []));
  const budgetMs = Math.min(maxSessionEndMs, Math.max(usualMs, ...asked));
  return hooks.map((hook) => {
    if (hook.eventName !== 'SessionEnd') return hook;
    return { ...hook, timeoutMs: Math.min(dataOf(hook).writtenTimeoutMs ?? budgetMs, budgetMs) };
  });
}

function policiesOf(document: ParsedSettings): ParsedPolicies {
  return (document.data as ParsedPolicies | undefined) ?? {};
}
