export { accepts } from './accepts.js';
export type { core, infer, ZodLiteral, ZodObject, ZodType } from './schema.js';
export {
  array,
  boolean,
  discriminatedUnion,
  enumeration as enum,
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
} from './schema.js';
