import { hasFailed } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';

/**
 * Converts the result of a tool into the canonical object. A string or a list of content parts becomes `llmContent`, which the
 * model reads. Agents that report the error of a failed call in another field pass it as `error`. Returns undefined if there is
 * neither a result nor an error.
 */
export function toToolResponse(result: unknown, error?: unknown): unknown {
  const isFailure = error !== undefined && error !== '' && !hasFailed(result);
  if ((result === undefined || result === null) && !isFailure) return undefined;
  const response = isPlainObject(result) ? result : result === undefined || result === null ? {} : { llmContent: result };
  return isFailure ? { ...response, error } : response;
}

/**
 * Converts a value that a hook wrote as a new result of a tool. A string or a canonical object stays the same. Any other value
 * becomes a string, because otherwise the model would not receive it.
 */
export function toToolOutput(result: unknown): unknown {
  if (typeof result === 'string' || (isPlainObject(result) && result['llmContent'] !== undefined)) return result;
  return getContentText(result) ?? JSON.stringify(result);
}

/**
 * Joins the text parts of an MCP result. The result is a list of parts, or an object with this list in `content`. Returns undefined
 * if there is no text part.
 */
export function getContentText(result: unknown): string | undefined {
  const parts = isPlainObject(result) ? result['content'] : result;
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.flatMap((part) =>
    isPlainObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** The error text of a failed tool call for which the host sent no details. */
export const unknownFailure = 'The tool failed.';

/**
 * Returns the failure of a tool as one text, for agents whose hooks receive only a text. The text is the error, followed by the
 * result for the model: a hook that removes secrets must receive both. If one of them contains the other, returns only the longer
 * one.
 */
export function failureText(response: unknown): string {
  if (!isPlainObject(response)) return response === undefined ? unknownFailure : errorText(response);
  const error = response['error'] === undefined ? unknownFailure : errorText(response['error']);
  const result = contentText(response['llmContent']);
  if (error.includes(result)) return error;
  return result.includes(error) ? result : `${error}\n${result}`;
}

function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = isPlainObject(error) ? error['message'] : undefined;
  return typeof message === 'string' ? message : (JSON.stringify(error) ?? '');
}

/** Returns content for the model as text. If any part of it is not text, returns all of it as JSON, so that nothing is hidden. */
function contentText(content: unknown): string {
  if (content === undefined || content === null) return '';
  return textOfContent(content) ?? JSON.stringify(content) ?? '';
}

/** Returns content for the model as text, or undefined if there is no content or any part of it is not text. */
export function textOfContent(content: unknown): string | undefined {
  if (content === undefined || content === null || typeof content === 'string') return content ?? undefined;
  const texts = (Array.isArray(content) ? content : [content]).map((part) => (isPlainObject(part) ? part['text'] : part));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}
