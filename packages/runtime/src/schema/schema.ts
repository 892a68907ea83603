/** Where a schema library keeps the descriptions of schemas. */
interface Registry {
  get(schema: never): unknown;
  add(schema: never, described: never): unknown;
}

let registry: Registry | undefined;

/** Names the registry of descriptions, before the first schema is built. */
export function useRegistry(given: Registry): void {
  registry = given;
}

/** Makes the real schema of a deferred one, at most once. */
const makers = new WeakMap<object, () => object>();

/** Methods that make a schema of a schema. Any other access needs the real one. */
const builders: ReadonlySet<PropertyKey> = new Set([
  'array',
  'catch',
  'default',
  'describe',
  'exactOptional',
  'extend',
  'int',
  'max',
  'meta',
  'min',
  'nonnegative',
  'nullable',
  'omit',
  'optional',
  'partial',
  'pick',
  'positive',
  'refine',
  'regex',
  'strict',
]);

/**
 * A schema that is built when it is first used: zod needs some 30 µs to build one, this repository has more than a thousand, and most programs
 * use a few. It looks like the schema itself; what is made of it by `optional`, `describe`, `extend` … is deferred too.
 *
 * Rejected: a function around each schema. It would be at 370 places, and public schemas are values.
 */
export function deferred<Schema extends object>(make: () => Schema): Schema {
  let made: Schema | undefined;
  const real = (): Schema => {
    if (made === undefined) {
      made = make();
      // Descriptions are kept beside a schema and not in it; a reader that has the deferred one looks for them under that.
      const described = registry?.get(made as never);
      if (described !== undefined) registry?.add(schema as never, described as never);
    }
    return made;
  };
  const schema = new Proxy({} as Schema, {
    get: (_target, name) => {
      if (made !== undefined || !builders.has(name)) return Reflect.get(real(), name);
      return (...args: unknown[]) =>
        deferred(() =>
          ((real() as Record<PropertyKey, (...given: unknown[]) => object>)[name] as (...given: unknown[]) => object)(...undefer(args)),
        );
    },
    has: (_target, name) => Reflect.has(real(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
  });
  makers.set(schema, real);
  return schema;
}

/** Defers a function of zod that makes a schema of values, of schemas, and of lists and objects of schemas. */
export function defer<Args extends unknown[], Schema extends object>(build: (...args: Args) => Schema): (...args: Args) => Schema {
  return (...args) => deferred(() => build(...(undefer(args) as Args)));
}

/** The arguments with real schemas in the place of deferred ones: zod then sees nothing but its own. */
export function undefer(args: readonly unknown[]): unknown[] {
  return args.map((value) => {
    if (typeof value !== 'object' || value === null) return value;
    const real = makers.get(value);
    if (real !== undefined) return real();
    if (Array.isArray(value)) return undefer(value);
    // A plain object is a shape, or options; a shape is copied, because it may be shared by several schemas.
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    const names = Object.keys(value);
    const fields = undefer(names.map((name) => (value as Record<string, unknown>)[name]));
    return Object.fromEntries(names.map((name, index) => [name, fields[index]]));
  });
}
