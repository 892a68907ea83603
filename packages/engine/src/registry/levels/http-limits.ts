import { type Diagnostic, formatDiagnostic, placeOfHook } from '@tenterhook/protocol';
import { pathText } from '@tenterhook/runtime/json';
import { compileUrlPattern, shownUrl, type UrlPattern } from '@tenterhook/runtime/text';
import { type LeveledHook, type LeveledSettings, placeOf, placeText, quote, type Reaching } from './leveled-settings.js';

/**
 * Applies the URL lists of the hook's level and of higher levels to an http hook, in any dialect. A hook of a repository may name the host
 * of its request only in the URL, because a `Host` header, or a user name in the URL, can make a request look like one to another host.
 * This second rule does not apply to extensions, which the program or the user has chosen.
 */
export function withinLimits(hook: LeveledHook, { all }: Reaching, diagnostics: Diagnostic[]): LeveledHook {
  if (hook.skip !== undefined || hook.action.kind !== 'http') return hook;
  const disguise = ['project', 'local'].includes(hook.level) ? findDisguise(hook.action) : undefined;
  if (disguise !== undefined) {
    const problem: Diagnostic = {
      code: 'disguised_request',
      severity: 'error',
      message: `${disguise.problem}. This is not allowed for hooks of the level "${hook.level}". The hook does not run.`,
      remedy: disguise.remedy,
      ...placeOfHook(hook),
    };
    diagnostics.push(problem);
    const message = formatDiagnostic(problem);
    return { ...hook, skip: { skipReason: 'invalid', reason: message, warning: { code: problem.code, message } } };
  }
  let { allowedEnvVars } = hook.action;
  for (const document of all) {
    const { allowedUrls, allowedHeaderVariables } = document.switches ?? {};
    if (allowedUrls !== undefined && !isAllowed(hook.action.url, allowedUrls.value)) {
      const reason = `${pathText(allowedUrls.path)} of ${placeText(document, allowedUrls.path)} does not allow its URL.`;
      return { ...hook, skip: { skipReason: 'disabled', reason } };
    }
    if (allowedHeaderVariables !== undefined) {
      const allowed = new Set(allowedHeaderVariables.value);
      allowedEnvVars = allowedEnvVars.filter((name) => allowed.has(name));
    }
  }
  return { ...hook, action: { ...hook.action, allowedEnvVars } };
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

/** An error for each URL pattern of the document that is invalid. Such a pattern allows no URL. */
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
