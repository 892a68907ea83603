import { hasFailed } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/**
 * Converts the result of a tool into the canonical object. Some agents send a string or a list of content parts; this becomes `llmContent`,
 * which the model reads. `error`: the error of a failed call, for agents that report it in another field. Returns undefined if there is
 * neither.
 */
export function toToolResponse(result: unknown, error?: unknown): unknown {
  const isFailure = error !== undefined && error !== '' && !hasFailed(result);
  if ((result === undefined || result === null) && !isFailure) return undefined;
  const response = isPlainObject(result) ? result : result === undefined || result === null ? {} : { llmContent: result };
  return isFailure ? { ...response, error } : response;
}
