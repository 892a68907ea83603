import assert from 'node:assert/strict';
import type { ConnectionState, Transport } from '@tenterhook/bus';
import type { TransportFeatures } from './conformance-case.js';
import { Inbox } from './conformance-watch.js';

export interface CutOff {
  /** What the end has told since. */
  readonly states: Inbox<ConnectionState>;
  /** Lets the end come back. */
  readonly reconnect: () => void;
  /** The same, and resolves when the end has told that it is restored. */
  readonly comeBack: () => Promise<void>;
}

/** Resolves when the end has told that it lost its connection. */
export async function cutOff(end: Transport, { disconnect }: TransportFeatures): Promise<CutOff> {
  assert.ok(
    disconnect !== undefined && end.onConnectionChange !== undefined,
    'an end that can be cut off has to have onConnectionChange()',
  );
  const states = new Inbox<ConnectionState>();
  end.onConnectionChange(states.push);
  const reconnect = await disconnect(end);
  await states.count(1, 'state of the connection');
  assert.deepEqual(states.items, ['lost'], 'what was told when the connection was lost');
  const comeBack = async () => {
    reconnect();
    await states.count(2, 'states of the connection');
    assert.deepEqual(states.items, ['lost', 'restored'], 'what was told when the connection was there again');
  };
  return { states, reconnect, comeBack };
}
