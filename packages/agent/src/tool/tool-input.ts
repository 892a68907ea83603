import type { AggregatedHookResult } from '@tenterhook/protocol';
import { copyPlainJson, isPlainObject } from '@tenterhook/runtime/json';
import { formatThrown } from '../client/failure-text.js';
import { raceWithAbort } from '../race-with-abort.js';

/** The arguments of a tool: a JSON object. */
export type ToolInput = Record<string, unknown>;

/** The input that hooks and the user see and that the tool receives, or the reason why the call is refused. */
export type ShownInput =
  | { readonly input: ToolInput; readonly refusal?: undefined }
  | { readonly input?: undefined; readonly refusal: string };

/**
 * Copies the input as plain JSON. The tool receives this copy, so that it gets nothing that guards have not seen. An input is refused:
 * - if JSON would lose or change a value, such as a Map or an infinite number, because the copy would then mean something else.
 * - if one of its keys is `__proto__`. A tool that copies its arguments with `Object.assign` would set the prototype of its copy, and get
 *   fields that hooks did not see. No real tool has an argument with this name.
 */
export function toShownInput(name: string, input: unknown): ShownInput {
  const copied = copyPlainJson(input, ['tool_input']);
  if (!copied.ok) return { refusal: `${name} did not run: ${copied.path}: ${copied.message}` };
  if (hasProtoKey(copied.value)) return { refusal: `${name} did not run: a key of its input is "__proto__".` };
  // A value that is not an object is passed on, and the hook service reports its type.
  return { input: copied.value as ToolInput };
}

/** Returns the input as hooks of the event rewrote it. Undefined if no hook did. */
export function toRewrittenInput(name: string, result: AggregatedHookResult | undefined): ShownInput | undefined {
  const rewritten = result?.finalOutput?.hookSpecificOutput?.['tool_input'];
  if (rewritten === undefined) return undefined;
  if (!isPlainObject(rewritten)) return { refusal: `${name} did not run: its rewritten input is not an object.` };
  return toShownInput(name, rewritten);
}

/** Copies an input that is plain JSON. `structuredClone` was rejected, because it overflows the stack on deeply nested values. */
export function copyInput<Input>(input: Input): Input {
  const copied = copyPlainJson(input);
  return copied.ok ? (copied.value as Input) : input;
}

function hasProtoKey(input: unknown): boolean {
  const waiting: unknown[] = [input];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return true;
    for (const item of Object.values(value)) waiting.push(item);
  }
  return false;
}

/**
 * A schema with the Standard Schema interface, which the schemas of zod, valibot and arktype have, for example. The interface is declared
 * here, so that this package needs no schema library.
 */
export interface ToolSchema {
  readonly '~standard': {
    /**
     * Checks a value. The value that the schema returns is not used: the tool receives its input unchanged. The schema may receive a copy
     * of the input, so that it cannot change what the tool receives.
     */
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

/** The input that the schema checks. */
export interface CheckedInput {
  readonly original: unknown;
  /** The input that the tool would receive. */
  readonly effective: unknown;
  /**
   * Whether hooks or the user see the input. If so, the schema receives a copy, because it is code of another library and could change what
   * they have seen.
   */
  readonly isShown: boolean;
}

/**
 * Validates the input that the tool would receive. Returns undefined if it is valid. The output of the schema is not used: if the schema
 * strips or converts values, the tool must do this itself.
 */
export async function findInputProblem(
  schema: ToolSchema | undefined,
  { original, effective, isShown }: CheckedInput,
  before: AggregatedHookResult | undefined,
  signal?: AbortSignal,
): Promise<InputProblem | undefined> {
  if (schema === undefined) return undefined;
  const findIssuesOf = (input: unknown) => findIssues(schema, isShown ? copyInput(input) : input, signal);
  const issues = await findIssuesOf(effective);
  if (issues.length === 0) return undefined;

  const changes = before?.changes ?? [];
  const fields = issues.map((issue) => `tool_input.${String(issue.segments[0])}`);
  const guilty = changes.filter((change) => fields.includes(change.path));
  // The message names the hooks that wrote an invalid field. If no hook wrote it, any rewrite may have caused the problem, unless the
  // original input had the same problem.
  const texts = issues.map(formatIssue);
  const isOwn = guilty.length === 0 && (changes.length === 0 || includesAll((await findIssuesOf(original)).map(formatIssue), texts));
  const by = isOwn ? [] : [...new Set((guilty.length > 0 ? guilty : changes).map((change) => change.hookId))];
  const writtenBy = by.length === 0 ? '' : ` as rewritten by ${by.map((id) => `hook "${id}"`).join(', ')}`;
  return { reason: `The input${writtenBy} does not match the tool's schema: ${texts.join('; ')}`, isByHook: by.length > 0 };
}

async function findIssues(schema: ToolSchema, input: unknown, signal?: AbortSignal): Promise<readonly ReadIssue[]> {
  try {
    const { issues = [] } = await raceWithAbort(() => schema['~standard'].validate(input), signal);
    // The issues are read inside the `try`: if a schema returns an invalid list of issues, only the schema is treated as failed.
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
