import type { CombinedSettings, Diagnostic, HookDefinition, LoadSkip, ParsedSettings } from '@tenterhook/protocol';
import type { CodexHost } from '../options.js';
import { dataOf, type Review } from './hook-data.js';
import { cutTimeout } from './read-hook.js';
import type { ReviewState, Reviews } from './switches.js';

/**
 * Returns the hook with the timeout that Codex allows, and with what Codex's user has decided about it. A hook that the user has not reviewed, or that has changed since, does
 * not run. `reaching` are the documents of the hook's level and of higher levels.
 */
export function configure(hook: HookDefinition, reaching: readonly ParsedSettings[], host: CodexHost): HookDefinition {
  const { review, event } = dataOf(hook);
  const timed = { ...hook, timeoutMs: cutTimeout(hook.timeoutMs, event) };
  return hook.skip !== undefined || review === undefined ? timed : withReview(timed, review, reaching, host);
}

function withReview(hook: HookDefinition, review: Review, reaching: readonly ParsedSettings[], host: CodexHost): HookDefinition {
  const found = reaching.flatMap(({ data }) => stateIn(data as Reviews | undefined, review.key));
  const off = found.find(({ state }) => state.enabled === false);
  if (off !== undefined) return withSkip(hook, 'disabled', `${hook.id} is switched off in ${off.file ?? 'the settings'}, [hooks.state].`);
  if (!review.isNeeded || host.bypassHookTrust) return hook;
  const trusted = found.flatMap(({ state }) => state.trustedHash ?? []);
  if (trusted.includes(review.hash)) return hook;
  const state =
    trusted.length === 0 ? 'untrusted: its definition was not reviewed' : 'modified: its definition has changed since it was reviewed';
  const remedy = `Review it in Codex with /hooks. Codex then writes into its config.toml: [hooks.state.${JSON.stringify(review.key)}] trusted_hash = "${review.hash}".`;
  return withSkip(hook, 'untrusted', `${hook.id} does not run, because for Codex it is ${state}. ${remedy}`);
}

function stateIn(reviews: Reviews | undefined, key: string): { readonly state: ReviewState; readonly file?: string }[] {
  const state = reviews?.states.get(key);
  if (state === undefined) return [];
  return [{ state, ...(reviews?.file === undefined ? {} : { file: reviews.file }) }];
}

function withSkip(hook: HookDefinition, skipReason: LoadSkip['skipReason'], reason: string): HookDefinition {
  return { ...hook, skip: { skipReason, reason } };
}

/** Returns all hooks, and a warning for each level that has hooks in both of its files. Codex expects them in one. */
export function combine(parsed: readonly ParsedSettings[], dialect: string): CombinedSettings {
  const withHooks = parsed.filter(({ hooks, file }) => hooks.length > 0 && file !== undefined);
  const diagnostics = withHooks.flatMap((document, index): Diagnostic[] => {
    const earlier = withHooks.slice(0, index).find(({ source, file }) => source === document.source && isOtherForm(file, document.file));
    if (earlier === undefined) return [];
    const { source, file, locate } = document;
    const message = `Hooks of the level "${source}" are in two files: ${earlier.file} and ${file}. All of them run, but Codex expects one form for each level.`;
    const remedy = 'Move the hooks into one of the files.';
    const place = { ...(file === undefined ? {} : { file }), ...locate?.(['hooks']) };
    return [{ code: 'split_hooks', severity: 'warning', message, remedy, dialect, source, ...place }];
  });
  return { hooks: parsed.flatMap(({ hooks }) => hooks), off: [], diagnostics };
}

function isOtherForm(one: string | undefined, other: string | undefined): boolean {
  return one?.endsWith('.toml') !== other?.endsWith('.toml');
}
