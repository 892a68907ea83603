import type { AggregatedHookResult } from '@tenterhook/protocol';

/** Anything of the Standard Schema interface: a zod, valibot or arktype schema. Declared here, so that no schema library is needed. */
export interface ToolSchema {
  readonly '~standard': {
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

type StandardResult = { readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Why the input cannot be given to the tool, and whether a hook is to blame. */
export interface InputProblem {
  readonly reason: string;
  readonly isByHook: boolean;
}

/**
 * Validates what the tool would get. The input itself is not replaced by the schema's output: what a schema strips or coerces is the
 * tool's own business. Undefined when it is fine.
 */
export async function findInputProblem(
  schema: ToolSchema | undefined,
  input: unknown,
  before: AggregatedHookResult | undefined,
): Promise<InputProblem | undefined> {
  if (schema === undefined) return undefined;
  const writers = (path?: string) =>
    (before?.changes ?? []).filter((change) => path === undefined || change.path === `tool_input.${path}`).map((change) => change.hookId);
  let issues: readonly StandardIssue[];
  try {
    issues = (await schema['~standard'].validate(input)).issues ?? [];
  } catch (error) {
    issues = [{ message: `the schema could not be applied: ${error instanceof Error ? error.message : String(error)}` }];
  }
  if (issues.length === 0) return undefined;

  const found = issues.map((issue) => ({ path: pathOf(issue), message: issue.message }));
  // A hook that wrote the offending field is the one to name; where none did, any rewrite may have brought it about.
  const guilty = found.flatMap(({ path }) => writers(path.split('.')[0]));
  const by = [...new Set(guilty.length > 0 ? guilty : writers())];
  const text = found.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  const writtenBy = by.length === 0 ? '' : ` as rewritten by ${by.map((id) => `hook "${id}"`).join(', ')}`;
  return { reason: `The input${writtenBy} does not fit the tool's schema: ${text}`, isByHook: by.length > 0 };
}

function pathOf({ path = [] }: StandardIssue): string {
  return path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.');
}
