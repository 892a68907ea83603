import type { Diagnostic, HookDefinition, HookEventName, SettingsDocument } from '@tenterhook/protocol';
import type { DocumentPath, Reporter } from './reporter.js';

/** Where hooks are read: whose they are, and who is told what is wrong with them. */
export interface DocumentContext {
  readonly document: SettingsDocument;
  readonly reporter: Reporter;
  readonly dialect: string;
}

/** An event, and the key under which its groups stand. Several keys may be one event. */
export interface KeyedEvent {
  readonly eventName: HookEventName;
  /** The key, as the format spells it. */
  readonly dialectEvent: string;
}

export interface EventContext extends DocumentContext, KeyedEvent {}

/** What a hook inherits from where it stands. `Group` is what the format keeps of a group: its matcher, say. */
export interface GroupContext<Group> extends EventContext {
  readonly groupIndex: number;
  readonly group: Group;
  /** Why no hook of the group can run. */
  readonly invalidGroup?: Diagnostic;
}

/** A group as it was read. */
export interface ReadGroup<Group> {
  readonly group: Group;
  readonly invalidGroup?: Diagnostic;
}

/**
 * Settings of the shape `{ "hooks": { event: [ { matcher, "hooks": [ hook ] } ] } }`: what one format of this shape has to tell of itself.
 * Paths in the document are `['hooks', key, groupIndex, 'hooks', index]`, with the key as the format spells it.
 */
export interface GroupFormat<Group> {
  /** The event whose groups stand under a key; undefined where there is none of this name. */
  eventOf(key: string): HookEventName | undefined;
  /** The event that was meant by a name which may be another agent's, or in other letters; it is looked for outside of "hooks". */
  meantEvent(name: string): KeyedEvent | undefined;
  /** What to say about a key that is no event. */
  remedyForEvent(key: string): string;
  /** A key of "hooks" that is no event and is told of elsewhere, as a switch that stands in the wrong place. @default there are none */
  isOtherKey?(key: string, value: unknown): boolean;
  /** Where people put events instead of under "hooks". A list, and no search of the whole document: most of it is not about hooks. */
  readonly misplacedPlaces: readonly (readonly string[])[];
  /** An event as a remedy shows one. */
  readonly exampleEvent: string;
  /** The names of the fields of a group, so that a misspelled one can be told. */
  readonly groupFields: readonly string[];
  /** The names of the fields of its hooks, so that one of them that stands in the group can be sent there. @default only `timeout` */
  readonly hookFields?: readonly string[];
  /** Whether an object is a hook by the look of it, wherever it stands. */
  isHookLike(value: Readonly<Record<string, unknown>>): boolean;
  /** A hook as a remedy shows it: with the command of `hook`, or whatever else makes it one. */
  showHook(hook: Readonly<Record<string, unknown>>): string;
  /** The fields of a group beside its hooks; called once a group. */
  readGroup(fields: Readonly<Record<string, unknown>>, path: DocumentPath, context: EventContext): ReadGroup<Group>;
  /** One hook of a group. An invalid one stays in the list, marked, so that every event it belongs to can say so. */
  readHook(value: unknown, index: number, context: GroupContext<Group>): HookDefinition;
  /** What stands for hooks that cannot even be told apart, so that their event knows that something was meant to run. `last` ends its id. */
  invalidHook(problem: Diagnostic, last: string, context: EventContext): HookDefinition;
}

/** The path of a hook in its document. */
export function pathOfHook({ dialectEvent, groupIndex }: GroupContext<unknown>, index: number): DocumentPath {
  return ['hooks', dialectEvent, groupIndex, 'hooks', index];
}
