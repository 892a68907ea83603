import { code, table } from './sections.mjs';

/** Types with a separate table. */
const linkedTypes = { llm_request: 'request', llm_response: 'response', toolConfig: 'tool-config', output: 'result' };

/** Every field of a zod object, in its order. `linkTo` returns the link to a type that is described elsewhere. */
export function fieldsOf(object, linkTo = () => undefined) {
  return Object.entries(object.shape).map(([name, schema]) => ({
    name: code(name),
    type: linkedType(name, linkTo) ?? typeOf(schema.toJSONSchema({ io: 'input' })),
    isRequired: !schema.safeParse(undefined).success,
    meaning: withCode(schema.description ?? ''),
  }));
}

/** For required and optional fields. */
export function inputTable(fields) {
  return table(
    ['field', 'type', 'present', 'meaning'],
    fields.map(({ name, type, isRequired, meaning }) => [name, type, isRequired ? 'always' : 'maybe', meaning]),
  );
}

/** If every field is optional. */
export function optionalTable(fields) {
  return table(
    ['field', 'type', 'meaning'],
    fields.map(({ name, type, meaning }) => [name, type, meaning]),
  );
}

export function typeOf({ type, enum: words, const: word, items, anyOf, properties }) {
  if (word !== undefined) return code(JSON.stringify(word));
  if (words !== undefined) return words.map((each) => code(each)).join(', ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (type === 'array') return `array of ${items === undefined || typeOf(items) === 'any' ? 'anything' : typeOf(items)}`;
  if (type === 'object' && properties !== undefined) return `object: ${Object.keys(properties).map(code).join(', ')}`;
  return type ?? 'any';
}

/** Descriptions are plain text, because they are also in the JSON Schemas; names in them that only a machine writes become code. */
export function withCode(text) {
  const names = /^(?:true|false)\b|\b(?:[a-z]+(?:_[a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+|continue: false|config(?= is))\b/g;
  return text.replace(names, (name) => code(name));
}

function linkedType(name, linkTo) {
  const type = Object.hasOwn(linkedTypes, name) ? linkedTypes[name] : undefined;
  const address = type === undefined ? undefined : linkTo(type);
  return address === undefined ? undefined : `[${type.replace('-', ' ')}](${address})`;
}
