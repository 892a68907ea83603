import type { ToolInput, ToolSchema } from '@tenterhook/agent';
import { type Fields, fieldsOf, listOf } from '@tenterhook/agent/internal';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';

interface Issue {
  readonly message: string;
  readonly path: readonly string[];
}

/**
 * Checks an input that hooks rewrote against the JSON schema of the tool, because the SDK would tell the model a general error that does not
 * name the hook. Types, names, required fields and enumerations are checked; the tool checks the rest. The input of the model is not
 * checked here.
 */
export function rewrittenInputSchema(schema: unknown, original: ToolInput): ToolSchema {
  return {
    '~standard': {
      validate: (value) => {
        if (isSameJson(value, original)) return {};
        const issues = findIssues(fieldsOf(schema), value, []);
        return issues.length === 0 ? {} : { issues };
      },
    },
  };
}

function findIssues(schema: Fields, value: unknown, path: readonly string[]): Issue[] {
  const { type, enum: values, properties, required, items, additionalProperties } = schema;
  const types = listOf(Array.isArray(type) ? type : type === undefined ? [] : [type]);
  if (types.length > 0 && !types.some((each) => hasType(value, each))) return [{ message: `must be ${types.join(' or ')}`, path }];
  if (Array.isArray(values) && !values.some((each) => isSameJson(each, value)))
    return [{ message: `must be one of ${values.map((each) => JSON.stringify(each)).join(', ')}`, path }];
  if (Array.isArray(value)) return value.flatMap((item, index) => findIssues(fieldsOf(items), item, [...path, String(index)]));
  if (!isPlainObject(value)) return [];
  const known = fieldsOf(properties);
  const missing = listOf(required).filter((name) => typeof name === 'string' && !Object.hasOwn(value, name)) as string[];
  const unknown = additionalProperties === false ? Object.keys(value).filter((name) => !Object.hasOwn(known, name)) : [];
  return [
    ...missing.map((name) => ({ message: 'is missing', path: [...path, name] })),
    ...unknown.map((name) => ({ message: 'is not a field of the tool', path: [...path, name] })),
    ...Object.entries(value).flatMap(([name, field]) => findIssues(fieldsOf(known[name]), field, [...path, name])),
  ];
}

function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'object':
      return isPlainObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}
