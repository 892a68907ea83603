import type { HookEventName } from '@tenterhook/protocol';

/** A part of a hook that a migration can lose. */
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

/** Something that a migrated hook does not do any more, or does differently. `message` is a sentence with the consequence. */
export interface HookLoss {
  readonly field: PortableField;
  readonly message: string;
}

/**
 * A tool or value that a hook's matcher selects.
 * - The name of a tool is its name in LLxprt. A value is written as in the event catalogue. Unknown names are not changed.
 * - `*` in a name of a tool or server means any text. The tool `*` means all of the agent's own tools.
 */
export type PortableSubject =
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly kind: 'value'; readonly value: string };

export type PortableMatcher =
  | { readonly kind: 'everything' }
  | { readonly kind: 'subjects'; readonly subjects: readonly PortableSubject[] };

/** What a hook does. The text of a command is for a POSIX shell. In the text, `$LLXPRT_PROJECT_DIR` is the project directory. */
export type PortableAction =
  | { readonly kind: 'command'; readonly text: string }
  /** An action that only some agents support. `type`: its name in their settings. */
  | { readonly kind: 'other'; readonly type: string };

/** A hook in a form that does not depend on any dialect. */
export interface PortableHook {
  readonly eventName: HookEventName;
  /**
   * For AfterTool: whether the hook runs only after tools that succeeded, or only after tools that failed.
   * @default the hook runs after both
   */
  readonly outcome?: 'success' | 'failure';
  readonly matcher: PortableMatcher;
  /** A further condition, in the syntax of its dialect. */
  readonly condition?: string;
  readonly action: PortableAction;
  readonly env: Readonly<Record<string, string>>;
  /** The variables by which the original command names the project directory. @default none */
  readonly projectVariables?: readonly string[];
  readonly timeoutMs: number;
  readonly onError: 'continue' | 'block';
  readonly name?: string;
  readonly description?: string;
  /** True if all hooks of the event run one after another, in the given order. @default false */
  readonly sequential?: true;
  readonly async?: true;
  readonly once?: true;
  readonly hidden?: true;
  readonly recheck?: false;
  /** What this form cannot express of the original hook. */
  readonly losses: readonly HookLoss[];
}
