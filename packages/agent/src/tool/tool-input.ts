import type { AggregatedHookResult } from '@tenterhook/protocol';
import { copyPlainJson, isPlainObject } from '@tenterhook/runtime/json';
import { formatThrown } from '../client/failure-text.js';
import { raceWithAbort } from '../race-with-abort.js';

/** The arguments of a tool: a JSON object. */
export type ToolInput = Record<string, unknown>;

/** The input for hooks, the user and the tool, or the reason why the call is refused. */
export type ShownInput =
  | { readonly input: ToolInput; readonly refusal?: undefined }
  | { readonly input?: undefined; readonly refusal: string };

/**
 * Copies the input as plain JSON. The tool receives this copy, so it gets nothing that guards have not seen. An input is refused in these
 * cases:
 * - JSON would change it, as with a Map or an infinite number, so that the copy would mean something else.
 * - It has a key `__proto__`. A tool that copies its arguments with `Object.assign` would get fields that hooks did not see.
 */
export function toShownInput(name: string, input: unknown): ShownInput {
  const copied = copyPlainJson(input, ['tool_input']);
  if (!copied.ok) return { refusal: `${name} did not run: ${copied.path}: ${copied.message}` };
  if (hasProtoKey(copied.value)) return { refusal: `${name} did not run: a key of its input is "__proto__".` };
  // An input that is not an object is not refused here. The hook service reports it.
  return { input: copied.value as ToolInput };
}

/** Returns the input as hooks of the event rewrote it, or undefined if none did. */
export function toRewrittenInput(name: string, result: AggregatedHookResult | undefined): ShownInput | undefined {
  const rewritten = result?.finalOutput?.hookSpecificOutput?.['tool_input'];
  if (rewritten === undefined) return undefined;
  if (!isPlainObject(rewritten)) return { refusal: `${name} did not run: its rewritten input is not an object.` };
  return toShownInput(name, rewritten);
}

/** Copies an input of plain JSON. `structuredClone` was rejected, because deep nesting overflows its stack. */
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
 * A schema with the Standard Schema interface, e.g. of zod, valibot or arktype. The interface is declared here, so that no schema library
 * is needed.
 */
export interface ToolSchema {
  readonly '~standard': {
    /** Checks a value. Only the issues are used. The tool receives its input unchanged, even if the schema strips or converts values. */
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
   * Whether hooks or the user see the input. If so, the schema receives a copy, because code of another library could change the input
   * after the check.
   */
  readonly isShown: boolean;
}

/**
 * Validates the input of the tool. Returns undefined if the input is valid. The output of the schema is ignored. So a tool that needs
 * converted values must convert them itself.
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
  // The message names the hooks that wrote an invalid field. If no hook wrote that field, it names all hooks that rewrote the input, unless
  // the original input has the same problem.
  const texts = issues.map(formatIssue);
  const isOwn = guilty.length === 0 && (changes.length === 0 || includesAll((await findIssuesOf(original)).map(formatIssue), texts));
  const by = isOwn ? [] : [...new Set((guilty.length > 0 ? guilty : changes).map((change) => change.hookId))];
  const writtenBy = by.length === 0 ? '' : ` as rewritten by ${by.map((id) => `hook "${id}"`).join(', ')}`;
  return { reason: `The input${writtenBy} does not match the tool's schema: ${texts.join('; ')}`, isByHook: by.length > 0 };
}

async function findIssues(schema: ToolSchema, input: unknown, signal?: AbortSignal): Promise<readonly ReadIssue[]> {
  try {
    const { issues = [] } = await raceWithAbort(() => schema['~standard'].validate(input), signal);
    // This is inside the `try`, so that an invalid list of issues is reported as a failure of the schema too.
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
