import { describeType } from '@tenterhook/protocol/internal';
import { code, table } from './sections.mjs';

/** Types that have a separate table. */
const linkedTypes = { llm_request: 'request', llm_response: 'response', toolConfig: 'tool-config', output: 'result' };

/** Returns every field of a zod object, in its order. `linkTo` returns the link to a type that is described elsewhere. */
export function fieldsOf(object, linkTo = () => undefined) {
  return Object.entries(object.shape).map(([name, schema]) => ({
    name: code(name),
    type: linkedType(name, linkTo) ?? describeType(schema.toJSONSchema({ io: 'input' }), code),
    isRequired: !schema.safeParse(undefined).success,
    meaning: withCode(schema.description ?? ''),
  }));
}

/** Makes a table of required and optional fields. */
export function inputTable(fields) {
  return table(
    ['field', 'type', 'present', 'meaning'],
    fields.map(({ name, type, isRequired, meaning }) => [name, type, isRequired ? 'always' : 'maybe', meaning]),
  );
}

/** Makes a table of fields that are all optional. */
export function optionalTable(fields) {
  return table(
    ['field', 'type', 'meaning'],
    fields.map(({ name, type, meaning }) => [name, type, meaning]),
  );
}

/**
 * Marks names in a description as code, if they are not ordinary words. Descriptions are plain text, because they are also in the JSON
 * Schemas.
 */
export function withCode(text) {
  const names = /^(?:true|false)\b|\b(?:[a-z]+(?:_[a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+|continue: false|config(?= is))\b/g;
  return text.replace(names, (name) => code(name));
}

function linkedType(name, linkTo) {
  const type = Object.hasOwn(linkedTypes, name) ? linkedTypes[name] : undefined;
  const address = type === undefined ? undefined : linkTo(type);
  return address === undefined ? undefined : `[${type.replace('-', ' ')}](${address})`;
}
