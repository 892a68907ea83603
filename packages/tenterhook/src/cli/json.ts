import { randomUUID } from 'node:crypto';
import type { HookExecutionResponse, ResponseError } from '@tenterhook/protocol';
import { escapeUnseen } from '@tenterhook/runtime/text';

/** The answer to a request that could not even be made: programs that read stdout get one document all the same. */
export function failure(error: ResponseError): HookExecutionResponse {
  return { correlationId: randomUUID(), success: false, error };
}

/** One document on one line. JSON leaves bidi and C1 controls as they are, and stdout may be a terminal; as escapes they are the same text. */
export function jsonLine(document: object): string {
  return `${escapeUnseen(JSON.stringify(document))}\n`;
}
