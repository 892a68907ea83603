/**
 * The door to zod: what the schemas of this repository are made of. One file, because a schema library of a hundred modules is a third of the
 * start of an agent when each package loads it; here it is bundled once, and without what no schema uses.
 */

export type { core, infer, ZodLiteral, ZodObject, ZodType } from 'zod';
export {
  array,
  boolean,
  discriminatedUnion,
  enum,
  int,
  literal,
  looseObject,
  number,
  object,
  preprocess,
  record,
  safeParse,
  strictObject,
  string,
  toJSONSchema,
  union,
  unknown,
  url,
} from 'zod';
