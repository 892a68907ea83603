/** A copy of one's own, where the value can be copied: what holds functions is handed on as it is. */
export function copyOf<Value>(value: Value): Value {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
