import type { HookEventName } from '@tenterhook/protocol';

/** A part of a hook that a migration treats separately. */
export type PortableField =
  | 'event'
  | 'matcher'
  | 'condition'
  | 'action'
  | 'timeout'
  | 'onError'
  | 'name'
  | 'description'
  | 'env'
  | 'sequential'
  | 'async'
  | 'once'
  | 'hidden'
  | 'recheck';

/** What a hook no longer expresses, or expresses differently, and the consequence, as a sentence for people. */
export interface HookLoss {
  readonly field: PortableField;
  readonly message: string;
}

/**
 * One subject of a hook. Tools have LLxprt's names, which are the canonical ones, and values those of the event catalogue; unknown names
 * stay unchanged. In `server`, `tool` and the `name` of a tool, `*` means any text; `name: '*'` means all of the agent's own tools.
 */
export type PortableSubject =
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly kind: 'value'; readonly value: string };

export type PortableMatcher =
  | { readonly kind: 'everything' }
  | { readonly kind: 'subjects'; readonly subjects: readonly PortableSubject[] };

/**
 * What a hook does. The text of a command is for a POSIX shell and spells the project directory `$LLXPRT_PROJECT_DIR`, in any form that a
 * shell has for a variable.
 */
export type PortableAction =
  | { readonly kind: 'command'; readonly text: string }
  /** An action that only some agents support; `type` is its name in their settings. */
  | { readonly kind: 'other'; readonly type: string };

/** A hook in a form that is independent of every dialect. */
export interface PortableHook {
  readonly eventName: HookEventName;
  /** For AfterTool: only after tools that succeeded, or only after tools that failed. @default after both */
  readonly outcome?: 'success' | 'failure';
  readonly matcher: PortableMatcher;
  /** A further condition, as its dialect writes it. */
  readonly condition?: string;
  readonly action: PortableAction;
  readonly env: Readonly<Record<string, string>>;
  /** The names that the command uses for the project directory, as written. @default none */
  readonly projectVariables?: readonly string[];
  readonly timeoutMs: number;
  readonly onError: 'continue' | 'block';
  readonly name?: string;
  readonly description?: string;
  /** It runs in a chain with the other hooks of its event, in the given order. @default false */
  readonly sequential?: true;
  readonly async?: true;
  readonly once?: true;
  readonly hidden?: true;
  readonly recheck?: false;
  /** What could not be expressed in this form. */
  readonly losses: readonly HookLoss[];
}
