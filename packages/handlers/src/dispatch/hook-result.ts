import type { HookWarning } from '@tenterhook/protocol';

/** What `fire` gives. Never Skip: that is Continue with what was modified so far (decision 37). */
export type HookResult = { readonly warnings: readonly HookWarning[] } & (
  | { readonly action: 'Continue'; readonly modified?: Readonly<Record<string, unknown>> }
  | { readonly action: 'Block'; readonly reason: string }
  /** The caller may do the operation again after this time (decision 38). */
  | { readonly action: 'Retry'; readonly retry_delay_ms: number }
);

/** The words of seed 002 for a failure that `onError: 'block'` closed. */
export function deniesForFailure(hookId: string, cause: string): string {
  return `Hook "${hookId}" denies because it could not do its work (onError: block). ${cause}`;
}
