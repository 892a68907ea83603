import * as z from '../../src/schema/index.js';
import { deferred } from '../../src/schema/schema.js';

test('a schema is built when it is first used, and once', () => {
  let builds = 0;
  const schema = deferred(() => {
    builds += 1;
    return z.string();
  });
  const field = schema.optional().describe('a field');
  expect(builds).toBe(0);
  expect(field.safeParse(undefined).success).toBe(true);
  expect([field.safeParse(1).success, schema.safeParse('a').success]).toEqual([false, true]);
  expect(builds).toBe(1);
});

test('it parses, and has the shape and the JSON Schema of the schema that it defers', () => {
  const name = z.string().min(1).describe('a name');
  const group = z.looseObject({ name, tags: z.array(z.enum(['a', 'b'])).optional() }).describe('a group');
  const groups = z.object({ first: group, others: z.record(z.string(), group), either: z.union([name, z.int()]).optional() });
  const value = { first: { name: 'x', more: 1 }, others: { y: { name: 'z', tags: ['a'] } }, either: 3 };
  expect(groups.parse(value)).toEqual(value);
  expect(groups.safeParse({ ...value, first: { name: '' } }).error?.issues[0]?.path).toEqual(['first', 'name']);
  expect(Object.keys(group.shape)).toEqual(['name', 'tags']);
  expect(Object.keys(group)).toContain('def');
  expect(z.toJSONSchema(group)).toMatchObject({
    description: 'a group',
    type: 'object',
    properties: { name: { description: 'a name', minLength: 1 }, tags: { items: { enum: ['a', 'b'] } } },
    required: ['name'],
  });
});

test('schemas are made of others: extended, with fields left out, by kind', () => {
  const base = z.object({ kind: z.literal('a'), id: z.int() });
  const wide = base.extend({ text: z.string() });
  const kinds = z.discriminatedUnion('kind', [wide, z.object({ kind: z.literal('b') })]);
  expect(kinds.safeParse({ kind: 'a', id: 1, text: 't' }).success).toBe(true);
  expect(kinds.safeParse({ kind: 'a', id: 1 }).success).toBe(false);
  expect(kinds.safeParse({ kind: 'b' }).success).toBe(true);
  expect(wide.omit({ text: true }).safeParse({ kind: 'a', id: 1 }).success).toBe(true);
});

test('schemas of another copy of zod may hold one', async () => {
  const zod = await import('zod');
  const holder = zod.object({ inner: z.object({ id: z.int() }).describe('inner') });
  expect(holder.safeParse({ inner: { id: 1 } }).success).toBe(true);
  expect(holder.safeParse({ inner: { id: 'x' } }).success).toBe(false);
  expect(zod.toJSONSchema(holder)).toMatchObject({ properties: { inner: { description: 'inner' } } });
});
