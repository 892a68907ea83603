import { isPlainObject } from '@tenterhook/runtime/json';
import type { RecordedExchange, Recording } from '../format/recording.js';

/** A request that has `***` in place of a secret. Its hooks receive `***`, and may answer otherwise than they did to the secret. */
export interface MaskedRequest {
  readonly ordinal: number;
  readonly eventName: string | undefined;
  readonly line: number | undefined;
  readonly code: 'masked_request';
}

/** Finds the requests with masked values. A text of the agent may also have contained `***`, which is the same in the file. */
export function findMasked({ header }: Recording, exchanges: readonly RecordedExchange[]): MaskedRequest[] {
  if (!header.masked) return [];
  return exchanges
    .filter(({ request }) => isPlainObject(request?.payload) && JSON.stringify(request.payload['input'])?.includes('***'))
    .map(({ ordinal, eventName, request }) => ({ ordinal, eventName, line: request?.line, code: 'masked_request' }));
}
