import type { RecordedExchange, Recording } from '../format/recording.js';

/** A request with the number of requests that were answered before it was sent. */
export interface OrderedRequest {
  readonly exchange: RecordedExchange;
  /** The exchanges that were answered between the request before it and this one. */
  readonly answeredBefore: readonly RecordedExchange[];
}

/** Returns the requests in the order in which they were sent. No clock is used, so a slow hook changes nothing. */
export function orderRequests({ messages }: Recording, exchanges: readonly RecordedExchange[]): OrderedRequest[] {
  const byMessage = new Map(
    exchanges.flatMap((exchange) => [[exchange.request, exchange] as const, [exchange.response, exchange] as const]),
  );
  const ordered: OrderedRequest[] = [];
  let answered: RecordedExchange[] = [];
  for (const message of messages) {
    const exchange = byMessage.get(message);
    if (exchange === undefined) continue;
    if (message === exchange.response) answered.push(exchange);
    else {
      ordered.push({ exchange, answeredBefore: answered });
      answered = [];
    }
  }
  return ordered;
}
