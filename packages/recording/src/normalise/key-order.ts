import { aggregatedHookResultSchema, changeSchema, hookOutcomeSchema, verdictSchema, warningSchema } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';

const fieldsOf = (schema: { readonly shape: object }) => Object.keys(schema.shape);

/** The fields of the objects of the protocol, in the order of its schemas, by the path of the object. */
const orders: readonly (readonly [path: RegExp, fields: () => readonly string[]])[] = [
  [/^$/, () => ['correlationId', 'eventName', 'input', 'recheck', 'reason', 'success', 'output', 'error']],
  [/^output$/, () => fieldsOf(aggregatedHookResultSchema)],
  [/^(?:output|error\.details)\.verdict$/, () => fieldsOf(verdictSchema)],
  [/^output\.changes\.\d+$/, () => fieldsOf(changeSchema)],
  [/^(?:output|error\.details)\.outcomes\.\d+$/, () => fieldsOf(hookOutcomeSchema)],
  [/^(?:output|error\.details)\.(?:errors|outcomes\.\d+\.warnings)\.\d+$/, () => [...fieldsOf(warningSchema), 'hookId']],
  [/^error$/, () => ['code', 'message', 'details']],
];

/**
 * Copies a payload with the keys of the protocol's objects in the protocol's order. Other objects keep their order, because a program
 * wrote them that way.
 */
export function inKeyOrder(value: unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item, index) => inKeyOrder(item, `${path}.${index}`));
  if (!isPlainObject(value)) return value;
  const fields = orders.find(([pattern]) => pattern.test(path))?.[1]() ?? [];
  const known = fields.filter((field) => Object.hasOwn(value, field));
  const others = Object.keys(value).filter((key) => !fields.includes(key));
  return Object.fromEntries([...known, ...others].map((key) => [key, inKeyOrder(value[key], path === '' ? key : `${path}.${key}`)]));
}
