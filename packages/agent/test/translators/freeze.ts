/** Freezes all the way down, so that changing an argument throws. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key of Reflect.ownKeys(value)) frozen((value as Record<string | symbol, unknown>)[key]);
  return value;
}
