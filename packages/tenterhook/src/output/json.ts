import { randomUUID } from 'node:crypto';
import type { HookExecutionResponse, ResponseError } from '@tenterhook/protocol';

/** The answer to a request that could not even be made: programs that read stdout get one document all the same. */
export function failure(error: ResponseError): HookExecutionResponse {
  return { correlationId: randomUUID(), success: false, error };
}

export function printJson(response: HookExecutionResponse): void {
  process.stdout.write(`${JSON.stringify(response)}\n`);
}
