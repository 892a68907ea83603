import type { ToolSchema } from '@tenterhook/agent';
import { fieldsOf, listOf } from '@tenterhook/agent/internal';
import { isSameJson } from '@tenterhook/runtime/json';

/**
 * Returns the schema of a tool for an input that hooks may have rewritten. The input that the SDK gave is accepted as it is: the SDK has
 * checked it already, and a schema that converts values would refuse its own result.
 */
export function toToolSchema(inputSchema: unknown, given: unknown): ToolSchema {
  return {
    '~standard': {
      validate: (value) => (isSameJson(value, given) ? {} : validate(inputSchema, value)),
    },
  };
}

type Validated = ReturnType<ToolSchema['~standard']['validate']>;

/** Checks a value with any schema that the SDK accepts: a Standard Schema, a schema of the SDK, or a function that returns one. */
function validate(schema: unknown, value: unknown): Validated {
  const standard = (schema as Partial<ToolSchema> | null | undefined)?.['~standard'];
  if (typeof standard?.validate === 'function') return standard.validate(value);
  if (typeof schema === 'function') return validate(schema(), value);
  const own = (schema as { readonly validate?: (value: unknown) => unknown } | null | undefined)?.validate;
  // A schema of JSON Schema without a function checks nothing, for the SDK too.
  return typeof own === 'function' ? readResult(own(value)) : {};
}

async function readResult(result: unknown): Promise<Awaited<Validated>> {
  const { success, error } = fieldsOf(await result);
  if (success !== false) return {};
  const issues = listOf((error as { readonly issues?: unknown } | undefined)?.issues);
  return { issues: issues.length > 0 ? (issues as never) : [{ message: error instanceof Error ? error.message : String(error) }] };
}
