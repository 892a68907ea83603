import { hasFailed } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';

/**
 * Converts the result of a tool into the canonical object. Some agents send a string or a list of content parts; this becomes `llmContent`,
 * which the model reads. `error` is the error of a failed call, for agents that report it in another field. Returns undefined if there is
 * neither.
 */
export function toToolResponse(result: unknown, error?: unknown): unknown {
  const isFailure = error !== undefined && error !== '' && !hasFailed(result);
  if ((result === undefined || result === null) && !isFailure) return undefined;
  const response = isPlainObject(result) ? result : result === undefined || result === null ? {} : { llmContent: result };
  return isFailure ? { ...response, error } : response;
}

/**
 * Converts what a hook writes in place of a result: a text or an object in canonical form is kept, anything else becomes its text. An object
 * in another form would leave the model without a result.
 */
export function toToolOutput(result: unknown): unknown {
  if (typeof result === 'string' || (isPlainObject(result) && result['llmContent'] !== undefined)) return result;
  return getContentText(result) ?? JSON.stringify(result);
}

/** Returns the text of an MCP result: the text parts of a list, or of the list in an object. Undefined if there is no text. */
export function getContentText(result: unknown): string | undefined {
  const parts = isPlainObject(result) ? result['content'] : result;
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.flatMap((part) =>
    isPlainObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** The error text of a failed tool call, if the host sent no details. */
export const unknownFailure = 'The tool failed.';

/**
 * Returns the failure of a tool as one text, for agents whose hooks receive only that: the error, and after it the result that the model
 * reads, unless one contains the other. A hook that takes a secret out of a failure must be shown both.
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

/** Returns the text of a content for the model. A content with other parts than texts is shown as JSON, so that nothing in it is hidden. */
function contentText(content: unknown): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  const texts = (Array.isArray(content) ? content : [content]).map((part) => (isPlainObject(part) ? part['text'] : part));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : (JSON.stringify(content) ?? '');
}
