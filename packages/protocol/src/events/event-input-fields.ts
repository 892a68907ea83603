import { eventEntry, type HookEventName } from './event-catalogue.js';

/** A field of an event's input, as the documentation shows it. */
export interface InputField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly meaning: string;
}

/** Returns the fields of an event, without the fields that all events have. */
export function inputFieldsOf(eventName: HookEventName): InputField[] {
  // HostStart has only the fields that all events have.
  const shared = eventEntry('HostStart').input.shape;
  return Object.entries(eventEntry(eventName).input.shape)
    .filter(([name]) => !Object.hasOwn(shared, name))
    .map(([name, schema]) => ({
      name,
      type: describeType(schema.toJSONSchema({ io: 'input' }) as TypeSchema),
      required: !schema.safeParse(undefined).success,
      meaning: schema.description ?? '',
    }));
}

interface TypeSchema {
  readonly type?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly items?: unknown;
  readonly anyOf?: readonly unknown[] | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns a type in words for a table of fields, e.g. `string`, `array of string`, `startup, resume`. `code` formats values and
 * names.
 */
export function describeType(schema: TypeSchema, code: (text: string) => string = (text) => text): string {
  const { type, enum: words, const: word, items, anyOf, properties } = schema;
  if (word !== undefined) return code(JSON.stringify(word));
  if (words !== undefined) return words.map((each) => code(String(each))).join(', ');
  if (anyOf !== undefined) return anyOf.map((each) => describeType(each as TypeSchema, code)).join(' or ');
  if (type === 'array') {
    const item = items === undefined ? 'any' : describeType(items as TypeSchema, code);
    return `array of ${item === 'any' ? 'anything' : item}`;
  }
  if (type === 'object' && properties !== undefined) return `object: ${Object.keys(properties).map(code).join(', ')}`;
  return type ?? 'any';
}
