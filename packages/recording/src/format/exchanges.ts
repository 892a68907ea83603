import { exchanges } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { RecordedExchange, RecordedMessage } from './recording.js';

type Growing = { -readonly [Field in keyof RecordedExchange]: RecordedExchange[Field] } & {
  readonly progress: RecordedMessage[];
  readonly cancels: RecordedMessage[];
  readonly late: RecordedMessage[];
};

const channels = exchanges.HOOK_EXECUTION_REQUEST;

/** Joins messages by their correlation ids. Requests to handlers of other processes are parts of an event, so they are left out. */
export function joinExchanges(messages: readonly RecordedMessage[]): RecordedExchange[] {
  const byId = new Map<unknown, Growing>();
  const requests: Growing[] = [];
  const orphans: Growing[] = [];
  for (const message of messages) {
    const payload = isPlainObject(message.payload) ? message.payload : {};
    const id = payload['correlationId'];
    const known = id === undefined ? undefined : byId.get(id);
    if (message.type === 'HOOK_EXECUTION_REQUEST') {
      const exchange = begin(message, requests.length + 1, payload);
      requests.push(exchange);
      // An id in use is refused under another id, so further messages belong to the request that has it. An answered id may be used again.
      if (id !== undefined && (known === undefined || known.response !== undefined)) byId.set(id, exchange);
      continue;
    }
    if (message.type !== channels.response && message.type !== channels.progress && message.type !== channels.cancel) continue;
    const exchange = known ?? begin(undefined, 0, payload);
    if (known === undefined) {
      orphans.push(exchange);
      byId.set(id, exchange);
    }
    if (message.type === channels.progress) (payload['late'] === true ? exchange.late : exchange.progress).push(message);
    else if (message.type === channels.cancel) exchange.cancels.push(message);
    else if (exchange.response === undefined) {
      exchange.response = message;
      if (exchange.state === 'unanswered') exchange.state = 'answered';
    }
  }
  // Progress of a handler's call has the id of that call, so it has neither request nor response here.
  return [...requests, ...orphans.filter(({ response }) => response !== undefined)];
}

function begin(request: RecordedMessage | undefined, ordinal: number, payload: Readonly<Record<string, unknown>>): Growing {
  const { correlationId, eventName } = payload;
  return {
    ordinal,
    correlationId: typeof correlationId === 'string' ? correlationId : undefined,
    eventName: typeof eventName === 'string' ? eventName : undefined,
    state: request === undefined ? 'orphan' : 'unanswered',
    ...(request === undefined ? {} : { request }),
    progress: [],
    cancels: [],
    late: [],
  };
}
