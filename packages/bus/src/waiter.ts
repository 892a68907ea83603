import type { BusMessage, Channel, ErrorCode, RequestChannel } from '@tenterhook/protocol';
import type { AnyResponse } from './requests/responses.js';

/** One request that somebody waits for. */
export interface Waiter {
  /** The half bus that has to let go of it. */
  readonly owner: object;
  readonly channel: RequestChannel;
  readonly responseChannel: Channel;
  /** As it was published: tells two requests of one id apart. */
  readonly payload: object;
  /** Called once, with the response or what stands for it. */
  readonly settle: (response: AnyResponse) => void;
  readonly onProgress: ((message: BusMessage) => void) | undefined;
  correlationId: string;
  timer: NodeJS.Timeout | undefined;
  stopListening: (() => void) | undefined;
  /** Why the requester has stopped waiting, during the grace in which the response may still bring details. */
  ending: { readonly code: ErrorCode; readonly message: string } | undefined;
}
