import type { HookWarning } from '@tenterhook/protocol';

/** What a handler said, read. `modified` is the arguments whole, or the fields that are rewritten (decision 48a). */
export type Answer =
  | { readonly kind: 'continue'; readonly modified?: Readonly<Record<string, unknown>> }
  | { readonly kind: 'block'; readonly reason: string }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'skip' };

export type ReadAnswer =
  | { readonly answer: Answer; readonly warnings: readonly HookWarning[] }
  /** It is no answer: a failed call. */
  | { readonly failure: string };
