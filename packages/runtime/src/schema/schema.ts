import * as zod from 'zod';

/** Returns the real schema of each deferred schema. The real schema is built at most once. */
const makers = new WeakMap<object, () => object>();

/** Methods of a schema that return another schema. Calling one of them does not build a schema; reading any other property does. */
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
 * Returns a schema that is built on first use. Building one takes zod about 30 µs; this repository has more than a thousand
 * schemas, and most programs use few of them. Schemas derived by `optional`, `describe`, `extend` … are deferred too.
 *
 * The alternative was a function around each schema. It was rejected, because it would be needed in 370 places, and public schemas
 * must be values.
 */
export function deferred<Schema extends object>(make: () => Schema): Schema {
  let made: Schema | undefined;
  const real = (): Schema => {
    if (made === undefined) {
      made = make();
      // zod keeps descriptions in a registry whose key is the schema. Callers look up the description of the deferred schema, so
      // the deferred schema is registered too.
      const described = zod.globalRegistry.get(made as never);
      if (described !== undefined) zod.globalRegistry.add(schema as never, described as never);
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
    ownKeys: () => Reflect.ownKeys(real()),
    // Every property is reported as configurable. The target of the proxy does not have the properties of the schema, and
    // JavaScript throws if a proxy reports a missing property that is not configurable.
    getOwnPropertyDescriptor: (_target, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(real(), name);
      return descriptor === undefined ? undefined : { ...descriptor, configurable: true };
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
  });
  makers.set(schema, real);
  return schema;
}

/**
 * Wraps a function of zod so that it returns a deferred schema. The arguments may be deferred schemas, or lists and objects of
 * them.
 */
function defer<Args extends unknown[], Schema extends object>(build: (...args: Args) => Schema): (...args: Args) => Schema {
  return (...args) => deferred(() => build(...(undefer(args) as Args)));
}

/** Replaces deferred schemas in the arguments by the real ones, because zod accepts only its own. */
function undefer(args: readonly unknown[]): unknown[] {
  return args.map((value) => {
    if (typeof value !== 'object' || value === null) return value;
    const real = makers.get(value);
    if (real !== undefined) return real();
    if (Array.isArray(value)) return undefer(value);
    // Only plain objects contain schemas: they are the fields of an object schema, or options. A plain object is copied, because
    // several schemas may share it.
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    const names = Object.keys(value);
    const fields = undefer(names.map((name) => (value as Record<string, unknown>)[name]));
    return Object.fromEntries(names.map((name, index) => [name, fields[index]]));
  });
}

/**
 * The functions and types of zod that this repository uses. No other module imports zod. So zod is bundled once, without its unused
 * parts. Loading the whole of zod in each package would take a third of the start time of an agent.
 */
export const array = defer(zod.array) as typeof zod.array;
export const boolean = defer(zod.boolean) as typeof zod.boolean;
export const discriminatedUnion = defer(zod.discriminatedUnion) as typeof zod.discriminatedUnion;
export const int = defer(zod.int) as typeof zod.int;
export const literal = defer(zod.literal) as typeof zod.literal;
export const looseObject = defer(zod.looseObject) as typeof zod.looseObject;
export const number = defer(zod.number) as typeof zod.number;
export const object = defer(zod.object) as typeof zod.object;
export const preprocess = defer(zod.preprocess as (...args: unknown[]) => object) as typeof zod.preprocess;
export const record = defer(zod.record) as typeof zod.record;
export const strictObject = defer(zod.strictObject) as typeof zod.strictObject;
export const string = defer(zod.string) as typeof zod.string;
export const union = defer(zod.union) as typeof zod.union;
export const unknown = defer(zod.unknown) as typeof zod.unknown;
export const url = defer(zod.url) as typeof zod.url;

export const enumeration = defer(zod.enum as (...args: unknown[]) => object) as typeof zod.enum;

export const safeParse = ((schema, ...rest) => zod.safeParse(undefer([schema])[0] as never, ...rest)) as typeof zod.safeParse;
export const toJSONSchema = ((schema: unknown, ...rest: []) =>
  (zod.toJSONSchema as (...args: unknown[]) => unknown)(undefer([schema])[0], ...rest)) as typeof zod.toJSONSchema;

/** Returns the schema that zod knows, for code that reads its definition. */
export function realSchema(schema: object): object {
  return undefer([schema])[0] as object;
}

/** Tests whether zod accepts a value as a record. */
export function isPlainRecord(value: unknown): value is Record<PropertyKey, unknown> {
  return zod.util.isPlainObject(value);
}

export type { core, infer, ZodLiteral, ZodObject, ZodType } from 'zod';
