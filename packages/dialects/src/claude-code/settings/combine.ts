import { compileWildcard } from '@tenterhook/patterns';
import type { CombinedSettings, Diagnostic, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { SwitchedOffHooks } from '../../shared/settings/switched-off.js';
import { sessionEndS } from './handler-types.js';
import { type ClaudeHookData, dataOf } from './hook-data.js';
import type { ParsedPolicies } from './policies.js';
import { mergeEnv } from './policies.js';

const maxSessionEndMs = 60_000;

/** Levels whose files are in a repository. */
const ofRepository = ['project', 'local'];

/** Rules across files: which hooks are disabled, which addresses they may call, and the timeout at the end of a session. */
export function combine(parsed: readonly ParsedSettings[]): CombinedSettings {
  const managed = parsed.filter(({ source }) => source === 'managed');
  // Any file may disable hooks, but no file may enable them again: otherwise a repository could run hooks that its user has disabled.
  const disabling = parsed.filter((document) => getPolicies(document).disableAllHooks === true);
  const managedOnly = managed.find((document) => getPolicies(document).allowManagedHooksOnly === true);
  const hooks: HookDefinition[] = [];
  const off = new SwitchedOffHooks();
  const silenced = new Map<ParsedSettings, HookDefinition[]>();
  for (const hook of parsed.flatMap((document) => document.hooks)) {
    const isManaged = hook.source === 'managed';
    const by = disabling.find(({ source }) => source === 'managed' || !isManaged);
    if (by !== undefined && ofRepository.includes(by.source) && !ofRepository.includes(hook.source)) {
      const own = disabling.find(({ source }) => !ofRepository.includes(source));
      if (own === undefined) silenced.set(by, [...(silenced.get(by) ?? []), hook]);
    }
    if (by !== undefined) {
      const reason = `disableAllHooks is true in ${formatPlace(by)}.`;
      off.add(hook, { document: by, path: ['disableAllHooks'], reason, remedy: 'Remove it to switch them on. No other file can.' });
    } else if (managedOnly !== undefined && !isManaged) {
      const reason = `allowManagedHooksOnly is true in ${formatPlace(managedOnly)}, and this hook is not in the administrator's settings.`;
      off.add(hook, { document: managedOnly, path: ['allowManagedHooksOnly'], reason, remedy: 'Only the administrator can change that.' });
    } else hooks.push(withEnv(withinPolicy(hook, parsed), parsed));
  }
  const sessionEndMs = parsed.map((document) => getPolicies(document).sessionEndMs).find((value) => value !== undefined);
  const diagnostics = [...off.diagnostics, ...[...silenced].map(([by, of]) => reportSilencedUser(by, of))];
  return { hooks: withSessionBudget(hooks, sessionEndMs ?? sessionEndS * 1000), off: off.off, diagnostics };
}

/** The product allows it, and without a warning a user would not know why a guard does not run here (decision 25 forbids it for LLxprt). */
function reportSilencedUser(by: ParsedSettings, hooks: readonly HookDefinition[]): Diagnostic {
  const [first] = hooks as [HookDefinition, ...HookDefinition[]];
  const many = hooks.length === 1 ? 'A hook' : `${hooks.length} hooks`;
  return {
    code: 'foreign_disable',
    severity: 'warning',
    message: `disableAllHooks of ${formatPlace(by)} also switches off hooks outside of the repository. ${many} of ${first.file ?? `the source "${first.source}"`} will not run.`,
    remedy:
      'If that is not intended, remove it there, or move the hooks to the settings of LLxprt Code, which a repository cannot switch off.',
    ...(by.file === undefined ? {} : { file: by.file }),
    path: 'disableAllHooks',
    source: by.source,
    dialect: first.dialect,
  };
}

function formatPlace({ file, source }: ParsedSettings): string {
  return file ?? `the settings "${source}"`;
}

/**
 * A hook has to pass the lists of its own level and of those above it: a repository restricts the hooks of repositories and plugins only, and
 * never the guard of a user or an administrator.
 */
function withinPolicy(hook: HookDefinition, parsed: readonly ParsedSettings[]): HookDefinition {
  const data = dataOf(hook);
  const { runs } = data;
  if (runs.kind !== 'http' || hook.skip !== undefined) return hook;
  for (const speaker of parsed.filter(({ source }) => getRank(source) >= getRank(hook.source))) {
    const { allowedHttpHookUrls: allowed, httpHookAllowedEnvVars: variables } = getPolicies(speaker);
    if (allowed !== undefined && !allowed.some((pattern) => compileWildcard(pattern)(runs.url))) {
      return {
        ...hook,
        skip: { skipReason: 'disabled', reason: `allowedHttpHookUrls of ${formatPlace(speaker)} does not allow its URL.` },
      };
    }
    if (variables === undefined) continue;
    const kept = runs.allowedEnvVars.filter((name) => variables.includes(name));
    if (kept.length === runs.allowedEnvVars.length) continue;
    const less: ClaudeHookData = { ...data, runs: { ...runs, allowedEnvVars: kept } };
    return withinPolicy({ ...hook, dialectData: less }, parsed);
  }
  return hook;
}

/** Variables of the files that do not rank lower: those of a repository must not reach the guards of its user. */
function withEnv(hook: HookDefinition, parsed: readonly ParsedSettings[]): HookDefinition {
  const speakers = parsed.filter(({ source }) => getRank(source) >= getRank(hook.source));
  const env = mergeEnv(speakers.map((document) => ({ source: document.source, env: getPolicies(document).env })));
  if (Object.keys(env).length === 0) return hook;
  const data: ClaudeHookData = { ...dataOf(hook), env };
  return { ...hook, dialectData: data };
}

/** One timeout for all of them, the longest that any of them asks for. They run in parallel, so each may use all of it. */
function withSessionBudget(hooks: readonly HookDefinition[], usualMs: number): HookDefinition[] {
  const asked = hooks.flatMap((hook) => (hook.eventName === 'SessionEnd' ? (dataOf(hook).writtenTimeoutMs ?? []) : []));
  const budgetMs = Math.min(maxSessionEndMs, Math.max(usualMs, ...asked));
  return hooks.map((hook) => {
    if (hook.eventName !== 'SessionEnd') return hook;
    return { ...hook, timeoutMs: Math.min(dataOf(hook).writtenTimeoutMs ?? budgetMs, budgetMs) };
  });
}

function getRank(source: string): number {
  if (source === 'managed') return 2;
  // The user or the program chooses the plugins, and the program passes in settings.
  return ofRepository.includes(source) ? 0 : 1;
}

function getPolicies(document: ParsedSettings): ParsedPolicies {
  return (document.data as ParsedPolicies | undefined) ?? {};
}
