import * as zod from 'zod';
import { defer, undefer, useRegistry } from './deferred.js';

useRegistry(zod.globalRegistry);

/**
 * The door to zod: what the schemas of this repository are made of. One door, because a library of a hundred modules is a third of the start
 * of an agent when each package loads it; here it is bundled once, without what no schema uses, and schemas are built when they are first
 * used (`deferred`). The functions and types are those of zod.
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

const enumeration = defer(zod.enum as (...args: unknown[]) => object) as typeof zod.enum;

export { enumeration as enum };

export const safeParse = ((schema, ...rest) => zod.safeParse(undefer([schema])[0] as never, ...rest)) as typeof zod.safeParse;
export const toJSONSchema = ((schema: unknown, ...rest: []) =>
  (zod.toJSONSchema as (...args: unknown[]) => unknown)(undefer([schema])[0], ...rest)) as typeof zod.toJSONSchema;

export type { core, infer, ZodLiteral, ZodObject, ZodType } from 'zod';
