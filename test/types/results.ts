/** The interfaces of results must have the fields of their schemas. `npm run typecheck` checks this file; it never runs. */

import type {
  AggregatedHookResult,
  aggregatedHookResultSchema,
  Change,
  changeSchema,
  Diagnostic,
  diagnosticSchema,
  HookOutcome,
  HookOutput,
  HookWarning,
  hookOutcomeSchema,
  hookOutputSchema,
  Verdict,
  verdictSchema,
  warningSchema,
} from '@tenterhook/protocol';

/** The fields of a schema. */
type FieldOf<Schema> = Schema extends { readonly shape: infer Shape } ? keyof Shape : never;
/** The fields of the schema that the interface lacks: they would have no comment, and the compiler would not know them. */
type Missing<Schema, Interface> = Exclude<
  FieldOf<Schema>,
  keyof { [Field in keyof Interface as string extends Field ? never : Field]: true }
>;

export const missing: [
  Missing<typeof aggregatedHookResultSchema, AggregatedHookResult>,
  Missing<typeof changeSchema, Change>,
  Missing<typeof diagnosticSchema, Diagnostic>,
  Missing<typeof hookOutcomeSchema, HookOutcome>,
  Missing<typeof hookOutputSchema, HookOutput>,
  Missing<typeof verdictSchema, Verdict>,
  Missing<typeof warningSchema, HookWarning>,
][number][] = [];

export function isNothing(field: (typeof missing)[number]): never {
  return field;
}

// @ts-expect-error A field that an interface does not have.
export const found: Missing<typeof warningSchema, { code: string }> = 'other';
export const message: Missing<typeof warningSchema, { code: string }> = 'message';
