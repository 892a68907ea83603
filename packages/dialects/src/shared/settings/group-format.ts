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

/** What a hook takes over from its group. `Group` is the data that the format stores for a group, such as its matcher. */
export interface GroupContext<Group> extends EventContext {
  readonly groupIndex: number;
  readonly group: Group;
  /** Why no hook of the group can run. */
  readonly invalidGroup?: Diagnostic;
}

/** The content of a group without its hooks. */
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
  /** Returns the event that a name outside of "hooks" probably means. The name may come from another agent, or differ in case. */
  meantEvent(name: string): KeyedEvent | undefined;
  /** Returns the remedy for a key that is not an event. */
  remedyForEvent(key: string): string;
  /**
   * Tests whether another function reports a key of "hooks", because the key is not an event. An example is a misplaced switch.
   * @default there is no such key
   */
  isOtherKey?(key: string, value: unknown): boolean;
  /**
   * The keys outside of "hooks" where users put events by mistake. Other keys are not searched, because most of the document is not about
   * hooks.
   */
  readonly misplacedPlaces: readonly (readonly string[])[];
  /** The event that remedies use in examples. */
  readonly exampleEvent: string;
  /** The fields of a group. */
  readonly groupFields: readonly string[];
  /** The fields of a hook that users may write into the group by mistake. @default only `timeout` */
  readonly hookFields?: readonly string[];
  /** Tests whether an object looks like a hook, wherever it is. */
  isHookLike(value: Readonly<Record<string, unknown>>): boolean;
  /**
   * Returns the text of a hook for remedies. It contains the command of `hook`. If the hook has no command, the text contains its URL or
   * prompt.
   */
  showHook(hook: Readonly<Record<string, unknown>>): string;
  /** Reads the fields of a group other than its hooks. Called once per group. */
  readGroup(fields: Readonly<Record<string, unknown>>, path: DocumentPath, context: EventContext): ReadGroup<Group>;
  /** Reads one hook of a group. An invalid hook stays in the list with a `skip`. So the results of its event report the hook. */
  readHook(value: unknown, index: number, context: GroupContext<Group>): HookDefinition;
  /**
   * Creates one invalid hook for hooks that cannot be read. So the results of their event report them. `last` is the end of the id of the
   * invalid hook. `onError` is `block` if any of the replaced hooks has this value. The event is then denied.
   */
  invalidHook(problem: Diagnostic, last: string, context: EventContext, onError: 'continue' | 'block'): HookDefinition;
}

/** Returns the path of a hook in its document. */
export function pathOfHook({ dialectEvent, groupIndex }: GroupContext<unknown>, index: number): DocumentPath {
  return ['hooks', dialectEvent, groupIndex, 'hooks', index];
}
