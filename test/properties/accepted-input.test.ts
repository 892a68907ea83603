import { eventCatalogue, type HookEventName, hookEventNames } from '@tenterhook/protocol';
import { channelPayloadSchemas } from '@tenterhook/protocol/internal';
import { copyPlainJson } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import fc from 'fast-check';

interface Schema {
  readonly _zod: {
    readonly def: {
      readonly type: string;
      readonly shape?: Record<string, Schema>;
      readonly innerType?: Schema;
      readonly element?: Schema;
      readonly options?: readonly Schema[];
      readonly entries?: Record<string, string>;
      readonly values?: readonly unknown[];
    };
  };
}

/** Values that schemas treat in a special way. */
const odd = fc.oneof(
  fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true, withSparseArray: true, withTypedArray: true }),
  fc.constantFrom<unknown>(
    ...[undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -0, '', [], {}, () => {}, new Date(), new Map(), Object.create(null)],
    ...[
      { constructor: 'a' },
      { constructor: () => {} },
      { [Symbol('a')]: 1 },
      Object.create({ text: 1 }),
      JSON.parse('{"__proto__":{"a":1}}'),
    ],
  ),
);

/** Generates values that fit a schema, in which some parts do not fit. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 7, arbitrary: fittingOf(schema) }, { weight: 1, arbitrary: odd });
}

function fittingOf({ _zod: { def } }: Schema): fc.Arbitrary<unknown> {
  switch (def.type) {
    case 'string':
      return fc.string();
    case 'number':
      return fc.oneof(fc.integer(), fc.double());
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}), 'another word');
    case 'literal':
      return fc.constantFrom(...(def.values ?? []));
    case 'array':
      return fc.array(valuesOf(def.element as Schema), { maxLength: 3 });
    case 'record':
      return fc.dictionary(fc.string(), odd, { maxKeys: 3 });
    case 'union':
      return fc.oneof(...(def.options ?? []).map(valuesOf));
    case 'optional':
    case 'catch':
      return fc.option(valuesOf(def.innerType as Schema), { nil: undefined });
    case 'object': {
      const fields = Object.fromEntries(Object.entries(def.shape ?? {}).map(([name, field]) => [name, valuesOf(field)]));
      return fc.record({ ...fields, more: odd }, { requiredKeys: Object.keys(fields).filter((_, index) => index % 3 !== 0) as never[] });
    }
    default:
      return odd;
  }
}

function isAcceptedByZod(schema: object, value: unknown): boolean {
  return z.safeParse(schema as z.ZodType, value).success;
}

/** The real schema, because `eventCatalogue` has schemas that are built when they are first read. */
const schemaOf = (eventName: HookEventName) => eventCatalogue[eventName].input as unknown as Schema;

test('the compiled test of an input accepts exactly what the schema accepts', () => {
  const inputs = fc.constantFrom(...hookEventNames).chain((eventName) => fc.tuple(fc.constant(eventName), valuesOf(schemaOf(eventName))));
  fc.assert(
    fc.property(inputs, ([eventName, input]) => {
      const { input: schema } = eventCatalogue[eventName];
      expect(z.accepts(schema, input)).toBe(isAcceptedByZod(schema, input));
    }),
    { numRuns: 3_000 },
  );
});

test('the compiled test of a bus message accepts exactly what its schema accepts', () => {
  const channels = Object.keys(channelPayloadSchemas) as (keyof typeof channelPayloadSchemas)[];
  const payloads = fc.constantFrom(...channels).chain((channel) => {
    const schema = channelPayloadSchemas[channel];
    return fc.tuple(fc.constant(schema), valuesOf(schema as unknown as Schema));
  });
  let accepted = 0;
  fc.assert(
    fc.property(payloads, ([schema, payload]) => {
      expect(z.accepts(schema, payload)).toBe(isAcceptedByZod(schema, payload));
      if (z.accepts(schema, payload)) accepted += 1;
    }),
    { numRuns: 3_000 },
  );
  expect(accepted).toBeGreaterThan(0);
});

test.each<[string, () => object]>([
  ['a minimum', () => z.string().min(2)],
  ['an integer', () => z.int()],
  ['a list with a minimum', () => z.array(z.number()).min(1)],
  ['no other fields', () => z.strictObject({ a: z.number() })],
  ['keys of a pattern', () => z.record(z.string().regex(/^a/), z.unknown())],
  ['numbers by name', () => z.record(z.string(), z.number())],
  ['a default', () => z.object({ a: z.string().default('b'), b: z.string().optional().catch(undefined) })],
  ['a field of any kind', () => z.object({ a: z.unknown() })],
  ['a literal', () => z.object({ a: z.literal('b') })],
  ['a text that is not empty', () => z.object({ a: z.string().min(1) })],
  [
    'a condition',
    () => z.object({ a: z.unknown(), b: z.unknown().optional() }).refine(({ a, b }) => (a === undefined) !== (b === undefined)),
  ],
  ['a condition after a default', () => z.object({ a: z.string().default('b') }).refine(({ a }) => a === 'b')],
  ['a field that is absent or has a value', () => z.object({ a: z.string().exactOptional() })],
  [
    'a choice by a field',
    () => z.discriminatedUnion('a', [z.object({ a: z.literal('b') }), z.object({ a: z.literal('c'), b: z.string() })]),
  ],
])('so it does for a schema with %s', (_, make) => {
  const schema = make();
  const fields = fc.record({ a: fc.oneof(odd, fc.string(), fc.double(), fc.constant('b')), b: odd }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.oneof(odd, fields, fc.string(), fc.double(), fc.array(fc.double())), (value) => {
      expect(z.accepts(schema, value)).toBe(isAcceptedByZod(schema, value));
    }),
    { numRuns: 300 },
  );
});

test('arguments of a tool are copied as JSON shows them, or are refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), odd))), (value) => {
      const copied = copyPlainJson(value);
      if (!copied.ok) return;
      expect(JSON.stringify(copied.value)).toBe(JSON.stringify(value));
      expect(isShared(copied.value, value)).toBe(false);
    }),
    { numRuns: 3_000 },
  );
});

/** Whether the copy is, or has, an object of the original. */
function isShared(copy: unknown, original: unknown): boolean {
  if (typeof copy !== 'object' || copy === null) return false;
  return copy === original || Object.entries(copy).some(([key, item]) => isShared(item, (original as Record<string, unknown>)[key]));
}
