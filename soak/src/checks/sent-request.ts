import type { ExchangeMessage } from '@tenterhook/bus';
import type { Round } from '../load/settings-round.js';
import type { SoakEvent } from '../load/soak-event.js';

type Message = ExchangeMessage<'HOOK_EXECUTION_REQUEST'>;

export type ResponsePayload = Extract<Message, { type: 'HOOK_EXECUTION_RESPONSE' }>['payload'];
export type ProgressPayload = Extract<Message, { type: 'HOOK_EXECUTION_PROGRESS' }>['payload'];

/** What a request is expected to do, known before it is sent. */
export interface Intent {
  /** Its place in the order of the seed. */
  readonly number: number;
  readonly eventName: SoakEvent;
  readonly how: string;
  /** Legal error codes; if empty, the request has to succeed. */
  readonly codes: readonly string[];
  /** A success would be wrong. */
  readonly mustFail?: true;
  /** Something is about to end it early. */
  readonly mayBeCut?: true;
  /** Its working directory does not exist, so that nothing of it can run. */
  readonly isUnrunnable?: true;
  /** The bus answers it under another id, because it cannot under its own. */
  readonly isRefused?: true;
}

/** A request in flight, with the settings that may apply to it: two sets during a reload. */
export interface SentRequest extends Intent {
  readonly rounds: readonly Round[];
}
