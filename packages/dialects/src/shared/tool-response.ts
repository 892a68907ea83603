import { hasFailed } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/**
 * The result of a tool as the canonical object. Agents also send a text or a list of parts; the model reads it, so it becomes `llmContent`.
 * `error` is that of a call that failed, for agents that report it in a field of its own. Undefined if there is neither.
 */
export function toToolResponse(result: unknown, error?: unknown): unknown {
  const isFailure = error !== undefined && error !== '' && !hasFailed(result);
  if ((result === undefined || result === null) && !isFailure) return undefined;
  const response = isPlainObject(result) ? result : result === undefined || result === null ? {} : { llmContent: result };
  return isFailure ? { ...response, error } : response;
}
