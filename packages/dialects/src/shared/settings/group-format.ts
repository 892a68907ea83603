import type { Diagnostic, HookDefinition, HookEventName, SettingsDocument } from '@tenterhook/protocol';
import type { DocumentPath, Reporter } from './reporter.js';

export interface DocumentContext {
  readonly document: SettingsDocument;
  readonly reporter: Reporter;
  readonly dialect: string;
  /** Where the events are in the document. @default ['hooks'] */
  readonly section?: DocumentPath;
}

/** An event, and the key of its groups in the settings. Several keys may mean the same event. */
export interface KeyedEvent {
  readonly eventName: HookEventName;
  /** The key in the spelling of the format. */
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

export interface ReadGroup<Group> {
  readonly group: Group;
  readonly invalidGroup?: Diagnostic;
}

/**
 * A format with settings of the form `{ "hooks": { event: [ { matcher, "hooks": [ hook ] } ] } }`. Paths in the document are
 * `['hooks', key, groupIndex, 'hooks', index]`, with the key in the spelling of the format.
 */
export interface GroupFormat<Group> {
  /** Returns the event of a key, or undefined for any other key. */
  eventOf(key: string): HookEventName | undefined;
  /** Returns the event that a name outside "hooks" probably means. The name may come from another agent, or differ in case. */
  meantEvent(name: string): KeyedEvent | undefined;
  /** Returns the remedy for a key that is not an event. */
  remedyForEvent(key: string): string;
  /**
   * Tests for a key of "hooks" that is not an event and that another function reports, e.g. a misplaced switch.
   * @default there is no such key
   */
  isOtherKey?(key: string, value: unknown): boolean;
  /**
   * The keys outside "hooks" where users put events by mistake. Other keys are not searched, because most of the document is not
   * about hooks.
   */
  readonly misplacedPlaces: readonly (readonly string[])[];
  /** The event that remedies use in examples. */
  readonly exampleEvent: string;
  readonly groupFields: readonly string[];
  /** The fields of a hook that users may write into the group by mistake. @default only `timeout` */
  readonly hookFields?: readonly string[];
  /** Tests whether an object looks like a hook, wherever it is. */
  isHookLike(value: Readonly<Record<string, unknown>>): boolean;
  /** Returns the text of a hook for remedies. It contains the command of `hook`, or else its URL or prompt. */
  showHook(hook: Readonly<Record<string, unknown>>): string;
  /** Reads the fields of a group other than its hooks. Called once per group. */
  readGroup(fields: Readonly<Record<string, unknown>>, path: DocumentPath, context: EventContext): ReadGroup<Group>;
  /** Reads one hook of a group. An invalid hook stays in the list with a `skip`, so that the results of its event report it. */
  readHook(value: unknown, index: number, context: GroupContext<Group>): HookDefinition;
  /**
   * Creates one invalid hook in place of hooks that cannot be read, so that the results of their event report them. `last` is the
   * end of its id. `onError` is `block` if any of the replaced hooks has this value, and the event is then denied.
   */
  invalidHook(problem: Diagnostic, last: string, context: EventContext, onError: 'continue' | 'block'): HookDefinition;
}

export function pathOfEvent({ section = ['hooks'], dialectEvent }: EventContext): DocumentPath {
  return [...section, dialectEvent];
}

export function pathOfHook(context: GroupContext<unknown>, index: number): DocumentPath {
  return [...pathOfEvent(context), context.groupIndex, 'hooks', index];
}
