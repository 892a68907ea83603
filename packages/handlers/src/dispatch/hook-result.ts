import type { HandlerWarning } from '../handler-warning.js';

/** What `fire` gives. Never Skip: that is Continue with what was modified so far (decision 37). */
export type HookResult = { readonly warnings: readonly HandlerWarning[] } & (
  | {
      readonly action: 'Continue';
      readonly modified?: Readonly<Record<string, unknown>>;
      readonly reason?: undefined;
      readonly retry_delay_ms?: undefined;
    }
  | { readonly action: 'Block'; readonly reason: string; readonly modified?: undefined; readonly retry_delay_ms?: undefined }
  /** The caller may do the operation again after this time (decision 38). */
  | { readonly action: 'Retry'; readonly retry_delay_ms: number; readonly modified?: undefined; readonly reason?: undefined }
);
