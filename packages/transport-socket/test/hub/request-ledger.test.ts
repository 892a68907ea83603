import type { BusMessage } from '@tenterhook/protocol';
import type { HubPeer } from '../../src/hub/publication.js';
import { Publication } from '../../src/hub/publication.js';
import { RequestLedger } from '../../src/hub/request-ledger.js';
import { cancel, request } from '../socket-scene.js';

const client = { isOpen: true, identity: 'a client' } as HubPeer;
const other = { isOpen: true, identity: 'another client' } as HubPeer;
const answer = (correlationId: string): BusMessage => ({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId, success: true } });

/**
 * Passes a message of an end if the ledger accepts it. Returns the code of the refusal, or the end at which the message has an
 * effect.
 */
function pass(ledger: RequestLedger, message: BusMessage, from: HubPeer | undefined): string | undefined {
  const publication = new Publication(message, from === undefined ? undefined : { connection: from, id: 1 });
  const refusal = ledger.judge(publication);
  if (refusal === undefined) ledger.pass(publication);
  return refusal?.code ?? publication.countsAt;
}

function fill(ledger: RequestLedger, from: HubPeer | undefined, name: string, count = 4096): void {
  for (let index = 0; index < count; index += 1) expect(pass(ledger, request(`${name}${index}`), from)).toBeUndefined();
}

test('each end has places of its own, which answers, cancels and the end of its connection free', () => {
  const ledger = new RequestLedger();
  fill(ledger, client, 'a');
  expect(pass(ledger, request('more'), client)).toBe('overloaded');
  expect(pass(ledger, request('of the hub'), undefined)).toBeUndefined();
  expect(pass(ledger, request('of another'), other)).toBeUndefined();
  expect(pass(ledger, cancel('a0'), other)).toBe('refused');
  expect(pass(ledger, cancel('a0'), client)).toBe('a client');
  expect(pass(ledger, answer('a1'), client)).toBe('a client');
  fill(ledger, client, 'b', 2);
  expect(pass(ledger, request('more'), client)).toBe('overloaded');
  ledger.forget(client);
  fill(ledger, client, 'a');
});

test('an id stays in use until its answer, also if the request is cancelled', () => {
  const ledger = new RequestLedger();
  pass(ledger, request('a'), client);
  pass(ledger, cancel('a'), client);
  expect(pass(ledger, request('a'), other)).toBe('id_in_use');
  expect(pass(ledger, answer('a'), other)).toBe('refused');
  expect(pass(ledger, answer('a'), client)).toBe('a client');
  expect(pass(ledger, answer('a'), other)).toBe('another client');
  expect(pass(ledger, request('a'), other)).toBeUndefined();
});

test('cancelled requests that are never answered are forgotten, the oldest first', () => {
  const ledger = new RequestLedger();
  for (let index = 0; index <= 4096; index += 1) {
    pass(ledger, request(`a${index}`), undefined);
    expect(pass(ledger, cancel(`a${index}`), undefined)).toBe('');
  }
  expect(pass(ledger, request('a1'), client)).toBe('id_in_use');
  expect(pass(ledger, request('a0'), client)).toBeUndefined();
});
