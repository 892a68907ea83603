import type { HookEventName, HookInputOf } from './event-catalogue.js';

/** Fields of every event that may be fired with it. The system fills in the others: the name of the event and its time. */
export interface RequestBaseFields {
  /** Id of the session; ignored by a system that has a `sessionId` of its own. @default that of the system */
  readonly session_id?: string | undefined;
  /** File that holds the transcript of the session. @default that of the system */
  readonly transcript_path?: string | undefined;
  /** Working directory of the hooks. @default that of the system */
  readonly cwd?: string | undefined;
}

/** What the system sets, or what `RequestBaseFields` has. */
type BaseField = keyof RequestBaseFields | 'hook_event_name' | 'timestamp';

/**
 * The named fields. The schemas are loose, so the type of an input has an index signature too; with it a misspelt field would be accepted. Fields
 * that are not named still pass through to the hooks: spread them in from a variable.
 */
type EventFields<Input> = {
  readonly [Field in keyof Input as string extends Field ? never : Field extends BaseField ? never : Field]: Input[Field];
};

/**
 * What an event is fired with: its fields, required and optional as in its schema, without the base fields that the system fills in. For a
 * name that is known only at run time (`HookEventName`) any object; the service validates it.
 */
export type HookFieldsOf<Name extends HookEventName> = HookEventName extends Name
  ? Readonly<Record<string, unknown>>
  : { readonly [Each in Name]: EventFields<HookInputOf<Each>> & RequestBaseFields }[Name];
