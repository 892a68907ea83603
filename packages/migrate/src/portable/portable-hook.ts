import type { HookDefinition, HookEventName } from '@tenterhook/protocol';

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
  | 'recheck'
  | 'mode';

/** Something that a migrated hook no longer does, or does differently. `message` is a sentence with the consequence. */
export interface HookLoss {
  readonly field: PortableField;
  readonly message: string;
}

/**
 * A tool or value that a hook's matcher selects.
 * - A tool has its name in LLxprt. A value is written as in the event catalogue. Unknown names are not changed.
 * - `*` in a name of a tool or server matches any text. The tool `*` means all of the agent's own tools.
 */
export type PortableSubject =
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly kind: 'value'; readonly value: string };

export type PortableMatcher =
  | { readonly kind: 'everything' }
  | { readonly kind: 'subjects'; readonly subjects: readonly PortableSubject[] };

/** What a hook does. The text of a command is for a POSIX shell, and uses `$LLXPRT_PROJECT_DIR` for the project directory. */
export type PortableAction =
  | { readonly kind: 'command'; readonly text: string }
  /** An action that only some agents support. `type` is its name in their settings, e.g. "prompt". */
  | { readonly kind: 'other'; readonly type: string };

/** Returns the `mode` of a hook for its portable form. */
export function modeOf({ action }: Pick<HookDefinition, 'action'>): Pick<PortableHook, 'mode'> {
  return action.kind === 'command' && action.mode !== undefined ? { mode: action.mode } : {};
}

/** A hook in a form that does not depend on any dialect. */
export interface PortableHook {
  readonly eventName: HookEventName;
  /**
   * Whether the hook runs only after successful tools, or only after failed tools. Used only for AfterTool.
   * @default the hook runs after both
   */
  readonly outcome?: 'success' | 'failure';
  readonly matcher: PortableMatcher;
  /** A further condition, in the syntax of its dialect. */
  readonly condition?: string;
  readonly action: PortableAction;
  readonly env: Readonly<Record<string, string>>;
  /** The variables that the original command uses for the project directory. @default none */
  readonly projectVariables?: readonly string[];
  readonly timeoutMs: number;
  readonly onError: 'continue' | 'block';
  readonly name?: string;
  readonly description?: string;
  /** Whether all hooks of the event run one after another, in the given order. @default false */
  readonly sequential?: true;
  readonly async?: true;
  readonly once?: true;
  readonly hidden?: true;
  readonly recheck?: false;
  /** Set if one process answers many events. @default each event has a process of its own */
  readonly mode?: 'resident';
  /** What the portable form cannot express of the original hook. */
  readonly losses: readonly HookLoss[];
}
