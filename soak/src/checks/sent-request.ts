import type { ExchangeMessage } from '@tenterhook/bus';
import type { Round } from '../load/settings-round.js';
import type { SoakEvent } from '../load/soak-event.js';

type Message = ExchangeMessage<'HOOK_EXECUTION_REQUEST'>;

export type ResponsePayload = Extract<Message, { type: 'HOOK_EXECUTION_RESPONSE' }>['payload'];
export type ProgressPayload = Extract<Message, { type: 'HOOK_EXECUTION_PROGRESS' }>['payload'];

/** The expectation for a request, which is known before the request is sent. */
export interface Intent {
  /** Its position in the order of the seed. */
  readonly number: number;
  readonly eventName: SoakEvent;
  readonly how: string;
  /** The error codes that it may have. If empty, the request has to succeed. */
  readonly codes: readonly string[];
  /** True if a success would be wrong. */
  readonly mustFail?: true;
  /** True if the request may be ended early. */
  readonly mayBeCut?: true;
  /** True if its working directory does not exist, so that no hook can run. */
  readonly isUnrunnable?: true;
  /** True if the bus answers it under another id, because its own cannot be used. */
  readonly isRefused?: true;
}

/** A request that was sent, with the settings that may apply to it. During a reload there are two sets. */
export interface SentRequest extends Intent {
  readonly rounds: readonly Round[];
}
