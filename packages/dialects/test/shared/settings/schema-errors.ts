import { isPlainObject } from '@tenterhook/runtime/json';

/** The part of JSON Schema, draft 7, that the schemas of the dialects use. */
export interface SchemaPart {
  readonly [keyword: string]: unknown;
}

/** Keywords that inform people and do not restrict values. */
const annotations = ['$schema', 'title', 'description', 'default', 'definitions', 'propertyNames'];

/**
 * Returns the paths where a value does not match a schema. This validator is written for the tests. It throws for a keyword that it does
 * not know, so that no part of a schema remains unchecked.
 */
export function schemaErrors(root: SchemaPart, value: unknown, schema: SchemaPart = root, path = ''): string[] {
  const errors: string[] = [];
  for (const [keyword, says] of Object.entries(schema)) {
    if (annotations.includes(keyword)) continue;
    const check = checks[keyword];
    if (check === undefined) throw new Error(`The keyword "${keyword}" at "${path}" is not known here.`);
    errors.push(...check({ root, schema, says, value, path }));
  }
  return errors;
}

/** Returns the schema at a path, with references resolved. An editor takes its completions from this schema. */
export function schemaAt(root: SchemaPart, ...steps: readonly string[]): SchemaPart {
  return steps.reduce<SchemaPart>(
    (schema, step) =>
      follow(root, (schema['properties'] as Record<string, SchemaPart> | undefined)?.[step] ?? (schema[step] as SchemaPart)),
    root,
  );
}

interface Check {
  readonly root: SchemaPart;
  readonly schema: SchemaPart;
  readonly says: unknown;
  readonly value: unknown;
  readonly path: string;
}

const checks: Record<string, (check: Check) => string[]> = {
  $ref: ({ root, schema, value, path }) => schemaErrors(root, value, follow(root, schema), path),
  type: ({ says, value, path }) => failing(typeOf(value) === says || (says === 'number' && typeof value === 'number'), path),
  const: ({ says, value, path }) => failing(value === says, path),
  enum: ({ says, value, path }) => failing((says as unknown[]).includes(value), path),
  minimum: ({ says, value, path }) => failing(typeof value !== 'number' || value >= (says as number), path),
  maximum: ({ says, value, path }) => failing(typeof value !== 'number' || value <= (says as number), path),
  minLength: ({ says, value, path }) => failing(typeof value !== 'string' || value.length >= (says as number), path),
  minItems: ({ says, value, path }) => failing(!Array.isArray(value) || value.length >= (says as number), path),
  anyOf: ({ root, says, value, path }) =>
    failing(
      (says as SchemaPart[]).some((part) => schemaErrors(root, value, part, path).length === 0),
      path,
    ),
  required: ({ says, value, path }) =>
    isPlainObject(value) ? (says as string[]).filter((key) => !(key in value)).map((key) => `${path}.${key}`) : [],
  items: ({ root, says, value, path }) =>
    Array.isArray(value) ? value.flatMap((item, index) => schemaErrors(root, item, says as SchemaPart, `${path}[${index}]`)) : [],
  properties: ({ root, says, value, path }) =>
    Object.entries(says as Record<string, SchemaPart>).flatMap(([key, part]) =>
      isPlainObject(value) && key in value ? schemaErrors(root, value[key], part, `${path}.${key}`) : [],
    ),
  additionalProperties: ({ root, schema, says, value, path }) =>
    Object.entries(isPlainObject(value) ? value : {})
      .filter(([key]) => !Object.hasOwn((schema['properties'] as object | undefined) ?? {}, key))
      .flatMap(([key, item]) => (says === false ? [`${path}.${key}`] : schemaErrors(root, item, says as SchemaPart, `${path}.${key}`))),
};

function failing(holds: boolean, path: string): string[] {
  return holds ? [] : [path];
}

function follow(root: SchemaPart, schema: SchemaPart): SchemaPart {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const target = (root['definitions'] as Record<string, SchemaPart> | undefined)?.[reference.replace('#/definitions/', '')];
  if (target === undefined) throw new Error(`There is nothing at ${reference}.`);
  return target;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}
