import type { Diagnostic, HookDefinition, HookEventName, SettingsDocument } from '@tenterhook/protocol';
import type { DocumentPath, Reporter } from './reporter.js';

/** The document that hooks are read from, and the reporter of its problems. */
export interface DocumentContext {
  readonly document: SettingsDocument;
  readonly reporter: Reporter;
  readonly dialect: string;
}

/** An event, and the key of its groups in the settings. Several keys may be one event. */
export interface KeyedEvent {
  readonly eventName: HookEventName;
  /** The key, in the format's spelling. */
  readonly dialectEvent: string;
}

export interface EventContext extends DocumentContext, KeyedEvent {}

/** What a hook inherits from its group. `Group` is what the format keeps of a group, such as its matcher. */
export interface GroupContext<Group> extends EventContext {
  readonly groupIndex: number;
  readonly group: Group;
  /** Why no hook of the group can run. */
  readonly invalidGroup?: Diagnostic;
}

/** A group without its hooks. */
export interface ReadGroup<Group> {
  readonly group: Group;
  readonly invalidGroup?: Diagnostic;
}

/**
 * One format with settings of the shape `{ "hooks": { event: [ { matcher, "hooks": [ hook ] } ] } }`.
 * Paths in the document are `['hooks', key, groupIndex, 'hooks', index]`, with the key in the format's spelling.
 */
export interface GroupFormat<Group> {
  /** The event of a key; undefined for any other key. */
  eventOf(key: string): HookEventName | undefined;
  /** The event that a name outside of "hooks" means. The name may be another agent's, or in another case. */
  meantEvent(name: string): KeyedEvent | undefined;
  /** The remedy for a key that is not an event. */
  remedyForEvent(key: string): string;
  /** Whether a key of "hooks" is not an event and is reported elsewhere, as a misplaced switch is. @default no key */
  isOtherKey?(key: string, value: unknown): boolean;
  /** The places outside of "hooks" where users put events. The rest of the document is not searched: most of it is not about hooks. */
  readonly misplacedPlaces: readonly (readonly string[])[];
  /** An event for remedies. */
  readonly exampleEvent: string;
  /** The fields of a group. */
  readonly groupFields: readonly string[];
  /** The fields of a hook that users may write into the group by mistake. @default only `timeout` */
  readonly hookFields?: readonly string[];
  /** Whether an object looks like a hook, wherever it is. */
  isHookLike(value: Readonly<Record<string, unknown>>): boolean;
  /** A hook for remedies, with the command of `hook` or what it has instead. */
  showHook(hook: Readonly<Record<string, unknown>>): string;
  /** The fields of a group other than its hooks. Called once per group. */
  readGroup(fields: Readonly<Record<string, unknown>>, path: DocumentPath, context: EventContext): ReadGroup<Group>;
  /** One hook of a group. An invalid one stays in the list with a `skip`, so that its event can report it. */
  readHook(value: unknown, index: number, context: GroupContext<Group>): HookDefinition;
  /**
   * A placeholder for hooks that cannot be read at all, so that their event can report them. `last` ends its id. `onError` is `block` if a hook in
   * the unreadable part asks for it: the event is then denied.
   */
  invalidHook(problem: Diagnostic, last: string, context: EventContext, onError: 'continue' | 'block'): HookDefinition;
}

/** The path of a hook in its document. */
export function pathOfHook({ dialectEvent, groupIndex }: GroupContext<unknown>, index: number): DocumentPath {
  return ['hooks', dialectEvent, groupIndex, 'hooks', index];
}
