import type { Diagnostic, HookDefinition, HookEventName, SettingsDocument } from '@tenterhook/protocol';
import type { DocumentPath, Reporter } from './reporter.js';

/** The document that hooks are read from, and the reporter of its problems. */
export interface DocumentContext {
  readonly document: SettingsDocument;
  readonly reporter: Reporter;
  readonly dialect: string;
}

/** An event, and the key of its groups in the settings. Several keys may mean the same event. */
export interface KeyedEvent {
  readonly eventName: HookEventName;
  /** The key, as the format spells it. */
  readonly dialectEvent: string;
}

export interface EventContext extends DocumentContext, KeyedEvent {}

/** What a hook inherits from its group. `Group` is the data that the format stores for a group, such as its matcher. */
export interface GroupContext<Group> extends EventContext {
  readonly groupIndex: number;
  readonly group: Group;
  /** Why no hook of the group can run. */
  readonly invalidGroup?: Diagnostic;
}

/** What was read of a group, without its hooks. */
export interface ReadGroup<Group> {
  readonly group: Group;
  readonly invalidGroup?: Diagnostic;
}

/**
 * A format with settings of the form `{ "hooks": { event: [ { matcher, "hooks": [ hook ] } ] } }`. Paths in the document are `['hooks',
 * key, groupIndex, 'hooks', index]`, with the key as the format spells it.
 */
export interface GroupFormat<Group> {
  /** Returns the event of a key; undefined for any other key. */
  eventOf(key: string): HookEventName | undefined;
  /** Returns the event that a name outside of "hooks" probably means. The name may be another agent's, or differ in case. */
  meantEvent(name: string): KeyedEvent | undefined;
  /** Returns the remedy for a key that is not an event. */
  remedyForEvent(key: string): string;
  /**
   * Tests whether a key of "hooks" is reported elsewhere because it is not an event, e.g. a misplaced switch.
   * @default there is no such key
   */
  isOtherKey?(key: string, value: unknown): boolean;
  /** The keys outside of "hooks" where users put events by mistake. Others are not searched: most of the document is not about hooks. */
  readonly misplacedPlaces: readonly (readonly string[])[];
  /** The event that remedies use in examples. */
  readonly exampleEvent: string;
  /** The fields of a group. */
  readonly groupFields: readonly string[];
  /** The fields of a hook that users may write into the group by mistake. @default only `timeout` */
  readonly hookFields?: readonly string[];
  /** Tests whether an object looks like a hook, wherever it is. */
  isHookLike(value: Readonly<Record<string, unknown>>): boolean;
  /** Returns the text of a hook for remedies, with the command of `hook`, or with its URL or prompt if it has no command. */
  showHook(hook: Readonly<Record<string, unknown>>): string;
  /** Reads the fields of a group other than its hooks. Called once per group. */
  readGroup(fields: Readonly<Record<string, unknown>>, path: DocumentPath, context: EventContext): ReadGroup<Group>;
  /** Reads one hook of a group. An invalid hook stays in the list with a `skip`, so that results of its event report it. */
  readHook(value: unknown, index: number, context: GroupContext<Group>): HookDefinition;
  /**
   * Creates one invalid hook in place of hooks that cannot be read, so that results of their event report it. `last` is the end of the id
   * of the invalid hook. `onError` is `block` if any of the replaced hooks has this value. The event is then denied.
   */
  invalidHook(problem: Diagnostic, last: string, context: EventContext, onError: 'continue' | 'block'): HookDefinition;
}

/** Returns the path of a hook in its document. */
export function pathOfHook({ dialectEvent, groupIndex }: GroupContext<unknown>, index: number): DocumentPath {
  return ['hooks', dialectEvent, groupIndex, 'hooks', index];
}
