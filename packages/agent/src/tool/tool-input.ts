import type { AggregatedHookResult } from '@tenterhook/protocol';
import { formatThrown } from '../client/failure-text.js';
import { raceWithAbort } from '../race-with-abort.js';

/** The arguments of a tool: a JSON object. */
export type ToolInput = Record<string, unknown>;

/** A copy of the input. An input that cannot be copied, because it contains functions, stays the same object. */
export function copyInput(input: ToolInput): ToolInput {
  try {
    return structuredClone(input);
  } catch {
    return input;
  }
}

/**
 * Why a tool may not receive the input: one of its keys is `__proto__`. A tool that copies its arguments with `Object.assign`, or by
 * assignment, would change the prototype of the copy, and get fields that hooks did not see. No tool has an argument with this name.
 */
export function refuseByKey(name: string, input: unknown): string | undefined {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [input];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (Object.hasOwn(value, '__proto__')) return `${name} did not run: a key of its input is "__proto__".`;
    for (const item of Object.values(value)) waiting.push(item);
  }
  return undefined;
}

/**
 * A schema with the Standard Schema interface: of zod, valibot or arktype, for example. The interface is declared here, so that no schema
 * library is needed.
 */
export interface ToolSchema {
  readonly '~standard': {
    /** Checks a value. The value that a schema returns is not used: the tool receives its input unchanged. */
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

/** Why the tool cannot receive the input, and whether a hook caused it. */
export interface InputProblem {
  readonly reason: string;
  readonly isByHook: boolean;
}

/**
 * Validates the input that the tool would receive; undefined if it is valid. The output of the schema does not replace the input: the tool
 * itself must do what a schema strips or converts.
 */
export async function findInputProblem(
  schema: ToolSchema | undefined,
  { original, effective }: { readonly original: unknown; readonly effective: unknown },
  before: AggregatedHookResult | undefined,
  signal?: AbortSignal,
): Promise<InputProblem | undefined> {
  if (schema === undefined) return undefined;
  const issues = await findIssues(schema, effective, signal);
  if (issues.length === 0) return undefined;

  const changes = before?.changes ?? [];
  const fields = issues.map((issue) => `tool_input.${String(issue.segments[0])}`);
  const guilty = changes.filter((change) => fields.includes(change.path));
  // The message names the hooks that wrote the invalid field. If no hook wrote it, any rewrite may have caused the problem, unless the
  // original input had the same problem.
  const texts = issues.map(formatIssue);
  const isOwn =
    guilty.length === 0 && (changes.length === 0 || includesAll((await findIssues(schema, original, signal)).map(formatIssue), texts));
  const by = isOwn ? [] : [...new Set((guilty.length > 0 ? guilty : changes).map((change) => change.hookId))];
  const writtenBy = by.length === 0 ? '' : ` as rewritten by ${by.map((id) => `hook "${id}"`).join(', ')}`;
  return { reason: `The input${writtenBy} does not match the tool's schema: ${texts.join('; ')}`, isByHook: by.length > 0 };
}

async function findIssues(schema: ToolSchema, input: unknown, signal?: AbortSignal): Promise<readonly ReadIssue[]> {
  try {
    const { issues = [] } = await raceWithAbort(() => schema['~standard'].validate(input), signal);
    // The issues are read inside the `try`: if a schema returns an invalid list of issues, only the schema counts as failed.
    return issues.map(({ message, path }) => ({ message: String(message), segments: toSegments(path) }));
  } catch (error) {
    return [{ message: `the schema could not be applied: ${formatThrown(error)}`, segments: [] }];
  }
}

function formatIssue({ message, segments }: ReadIssue): string {
  return [segments.join('.'), message].filter((part) => part !== '').join(': ');
}

function includesAll(all: readonly string[], some: readonly string[]): boolean {
  return some.every((text) => all.includes(text));
}

function toSegments(path: StandardIssue['path'] = []): string[] {
  return path.map((segment) => String(typeof segment === 'object' ? segment.key : segment));
}
