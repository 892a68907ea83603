import { omitUndefined } from '@tenterhook/runtime/json';

/** What a tool gives back. */
export interface ToolResult {
  /** What the model sees: a text, or the parts of a message in the format of its SDK. */
  readonly llmContent: unknown;
  /** What the user sees. @default llmContent */
  readonly returnDisplay?: unknown;
  /** Present when the tool could not do what it was told. */
  readonly error?: unknown;
  /** Of a shell command; hooks and handlers read it. */
  readonly exit_code?: number | undefined;
}

/** The result of a tool that did not run: the model reads the reason as the tool's output (seed 001 §3.1). */
export function refusedResult(reason: string): ToolResult {
  return { llmContent: reason, returnDisplay: reason, error: { message: reason } };
}

/** Texts for the model behind the result. What the user is shown stays as it is, so it is fixed before it would change along. */
export function withContext(result: ToolResult, texts: readonly string[]): ToolResult {
  if (texts.length === 0) return result;
  // A result without content shows nothing: '' is a display, where undefined would be made up for by what is appended.
  const { llmContent, returnDisplay = llmContent ?? '' } = result;
  return { ...result, returnDisplay, llmContent: appended(llmContent, texts.join('\n')) };
}

function appended(content: unknown, text: string): unknown {
  if (content === undefined || content === null || content === '') return text;
  if (typeof content === 'string') return `${content}\n\n${text}`;
  const parts = Array.isArray(content) ? content : [content];
  return [...parts, partLike(parts, text)];
}

/** A text part in the manner of the parts that are there: some SDKs tell parts apart by `type`. */
function partLike(parts: readonly unknown[], text: string): unknown {
  if (parts.every((part) => typeof part === 'string')) return text;
  const areTyped = parts.some((part) => typeof part === 'object' && part !== null && 'type' in part);
  return areTyped ? { type: 'text', text } : { text };
}

/** As AfterTool hooks see it: plain JSON, where an `Error` would be `{}` (field failure 79). */
export function toolResponseOf({ llmContent, returnDisplay, error, exit_code }: ToolResult): Record<string, unknown> {
  const shown = error instanceof Error ? { message: error.message } : error;
  return omitUndefined({ llmContent, returnDisplay, error: shown, exit_code: typeof exit_code === 'number' ? exit_code : undefined });
}

/** What hooks put in the place of the result; what they left out of it is gone, because it may be what they took away. */
export function replacedResult(original: ToolResult, response: unknown): ToolResult {
  if (typeof response === 'string') return { ...original, llmContent: response, returnDisplay: response };
  if (typeof response !== 'object' || response === null) return original;
  const { llmContent, returnDisplay, error, exit_code } = response as Record<string, unknown>;
  return { llmContent, ...omitUndefined({ returnDisplay, error, exit_code: typeof exit_code === 'number' ? exit_code : undefined }) };
}
