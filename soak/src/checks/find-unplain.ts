import { DefaultHookOutput } from 'tenterhook';

const deepest = 300;

/** Where in a value something is that JSON does not carry as it is; undefined when it is plain. */
export function findUnplain(value: unknown, path = '', depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${path} is ${value}`;
    case 'object':
      return value === null ? undefined : findInObject(value, path, depth);
    default:
      return `${path} is of the type ${typeof value}`;
  }
}

function findInObject(value: object, path: string, depth: number): string | undefined {
  if (depth > deepest) return `${path} is nested deeper than ${deepest} levels, or in itself`;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An output object is its own plain form: all its data are own fields.
  const isPlain = Array.isArray(value) || prototype === Object.prototype || prototype === null || value instanceof DefaultHookOutput;
  if (!isPlain) return `${path} is a ${(prototype as { constructor?: { name?: string } }).constructor?.name ?? 'strange object'}`;
  for (const [key, item] of Object.entries(value)) {
    const found = findUnplain(item, `${path}.${key}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
