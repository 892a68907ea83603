import { loadAddressRules } from '@tenterhook/engine/internal';
import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { placeOfHook } from '@tenterhook/protocol/internal';

/**
 * Returns a warning for each http hook whose URL has a private address that is not allowed. Such a hook fails at every event. Dialects
 * cannot do this, because they do not know which addresses the caller of `createHooks` allows.
 */
export async function findRefusedAddresses(
  hooks: readonly HookDefinition[],
  allowed: boolean | readonly string[] | undefined,
): Promise<Diagnostic[]> {
  const posts = hooks.flatMap((hook) => {
    const { skip, action } = hook;
    const host = skip === undefined && action.kind === 'http' ? hostOf(action.url) : undefined;
    return host === undefined || action.kind !== 'http' ? [] : [{ hook, host, callsThisMachine: action.callsThisMachine === true }];
  });
  if (posts.length === 0) return [];
  const { allowingRemedy, createPolicy, isRefusedByName } = await loadAddressRules();
  return posts
    .filter(({ host, callsThisMachine }) => isRefusedByName(host, createPolicy(allowed, callsThisMachine)))
    .map(({ hook, host }) => ({
      code: 'private_address',
      severity: 'warning',
      message: `The URL of the hook has the private address ${host}, and hooks may not send requests to it. The hook fails.`,
      remedy: `${allowingRemedy(host)}.`,
      ...placeOfHook(hook),
    }));
}

/** Returns the host of a URL, or undefined for an invalid URL. The hook itself reports the invalid URL. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
