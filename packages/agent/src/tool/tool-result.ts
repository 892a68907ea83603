import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { formatThrown } from '../client/failure-text.js';
import { raceWithAbort } from '../race-with-abort.js';
import { showValue } from './shown-value.js';

/** What a tool returns. */
export interface ToolResult {
  /** What the model sees: a text, or the parts of a message in the format of its SDK. */
  readonly llmContent: unknown;
  /** What the user sees. @default llmContent */
  readonly returnDisplay?: unknown;
  /** Present when the tool failed. */
  readonly error?: unknown;
  /** Of a shell command; hooks and handlers read it. */
  readonly exit_code?: number | undefined;
}

/**
 * The result of a call whose tool returns a `Result`: with what hooks added to its content, or with a text in its place that says why there is none. Fields
 * of its own are absent if the tool did not run. A hook of AfterTool that replaces the result can replace it by any JSON value.
 */
export type ToolResultOf<Result extends ToolResult> = ToolResult & {
  readonly llmContent: Result['llmContent'] | string;
  readonly returnDisplay?: ('returnDisplay' extends keyof Result ? Result['returnDisplay'] : never) | Result['llmContent'] | string;
} & Partial<Omit<Result, keyof ToolResult>>;

/** What a tool gave. When it has a `failure`, the result is what the model reads about it. */
export interface ToolRun {
  readonly raw: ToolResult;
  readonly failure?: string;
}

/** Runs a tool to a result, whatever it does: what it throws, an invalid result, and work that an abort left unfinished are its failure. */
export async function runTool(
  name: string,
  execute: (options: { readonly signal: AbortSignal }) => ToolResult | Promise<ToolResult>,
  signal: AbortSignal | undefined,
): Promise<ToolRun> {
  try {
    const raw: unknown = await raceWithAbort(() => execute({ signal: signal ?? new AbortController().signal }), signal);
    if (!isPlainObject(raw)) throw new TypeError(`${name} must return { llmContent, … }, and returned ${describeKind(raw)}.`);
    // Read here, including from instances of classes: a getter that throws does so now, and not between the tool and AfterTool.
    const { llmContent, returnDisplay, error } = raw;
    return { raw: { ...raw, llmContent, ...omitUndefined({ returnDisplay, error }) } };
  } catch (error) {
    const failure = formatThrown(error);
    return { raw: createRefusedResult(failure), failure };
  }
}

/** The kind and not the value, which may be long and is the tool's own. */
function describeKind(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

/** The result of a tool that did not run: the model reads the reason as the tool's output (seed 001 §3.1). */
export function createRefusedResult(reason: string): ToolResult {
  return { llmContent: reason, returnDisplay: reason, error: { message: reason } };
}

/** The result of a tool that ran, when hooks that may take something out of it were not all asked. No error: the tool has done its work. */
export function createWithheldResult(name: string, reason: string): ToolResult {
  const text = `${name} ran. Its result was withheld, because the hooks that check it were not all asked. ${reason}`;
  return { llmContent: text, returnDisplay: text };
}

/** Appends texts for the model. What the user sees stays the same, so it is fixed before the content changes. */
export function appendContext(result: ToolResult, texts: readonly string[]): ToolResult {
  if (texts.length === 0) return result;
  // A result without content shows nothing: '' is a display, while with undefined the user would see the appended text.
  const { llmContent, returnDisplay = llmContent ?? '' } = result;
  return { ...result, returnDisplay, llmContent: appendText(llmContent, texts.join('\n')) };
}

function appendText(content: unknown, text: string): unknown {
  if (content === undefined || content === null || content === '') return text;
  if (typeof content === 'string') return `${content}\n\n${text}`;
  const parts = Array.isArray(content) ? content : [content];
  return [...parts, createPartLike(parts, text)];
}

/** A text part in the form of the existing parts: some SDKs distinguish parts by `type`. */
function createPartLike(parts: readonly unknown[], text: string): unknown {
  if (parts.every((part) => typeof part === 'string')) return text;
  const areTyped = parts.some((part) => typeof part === 'object' && part !== null && 'type' in part);
  return areTyped ? { type: 'text', text } : { text };
}

/** As AfterTool hooks see it, and what in it they cannot be shown. The only place where a result becomes JSON for them. */
export function toToolResponse({ llmContent, returnDisplay, error, exit_code }: ToolResult): {
  readonly response: Record<string, unknown>;
  readonly problems: readonly string[];
} {
  const fields = Object.entries(omitUndefined({ llmContent, returnDisplay, error })).map(
    ([name, value]) => [name, showValue(value, name)] as const,
  );
  const response = Object.fromEntries(fields.map(([name, { value }]) => [name, value]));
  if (typeof exit_code === 'number') response['exit_code'] = exit_code;
  return { response, problems: fields.flatMap(([, { problems }]) => problems) };
}

/** The result as hooks replaced it. What they left out is gone: they may have removed it on purpose. */
export function replaceResult(original: ToolResult, response: unknown): ToolResult {
  if (typeof response === 'string') return { ...original, llmContent: response, returnDisplay: response };
  if (typeof response !== 'object' || response === null) return original;
  const { llmContent, returnDisplay, error, exit_code } = response as Record<string, unknown>;
  return { llmContent, ...omitUndefined({ returnDisplay, error, exit_code: typeof exit_code === 'number' ? exit_code : undefined }) };
}
