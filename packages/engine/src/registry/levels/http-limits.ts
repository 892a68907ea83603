import { type Diagnostic, formatDiagnostic, type HookLevel } from '@tenterhook/protocol';
import { placeOfHook } from '@tenterhook/protocol/internal';
import { pathText } from '@tenterhook/runtime/json';
import { compileUrlPattern, shownUrl, type UrlPattern } from '@tenterhook/runtime/text';
import { type LeveledHook, type LeveledSettings, placeOf, placeText, quote, type Reaching } from './leveled-settings.js';

/** Variables that `http` hooks may send in headers. */
export type HeaderVariables = ReadonlySet<string>;

/** The levels whose settings come with a repository. Extensions are left out, because the program or the user chose them. */
const repositoryLevels: readonly HookLevel[] = ['project', 'local'];

/**
 * Returns the variables that the user, the administrator or the program (`given`) lists for headers. Hooks of a repository send only
 * these. The repository chooses the URL, so it must not also choose which secrets are sent.
 */
export function listedVariables(documents: readonly LeveledSettings[], given: readonly string[] = []): HeaderVariables {
  const lists = documents.filter(({ level }) => !repositoryLevels.includes(level)).map(({ switches }) => switches?.allowedHeaderVariables);
  return new Set([...given, ...lists.flatMap((list) => list?.value ?? [])]);
}

/**
 * Limits an http hook of any dialect to the URLs and variables that the settings of its level and of higher levels list. A hook of a
 * repository sends only variables that are `listed` outside of the repository. It may name its host only in the URL: with a `Host` header,
 * or a user name in the URL, a request to one host could look like a request to another.
 */
export function withinLimits(hook: LeveledHook, { all }: Reaching, listed: HeaderVariables, diagnostics: Diagnostic[]): LeveledHook {
  if (hook.skip !== undefined || hook.action.kind !== 'http') return hook;
  const isOfRepository = repositoryLevels.includes(hook.level);
  const disguise = isOfRepository ? findDisguise(hook.action) : undefined;
  if (disguise !== undefined) {
    const problem: Diagnostic = {
      code: 'disguised_request',
      severity: 'error',
      message: `${disguise.problem}. Hooks of the level "${hook.level}" must not have this. The hook does not run.`,
      remedy: disguise.remedy,
      ...placeOfHook(hook),
    };
    diagnostics.push(problem);
    const message = formatDiagnostic(problem);
    return { ...hook, skip: { skipReason: 'invalid', reason: message, warning: { code: problem.code, message } } };
  }
  const unlisted = isOfRepository ? hook.action.allowedEnvVars.filter((name) => !listed.has(name)) : [];
  if (unlisted.length > 0) diagnostics.push(reportUnlisted(unlisted, hook));
  let allowedEnvVars = isOfRepository ? hook.action.allowedEnvVars.filter((name) => listed.has(name)) : hook.action.allowedEnvVars;
  for (const document of all) {
    const { allowedUrls, allowedHeaderVariables } = document.switches ?? {};
    if (allowedUrls !== undefined && !isAllowed(hook.action.url, allowedUrls.value)) {
      const reason = `${pathText(allowedUrls.path)} of ${placeText(document, allowedUrls.path)} does not allow the URL of the hook.`;
      return { ...hook, skip: { skipReason: 'disabled', reason } };
    }
    if (allowedHeaderVariables !== undefined) {
      const allowed = new Set(allowedHeaderVariables.value);
      allowedEnvVars = allowedEnvVars.filter((name) => allowed.has(name));
    }
  }
  return { ...hook, action: { ...hook.action, allowedEnvVars } };
}

/** The maximum number of variables in a message. */
const maxNames = 5;

function reportUnlisted(names: readonly string[], hook: LeveledHook): Diagnostic {
  const shown = names.slice(0, maxNames).map(quote);
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  const list = `[${shown.join(', ')}]`;
  return {
    code: 'unlisted_variable',
    severity: 'warning',
    message: `The hook may not send ${shown.join(', ')}${more} in headers: hooks of the level "${hook.level}" send only variables that you have listed. The header is sent without the value.`,
    remedy: `To send the value to the server at the hook's URL, add ${list} to "httpHookAllowedEnvVars" in your own settings of Claude Code's format, or pass { http: { env: ${list} } } to createHooks().`,
    ...placeOfHook(hook),
  };
}

const compiled = new WeakMap<readonly string[], readonly UrlPattern[]>();

function isAllowed(url: string, patterns: readonly string[]): boolean {
  let known = compiled.get(patterns);
  if (known === undefined) {
    known = patterns.flatMap((pattern) => compileUrlPattern(pattern) ?? []);
    compiled.set(patterns, known);
  }
  if (!URL.canParse(url)) return false;
  const parsed = new URL(url);
  return known.some((fits) => fits(parsed));
}

/** Returns an error for each invalid URL pattern of the document. An invalid pattern allows no URL. */
export function reportUrlPatterns(document: LeveledSettings, dialect: string): Diagnostic[] {
  const { allowedUrls } = document.switches ?? {};
  if (allowedUrls === undefined) return [];
  return allowedUrls.value.flatMap((pattern, index): Diagnostic[] => {
    if (compileUrlPattern(pattern) !== undefined) return [];
    const message = `${quote(shownUrl(pattern))} is not a valid URL pattern. It allows no URL.`;
    const remedy = 'Write scheme, host and path, with * for any text: "https://*.example.com/hooks/*".';
    return [{ code: 'invalid_field', severity: 'error', message, remedy, ...placeOf(document, [...allowedUrls.path, index]), dialect }];
  });
}

function findDisguise({ url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> }) {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && (parsed.username !== '' || parsed.password !== '')) {
    return { problem: 'The URL contains a user name or a password', remedy: 'Write { "headers": { "Authorization": "Bearer $TOKEN" } }.' };
  }
  if (Object.keys(headers).some((name) => name.trim().toLowerCase() === 'host')) {
    return { problem: 'The headers contain "Host"', remedy: 'Remove it, and write the host in the URL.' };
  }
  return undefined;
}
