import type { HookEventName, HookInputOf } from './event-catalogue.js';

/**
 * Base fields that callers may set when they fire an event. The system sets the other base fields: the name and the time of the
 * event.
 */
export interface RequestBaseFields {
  /** Id of the session. Ignored if the system was created with a `sessionId`. @default the session id of the system */
  readonly session_id?: string | undefined;
  /** File with the transcript of the session. @default the file of the system */
  readonly transcript_path?: string | undefined;
  /** Working directory of the hooks. @default the directory of the system */
  readonly cwd?: string | undefined;
}

type BaseField = keyof RequestBaseFields | 'hook_event_name' | 'timestamp';

/**
 * The fields that the schema of an event names. The schema also has an index signature, which allows other fields. This type
 * removes it, because with it a misspelt field would compile. To pass other fields to hooks, callers spread a variable into the
 * input.
 */
type EventFields<Input> = {
  readonly [Field in keyof Input as string extends Field ? never : Field extends BaseField ? never : Field]: Input[Field];
};

/**
 * The fields that a caller passes to fire an event. A field is required if the schema requires it. If the event is known only at
 * run time (`HookEventName`), any object is accepted, and the service validates it.
 */
export type HookFieldsOf<Name extends HookEventName> = HookEventName extends Name
  ? Readonly<Record<string, unknown>>
  : { readonly [Each in Name]: EventFields<HookInputOf<Each>> & RequestBaseFields }[Name];
