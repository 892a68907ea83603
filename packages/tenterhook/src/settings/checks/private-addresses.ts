import { loadAddressRules } from '@tenterhook/engine/internal';
import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { placeOfHook } from '@tenterhook/protocol/internal';

/**
 * Returns a warning for each http hook whose URL has a private address that is not allowed, because this hook fails at every event. A
 * dialect does not know which addresses the caller of `createHooks` allows, so it cannot check them.
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

/** Returns the host of a URL. Returns undefined for an invalid URL, because the hook itself reports it. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
