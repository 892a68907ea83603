import type { AggregatedHookResult } from '@tenterhook/protocol';
import { messageOf } from '../message-of.js';
import { untilAbandoned } from '../race-with-abort.js';

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

interface ReadIssue {
  readonly message: string;
  readonly segments: readonly string[];
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
  { original, effective }: { readonly original: unknown; readonly effective: unknown },
  before: AggregatedHookResult | undefined,
  signal?: AbortSignal,
): Promise<InputProblem | undefined> {
  if (schema === undefined) return undefined;
  const issues = await issuesOf(schema, effective, signal);
  if (issues.length === 0) return undefined;

  const changes = before?.changes ?? [];
  const fields = issues.map((issue) => `tool_input.${String(issue.segments[0])}`);
  const guilty = changes.filter((change) => fields.includes(change.path));
  // A hook that wrote the offending field is the one to name. Where none did, any rewrite may have brought it about, unless the input had
  // the same faults before.
  const texts = issues.map(textOf);
  const isOwn = guilty.length === 0 && (changes.length === 0 || includesAll((await issuesOf(schema, original, signal)).map(textOf), texts));
  const by = isOwn ? [] : [...new Set((guilty.length > 0 ? guilty : changes).map((change) => change.hookId))];
  const writtenBy = by.length === 0 ? '' : ` as rewritten by ${by.map((id) => `hook "${id}"`).join(', ')}`;
  return { reason: `The input${writtenBy} does not fit the tool's schema: ${texts.join('; ')}`, isByHook: by.length > 0 };
}

async function issuesOf(schema: ToolSchema, input: unknown, signal?: AbortSignal): Promise<readonly ReadIssue[]> {
  try {
    const { issues = [] } = await untilAbandoned(() => schema['~standard'].validate(input), signal);
    // Read here, so that a schema that answers what is no list of issues has failed and nothing else has.
    return issues.map(({ message, path }) => ({ message: String(message), segments: segmentsOf(path) }));
  } catch (error) {
    return [{ message: `the schema could not be applied: ${messageOf(error)}`, segments: [] }];
  }
}

function textOf({ message, segments }: ReadIssue): string {
  return [segments.join('.'), message].filter((part) => part !== '').join(': ');
}

function includesAll(all: readonly string[], some: readonly string[]): boolean {
  return some.every((text) => all.includes(text));
}

function segmentsOf(path: StandardIssue['path'] = []): string[] {
  return path.map((segment) => String(typeof segment === 'object' ? segment.key : segment));
}
