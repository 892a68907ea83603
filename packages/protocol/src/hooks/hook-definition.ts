import type { HookCode, SkipReason } from '../codes.js';
import type { HookEventName } from '../events/event-catalogue.js';

/** What a hook does when it runs; `kind` says which executor runs it. */
export type HookAction =
  /** A shell command, or with `args` a program that is run without a shell. */
  | { readonly kind: 'command'; readonly command: string; readonly args?: readonly string[] }
  /** A function of this or another process. */
  | { readonly kind: 'call'; readonly handlerId: string }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly allowedEnvVars: readonly string[];
    }
  /** Something only the host can do, such as asking a model; run by a callback it gives. */
  | { readonly kind: 'host'; readonly type: string; readonly data: Readonly<Record<string, unknown>> };

/** A hook that is known before any event that it will not run. It still stands in every plan, so that nobody has to wonder. */
export interface LoadSkip {
  readonly skipReason: SkipReason;
  /** A sentence for people, with file and line where there is one. */
  readonly reason: string;
  readonly warning?: { readonly code: HookCode | string; readonly message: string };
}

/**
 * One configured hook (seed 000's `HookDefinition`, a matcher with its hooks, is called a hook group here).
 * Immutable once its source has handed it over: an event in flight keeps the set it started with (decision 35).
 */
export interface HookDefinition {
  /** `<dialect>/<source>/<event>/<name, else group.index>`; unique, and stable while the settings are. */
  readonly id: string;
  readonly dialect: string;
  /** `project`, `local`, `user`, `system`, `managed`, `extension:<name>`, `plugin:<name>`, `settings`, `settings:<n>`, `handler`. */
  readonly source: string;
  /**
   * The source that owns what it runs, where that is another than `source`: a script of the project that a user's hook names. The host is
   * asked about both. @default source
   */
  readonly codeSource?: string;
  readonly eventName: HookEventName;
  /** The event as the dialect spells it. */
  readonly dialectEvent: string;
  readonly name?: string;
  readonly description?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Where in the document, for example `hooks.BeforeTool[1].hooks[0]`. */
  readonly path?: string;
  /** How `list` and `explain` print what the hook is for: its matcher as written. */
  readonly matcher?: string;
  /** The same of a condition that stands beside the matcher: as written. */
  readonly condition?: string;
  /** Milliseconds, from the start of the process. */
  readonly timeoutMs: number;
  /** Milliseconds that its executor may take as a whole, where one run is several that have `timeoutMs` each. @default timeoutMs */
  readonly longestMs?: number;
  /** What a failure, a timeout and a lost turn mean: nothing (`continue`), or deny (`block`), an answer that cannot be read included. */
  readonly onError: 'continue' | 'block';
  /** Started and not waited for; its outcome is `detached`. */
  readonly async?: boolean;
  /** Runs once in a session, whatever came of it; after that it is `skipped` with the reason `once`. @default at every event that it is for */
  readonly once?: true;
  /**
   * Its settings ask that its runs are not shown in the chat. Progress messages about it have `hidden: true`, so that a chat can leave them
   * out; nothing else changes. @default its runs are shown
   */
  readonly hidden?: true;
  readonly action: HookAction;
  /** The `kind` of the executor that runs it, where several run the same kind of action. @default the kind of its invocation */
  readonly executor?: string;
  /** Hooks of one dialect and event with the same key run once (decision 22); absent: never a duplicate. */
  readonly dedupeKey?: string;
  readonly skip?: LoadSkip;
  /** What only the dialect understands: compiled matchers, flags, environment. */
  readonly dialectData: unknown;
}

/** `<dialect>/<source>/<event>/<name, else group.index>` (design §4.5); a `/` inside a part would make two ids one. */
export function hookIdOf(dialect: string, source: string, eventName: string, last: string): string {
  return [dialect, source, eventName, last].map((part) => part.replaceAll('/', '%2F')).join('/');
}
