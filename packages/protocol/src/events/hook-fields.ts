import type { HookEventName, HookInputOf } from './event-catalogue.js';

/** Base fields that callers may set when they fire an event. The system sets the other base fields: the name of the event and its time. */
export interface RequestBaseFields {
  /** Id of the session. Ignored by a system that was created with a `sessionId`. @default the session id of the system */
  readonly session_id?: string | undefined;
  /** File that holds the transcript of the session. @default that of the system */
  readonly transcript_path?: string | undefined;
  /** Working directory of the hooks. @default that of the system */
  readonly cwd?: string | undefined;
}

/** The base fields: those that callers may set, and those that only the system sets. */
type BaseField = keyof RequestBaseFields | 'hook_event_name' | 'timestamp';

/**
 * The fields that the schema of an event names. The index signature of a loose schema is removed, because with it the compiler would accept
 * a misspelt field. To pass other fields to hooks, callers spread a variable into the input.
 */
type EventFields<Input> = {
  readonly [Field in keyof Input as string extends Field ? never : Field extends BaseField ? never : Field]: Input[Field];
};

/**
 * The fields that a caller passes to fire an event, without the base fields that the system sets; a field is required if the schema
 * requires it. If the name is known only at run time (`HookEventName`), any object is accepted, and the service validates it.
 */
export type HookFieldsOf<Name extends HookEventName> = HookEventName extends Name
  ? Readonly<Record<string, unknown>>
  : { readonly [Each in Name]: EventFields<HookInputOf<Each>> & RequestBaseFields }[Name];
