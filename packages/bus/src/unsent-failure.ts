import type { ErrorCode } from '@tenterhook/protocol';
import { codeOf, describeThrown } from '@tenterhook/runtime/text';

/** What becomes of a request that its transport did not carry. */
export interface UnsentFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** It has got nowhere for certain: what stands for the answer is its one response, for all to see. */
  readonly isNowhere: boolean;
}

const refused: ReadonlySet<unknown> = new Set(['too_large', 'not_json']);
const cutOff: ReadonlySet<unknown> = new Set(['disposed', 'disconnected']);

export function unsentFailure(transportName: string, error: unknown): UnsentFailure {
  const code = codeOf(error);
  const message = `The transport ${transportName} did not carry the request: ${describeThrown(error)}`;
  if (refused.has(code)) return { code: 'invalid_request', message, isNowhere: true };
  return { code: cutOff.has(code) ? 'disposed' : 'internal_error', message, isNowhere: false };
}
