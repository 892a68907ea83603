import { compileWildcard } from '@tenterhook/patterns';
import type { CombinedSettings, Diagnostic, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { mergedEnv } from '../settings-env.js';
import { sessionEndS } from './handler-types.js';
import { type ClaudeHookData, dataOf } from './hook-data.js';
import type { ParsedPolicies } from './policies.js';

const maxSessionEndMs = 60_000;

/** Levels that a repository speaks for. */
const ofRepository = ['project', 'local'];

/** Rules across files: who is switched off, which addresses hooks may be sent to, and the time that the end of a session has. */
export function combine(parsed: readonly ParsedSettings[]): CombinedSettings {
  const managed = parsed.filter(({ source }) => source === 'managed');
  // Any file may switch off; none may undo it, or a repository could make hooks run that its user has switched off.
  const disabling = parsed.filter((document) => policiesOf(document).disableAllHooks === true);
  const managedOnly = managed.find((document) => policiesOf(document).allowManagedHooksOnly === true);
  const hooks: HookDefinition[] = [];
  const off: { hook: HookDefinition; reason: string }[] = [];
  const silenced = new Map<ParsedSettings, HookDefinition[]>();
  for (const hook of parsed.flatMap((document) => document.hooks)) {
    const isManaged = hook.source === 'managed';
    const by = disabling.find(({ source }) => source === 'managed' || !isManaged);
    if (by !== undefined && ofRepository.includes(by.source) && !ofRepository.includes(hook.source)) {
      const own = disabling.find(({ source }) => !ofRepository.includes(source));
      if (own === undefined) silenced.set(by, [...(silenced.get(by) ?? []), hook]);
    }
    if (by !== undefined) off.push({ hook, reason: `disableAllHooks is true in ${placeOf(by)}.` });
    else if (managedOnly !== undefined && !isManaged) {
      off.push({ hook, reason: `allowManagedHooksOnly is true in ${placeOf(managedOnly)}, and this hook is not the administrator's.` });
    } else hooks.push(withEnv(withinPolicy(hook, parsed), parsed));
  }
  const sessionEndMs = parsed.map((document) => policiesOf(document).sessionEndMs).find((value) => value !== undefined);
  const diagnostics = [...silenced].map(([by, of]) => silencedUser(by, of));
  return { hooks: withSessionBudget(hooks, sessionEndMs ?? sessionEndS * 1000), off, diagnostics };
}

/** The product does so, and nobody would know why a guard of theirs does not run here (decision 25 has it otherwise for LLxprt's). */
function silencedUser(by: ParsedSettings, hooks: readonly HookDefinition[]): Diagnostic {
  const [first] = hooks as [HookDefinition, ...HookDefinition[]];
  const many = hooks.length === 1 ? 'A hook' : `${hooks.length} hooks`;
  return {
    code: 'foreign_disable',
    severity: 'warning',
    message: `disableAllHooks of ${placeOf(by)} switches off hooks that are not the repository's. ${many} of ${first.file ?? `the source "${first.source}"`} will not run.`,
    remedy:
      'If that is not meant, take it out there, or write the hooks into the settings of LLxprt Code, which no repository switches off.',
    ...(by.file === undefined ? {} : { file: by.file }),
    path: 'disableAllHooks',
    source: by.source,
    dialect: first.dialect,
  };
}

function placeOf({ file, source }: ParsedSettings): string {
  return file ?? `the settings "${source}"`;
}

/**
 * A hook has to be on every list that its own level has, or one that ranks above it: a repository restricts the hooks of repositories and of
 * plugins, and never takes the address of a user's or an administrator's guard.
 */
function withinPolicy(hook: HookDefinition, parsed: readonly ParsedSettings[]): HookDefinition {
  const data = dataOf(hook);
  const { runs } = data;
  if (runs.kind !== 'http' || hook.skip !== undefined) return hook;
  for (const speaker of parsed.filter(({ source }) => rankOf(source) >= rankOf(hook.source))) {
    const { allowedHttpHookUrls: allowed, httpHookAllowedEnvVars: variables } = policiesOf(speaker);
    if (allowed !== undefined && !allowed.some((pattern) => compileWildcard(pattern)(runs.url))) {
      return { ...hook, skip: { skipReason: 'disabled', reason: `allowedHttpHookUrls of ${placeOf(speaker)} does not have its address.` } };
    }
    if (variables === undefined) continue;
    const kept = runs.allowedEnvVars.filter((name) => variables.includes(name));
    if (kept.length === runs.allowedEnvVars.length) continue;
    const less: ClaudeHookData = { ...data, runs: { ...runs, allowedEnvVars: kept } };
    return withinPolicy({ ...hook, dialectData: less }, parsed);
  }
  return hook;
}

/** Variables of the files that rank no lower: what a repository sets must not reach the guards of its user. */
function withEnv(hook: HookDefinition, parsed: readonly ParsedSettings[]): HookDefinition {
  const speakers = parsed.filter(({ source }) => rankOf(source) >= rankOf(hook.source));
  const env = mergedEnv(speakers.map((document) => ({ source: document.source, env: policiesOf(document).env })));
  if (Object.keys(env).length === 0) return hook;
  const data: ClaudeHookData = { ...dataOf(hook), env };
  return { ...hook, dialectData: data };
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

function rankOf(source: string): number {
  if (source === 'managed') return 2;
  // Plugins are the user's choice, or the program's, and settings that are handed in the program's.
  return ofRepository.includes(source) ? 0 : 1;
}

function policiesOf(document: ParsedSettings): ParsedPolicies {
  return (document.data as ParsedPolicies | undefined) ?? {};
}
