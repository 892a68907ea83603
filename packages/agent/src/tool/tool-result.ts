import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { formatThrown } from '../client/failure-text.js';
import { AbortTimeoutError, raceWithAbort } from '../race-with-abort.js';
import { showValue } from './shown-value.js';

/** What a tool returns. */
export interface ToolResult {
  /** What the model sees: a text, or the parts of a message in the format of its SDK. */
  readonly llmContent: unknown;
  /** What the user sees. @default llmContent */
  readonly returnDisplay?: unknown;
  /** Present when the tool failed. */
  readonly error?: unknown;
  /** The exit code of a shell command. Hooks and handlers read it. */
  readonly exit_code?: number | undefined;
}

/**
 * The result of a call whose tool returns a `Result`. If the tool did not run, or returned no usable result, `llmContent` is a text with
 * the reason, and additional fields may be absent. Hooks may have added text to the content, or replaced the result by any JSON value.
 */
export type ToolResultOf<Result extends ToolResult> = ToolResult & {
  readonly llmContent: Result['llmContent'] | string;
  readonly returnDisplay?: ('returnDisplay' extends keyof Result ? Result['returnDisplay'] : never) | Result['llmContent'] | string;
} & Partial<Omit<Result, keyof ToolResult>>;

/** What a tool returned. If `failure` is set, the result is the text that the model reads about the failure. */
export interface ToolRun {
  readonly raw: ToolResult;
  readonly failure?: string;
  /** What the tool threw. Absent if it did not throw: it returned an invalid result, or did not end after an abort. */
  readonly thrown?: { readonly value: unknown };
  /** Whether the signal had aborted when the tool failed. */
  readonly isCancelled?: boolean;
}

/**
 * Runs a tool. Sets `failure` if the tool throws, returns an invalid result, or does not end after an abort. Rejects with what the tool
 * throws if `rethrows` returns true for it.
 */
export async function runTool(
  name: string,
  execute: (options: { readonly signal: AbortSignal }) => ToolResult | Promise<ToolResult>,
  signal: AbortSignal | undefined,
  rethrows?: ((thrown: unknown) => boolean) | undefined,
): Promise<ToolRun> {
  try {
    const raw: unknown = await raceWithAbort(() => execute({ signal: signal ?? new AbortController().signal }), signal);
    if (!isPlainObject(raw)) {
      const failure = `${name} must return { llmContent, … }, and returned ${describeKind(raw)}.`;
      return { raw: createRefusedResult(failure), failure };
    }
    // If the result is an instance of a class, its fields may be getters. They are read here, so that a getter that throws counts as a
    // failure of the tool.
    const { llmContent, returnDisplay, error } = raw;
    return { raw: { ...raw, llmContent, ...omitUndefined({ returnDisplay, error }) } };
  } catch (error) {
    if (rethrows?.(error) === true) throw error;
    const failure = formatThrown(error);
    const thrown = error instanceof AbortTimeoutError ? undefined : { value: error };
    return { raw: createRefusedResult(failure), failure, ...omitUndefined({ thrown }), isCancelled: signal?.aborted === true };
  }
}

/** Describes the kind of a value. The value itself is not shown, because it may be long and private. */
function describeKind(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

/** Returns the result for a tool that did not run. The model reads the reason (seed 001 §3.1). */
export function createRefusedResult(reason: string): ToolResult {
  return { llmContent: reason, returnDisplay: reason, error: { message: reason } };
}

/**
 * Returns the result for a tool that ran, but whose result is withheld. `why` completes the sentence "Its result was withheld, because …".
 * Nothing of the original is kept, except that the tool failed.
 */
export function createWithheldResult(name: string, why: string, original: ToolResult): ToolResult {
  return replaceResult(original, `${name} ran. Its result was withheld, because ${why}`);
}

/**
 * Returns the reason why a tool failed. It is taken from the result that the hooks returned, because hooks may have removed the original
 * message.
 */
export function reasonIn(name: string, { error, llmContent }: ToolResult): string {
  const texts = [isPlainObject(error) ? error['message'] : error, llmContent];
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? `${name} failed.`;
}

/** Appends texts for the model. The user must not see them, so `returnDisplay` gets the content without them. */
export function appendContext(result: ToolResult, texts: readonly string[]): ToolResult {
  if (texts.length === 0) return result;
  // Without content the display is ''. If it were undefined, the user would see the appended text.
  const { llmContent, returnDisplay = llmContent ?? '' } = result;
  return { ...result, returnDisplay, llmContent: appendText(llmContent, texts.join('\n')) };
}

function appendText(content: unknown, text: string): unknown {
  if (content === undefined || content === null || content === '') return text;
  if (typeof content === 'string') return `${content}\n\n${text}`;
  const parts = Array.isArray(content) ? content : [content];
  return [...parts, createPartLike(parts, text)];
}

/** Creates a text part in the form of the existing parts, because some SDKs require a `type` in each part. */
function createPartLike(parts: readonly unknown[], text: string): unknown {
  if (parts.every((part) => typeof part === 'string')) return text;
  const areTyped = parts.some((part) => typeof part === 'object' && part !== null && 'type' in part);
  return areTyped ? { type: 'text', text } : { text };
}

/** A result for hooks of AfterTool: plain JSON, without fields that only the host knows. */
export interface ShownResult {
  readonly response: Record<string, unknown>;
  /** Which kinds of values could not be shown to hooks. Contains no text of the result. Undefined if hooks see everything. */
  readonly unshown: string | undefined;
  /** The first of these values for the user, each with its path and class. */
  readonly details: string | undefined;
}

/** Converts a result for hooks. No other code converts results for hooks. */
export function showResult({ llmContent, returnDisplay, error, exit_code }: ToolResult): ShownResult {
  const fields = Object.entries(omitUndefined({ llmContent, returnDisplay, error })).map(
    ([name, value]) => [name, showValue(value, name)] as const,
  );
  const response = Object.fromEntries(fields.map(([name, { value }]) => [name, value]));
  if (typeof exit_code === 'number') response['exit_code'] = exit_code;
  const kinds = fields.flatMap(([name, { problems }]) => problems.map(({ kind }) => `${name} ${kind}`));
  const details = fields.flatMap(([, { problems }]) => problems.map(({ detail }) => detail));
  return {
    response,
    unshown: kinds.length === 0 ? undefined : [...new Set(kinds)].join('; '),
    details: details.length === 0 ? undefined : details.slice(0, maxDetails).join(' '),
  };
}

/** The maximum number of values in a message. */
const maxDetails = 3;

/**
 * Returns the result that hooks wrote. Fields of the original that they left out stay out, because hooks may have removed them on purpose.
 * If they wrote only a text for a failed tool, this text is also the error message, because the old message may repeat what they removed.
 */
export function replaceResult(original: ToolResult, response: unknown): ToolResult {
  if (typeof response === 'string') {
    const hasFailed = original.error !== undefined && original.error !== null;
    return { llmContent: response, returnDisplay: response, ...(hasFailed ? { error: { message: response } } : {}) };
  }
  if (typeof response !== 'object' || response === null) return original;
  const { llmContent, returnDisplay, error, exit_code } = response as Record<string, unknown>;
  return { llmContent, ...omitUndefined({ returnDisplay, error, exit_code: typeof exit_code === 'number' ? exit_code : undefined }) };
}
