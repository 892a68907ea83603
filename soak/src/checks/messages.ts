import type { ExchangeMessage } from '@tenterhook/bus';

type Message = ExchangeMessage<'HOOK_EXECUTION_REQUEST'>;

export type ResponsePayload = Extract<Message, { type: 'HOOK_EXECUTION_RESPONSE' }>['payload'];
export type ProgressPayload = Extract<Message, { type: 'HOOK_EXECUTION_PROGRESS' }>['payload'];
