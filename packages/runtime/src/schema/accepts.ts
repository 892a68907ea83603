import { isPlainRecord, realSchema, safeParse } from './schema.js';

type Check = (value: unknown) => boolean;

const checks = new WeakMap<object, Check>();

/**
 * Tests whether a schema accepts a value: whether `safeParse` would succeed. For schemas of the usual kinds the test is compiled, because
 * parsing builds a second copy of the value and takes ten times as long. Use `safeParse` to say what is wrong with a value.
 */
export function accepts(schema: object, value: unknown): boolean {
  let check = checks.get(schema);
  if (check === undefined) {
    check = compile(realSchema(schema) as Schema);
    checks.set(schema, check);
  }
  return check(value);
}

/** The parts of a zod schema that are read here. `optin` and `optout` say whether a field with this schema may be absent. */
interface Schema {
  readonly _zod: {
    readonly def: {
      readonly type: string;
      readonly checks?: readonly ZodCheck[];
      readonly coerce?: boolean;
      readonly format?: string;
      readonly inclusive?: boolean;
      readonly shape?: Readonly<Record<string, Schema>>;
      readonly catchall?: Schema;
      readonly innerType?: Schema;
      readonly element?: Schema;
      readonly keyType?: Schema;
      readonly valueType?: Schema;
      readonly options?: readonly Schema[];
      readonly discriminator?: string;
      readonly unionFallback?: boolean;
    };
    readonly optin?: string;
    readonly optout?: string;
    readonly values?: ReadonlySet<unknown>;
    /** The values of the fields by which a union chooses this option. */
    readonly propValues?: Readonly<Record<string, ReadonlySet<unknown>>>;
    readonly traits?: ReadonlySet<string>;
  };
}

/** A further condition of a schema, such as a minimum. */
interface ZodCheck {
  readonly _zod: { readonly def: { readonly check: string; readonly minimum?: unknown; readonly fn?: unknown; readonly when?: unknown } };
}

/** Schemas with formats or with other checks, and schemas of other kinds are left to `safeParse`. */
function compile(schema: Schema): Check {
  const { def } = schema._zod;
  const conditions = (def.checks ?? []).map((check) => compileCheck(check, schema));
  const isPlain = def.coerce !== true && (def.format === undefined || (def.type === 'number' && def.format === 'safeint'));
  const kind = isPlain && conditions.every((condition) => condition !== undefined) ? compileKind(schema) : undefined;
  if (kind === undefined) return (value) => safeParse(schema as never, value).success;
  return (conditions as Check[]).reduce<Check>((all, condition) => (value) => all(value) && condition(value), kind);
}

/** The checks are those of the bus messages: a text that is not empty, and a condition (`refine`) of an object. */
function compileCheck({ _zod: { def } }: ZodCheck, schema: Schema): Check | undefined {
  if (def.check === 'min_length' && def.minimum === 1 && schema._zod.def.type === 'string') return (value) => value !== '';
  // zod calls the function with its copy of the value, which has only the fields of the schema. Without `catch` and `default`, these
  // fields are equal.
  const isRefined = def.check === 'custom' && typeof def.fn === 'function' && def.when === undefined;
  const isCalled = isRefined && schema._zod.def.type === 'object' && hasOwnFields(schema);
  return isCalled ? (value) => Boolean((def.fn as (value: unknown) => unknown)(value)) : undefined;
}

const replacing: ReadonlySet<string> = new Set(['catch', 'default', 'prefault', 'pipe', 'transform']);

/** Whether the fields of the copy that zod makes of an object are those of the object. */
function hasOwnFields({ _zod: { def } }: Schema): boolean {
  return Object.values(def.shape ?? {}).every(isOwn);
}

function isOwn({ _zod: { def } }: Schema): boolean {
  return !replacing.has(def.type) && (def.innerType === undefined || isOwn(def.innerType));
}

function compileKind({ _zod: { def, values, traits } }: Schema): Check | undefined {
  switch (def.type) {
    case 'unknown':
    case 'catch':
      return () => true;
    case 'string':
      return (value) => typeof value === 'string';
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'number':
      return def.format === undefined ? Number.isFinite : Number.isSafeInteger;
    case 'enum':
    case 'literal':
      return values === undefined ? undefined : (value) => values.has(value);
    case 'optional': {
      const inner = compile(def.innerType as Schema);
      // An object may lack such a field, but it must not have the value undefined.
      if (traits?.has('$ZodExactOptional')) return inner;
      return (value) => value === undefined || inner(value);
    }
    case 'array': {
      const item = compile(def.element as Schema);
      return (value) => Array.isArray(value) && everyItem(value, item);
    }
    case 'union': {
      if (def.discriminator !== undefined) return compileChoice(def.discriminator, def.options ?? [], def.unionFallback);
      const options = (def.options ?? []).map(compile);
      return def.inclusive === false ? undefined : (value) => options.some((option) => option(value));
    }
    case 'record':
      return isOfAnything(def.valueType) && isOfTexts(def.keyType) ? (value) => isPlainRecord(value) && !hasSymbols(value) : undefined;
    case 'object':
      return def.catchall === undefined || isOfAnything(def.catchall) ? compileObject(def.shape ?? {}) : undefined;
    default:
      return undefined;
  }
}

/** A union whose option is chosen by the value of one field. */
function compileChoice(field: string, options: readonly Schema[], isAnyTried: boolean | undefined): Check | undefined {
  const optionOf = new Map<unknown, Check>();
  for (const option of options) {
    const values = option._zod.propValues?.[field];
    if (values === undefined || isAnyTried === true) return undefined;
    const check = compile(option);
    for (const value of values) optionOf.set(value, check);
  }
  return (value) => {
    if (typeof value !== 'object' || value === null) return false;
    const option = optionOf.get((value as Record<string, unknown>)[field]);
    return option?.(value) ?? false;
  };
}

function compileObject(shape: Readonly<Record<string, Schema>>): Check {
  const fields = Object.keys(shape).map((name) => {
    const schema = shape[name] as Schema;
    const { optin, optout } = schema._zod;
    const check = compile(schema);
    const isAbsentAccepted = optin !== undefined && (optout === 'optional' || check(undefined));
    return { name, check, isAbsentAccepted };
  });
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (const { name, check, isAbsentAccepted } of fields) {
      const field = (value as Record<string, unknown>)[name];
      // `in` takes as long as reading the field, and is needed for few fields.
      if (field !== undefined || name in value ? !check(field) : !isAbsentAccepted) return false;
    }
    return true;
  };
}

/** Not `every`, which leaves out the holes of a list. */
function everyItem(items: readonly unknown[], check: Check): boolean {
  for (let index = 0; index < items.length; index += 1) if (!check(items[index])) return false;
  return true;
}

function isOfAnything(schema: Schema | undefined): boolean {
  return schema?._zod.def.type === 'unknown';
}

function isOfTexts(schema: Schema | undefined): boolean {
  const { type, checks: rules = [], format } = schema?._zod.def ?? {};
  return type === 'string' && rules.length === 0 && format === undefined;
}

/** A symbol is not a text, so a record of texts does not accept it as a key. */
function hasSymbols(value: object): boolean {
  return Object.getOwnPropertySymbols(value).some((key) => Object.prototype.propertyIsEnumerable.call(value, key));
}
