import type { HookEventName } from '@tenterhook/protocol';

/** A part of a hook that a migration treats by itself. */
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
  | 'hidden';

/** What a hook no longer says, or says in another way, and what follows from it: a sentence for people. */
export interface HookLoss {
  readonly field: PortableField;
  readonly message: string;
}

/**
 * One of the things that a hook is for. Tools have LLxprt's names, which are the canonical ones, and values those of the event catalogue; what no
 * table knows keeps its name. In `server`, `tool` and the `name` of a tool, `*` means any text; `name: '*'` is every tool of the agent's own.
 */
export type PortableSubject =
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly kind: 'value'; readonly value: string };

export type PortableMatcher =
  | { readonly kind: 'everything' }
  | { readonly kind: 'subjects'; readonly subjects: readonly PortableSubject[] };

/**
 * What a hook does. The text of a command is for a POSIX shell and spells the project's directory `$LLXPRT_PROJECT_DIR`, in all forms that a shell
 * has for a variable.
 */
export type PortableAction =
  | { readonly kind: 'command'; readonly text: string }
  /** What only some agents can do; `type` is what their settings call it. */
  | { readonly kind: 'other'; readonly type: string };

/** What every dialect can say of a hook, in the words of none. */
export interface PortableHook {
  readonly eventName: HookEventName;
  /** Of AfterTool: only after a tool that worked, or only after one that failed. @default after both */
  readonly outcome?: 'success' | 'failure';
  readonly matcher: PortableMatcher;
  /** A further condition, as its dialect writes it. */
  readonly condition?: string;
  readonly action: PortableAction;
  readonly env: Readonly<Record<string, string>>;
  /** The names under which the command knows the project's directory, as it was written. @default none */
  readonly projectVariables?: readonly string[];
  readonly timeoutMs: number;
  readonly onError: 'continue' | 'block';
  readonly name?: string;
  readonly description?: string;
  /** It runs in a chain with the other hooks of its event, in the order in which they are handed over. @default false */
  readonly sequential?: true;
  readonly async?: true;
  readonly once?: true;
  readonly hidden?: true;
  /** What could not be put into these words already. */
  readonly losses: readonly HookLoss[];
}
