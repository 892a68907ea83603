type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a function that computes a value once for each input. Hooks with the same input share the value. `host` are the options of the
 * dialect; with another host, the value is computed again.
 */
export function oncePerInput<Host extends object, Value>(
  compute: (input: Fields, host: Host) => Value,
): (input: Fields, host: Host) => Value {
  const known = new WeakMap<Fields, { readonly host: Host; readonly value: Value }>();
  return (input, host) => {
    const found = known.get(input);
    if (found?.host === host) return found.value;
    const value = compute(input, host);
    known.set(input, { host, value });
    return value;
  };
}
