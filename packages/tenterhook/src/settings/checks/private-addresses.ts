import { loadAddressRules } from '@tenterhook/engine/internal';
import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { placeOfHook } from '@tenterhook/protocol/internal';

/**
 * Returns a warning for each http hook whose URL has a private address that is not allowed. Such a hook fails at every event. Dialects
 * cannot do this, because only the caller of `createHooks` knows what is allowed.
 */
export async function findRefusedAddresses(hooks: readonly HookDefinition[], allowed: boolean | readonly string[]): Promise<Diagnostic[]> {
  const posts = hooks.flatMap((hook) => {
    const host = hook.skip === undefined && hook.action.kind === 'http' ? hostOf(hook.action.url) : undefined;
    return host === undefined ? [] : [{ hook, host }];
  });
  if (posts.length === 0) return [];
  const { AddressPolicy, allowingRemedy, isRefusedByName } = await loadAddressRules();
  const policy = new AddressPolicy(allowed);
  return posts
    .filter(({ host }) => isRefusedByName(host, policy))
    .map(({ hook, host }) => ({
      code: 'private_address',
      severity: 'warning',
      message: `The URL of the hook has the private address ${host}, and hooks may not send requests to it. The hook fails.`,
      remedy: `${allowingRemedy(host)}.`,
      ...placeOfHook(hook),
    }));
}

/** Returns the host of a URL. Undefined for an invalid URL, which the hook itself reports. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
