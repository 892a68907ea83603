import { readdirSync, readlinkSync } from 'node:fs';
import type { BusMessage } from '@tenterhook/protocol';
import { SocketScene } from '../socket-scene.js';

let scene: SocketScene;
beforeEach(() => {
  scene = new SocketScene();
});
afterEach(() => scene.end());

const called = (correlationId: string, engineId: string) =>
  ({ type: 'HOOK_HANDLER_CALL', payload: { correlationId, engineId, hookId: 'h', event: {}, timeoutMs: 1000 } }) as unknown as BusMessage;

/** The files of this process in which turns are recorded, on both sides of its connections. */
function openMarks(): number {
  const links = readdirSync('/proc/self/fd').map((file) => {
    try {
      return readlinkSync(`/proc/self/fd/${file}`);
    } catch {
      return '';
    }
  });
  return links.filter((link) => link.includes('/.turn-')).length;
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a client that has refused a turn records no later one, because the record would count the refused turn as begun', async () => {
  const hub = await scene.hub();
  const client = await scene.client();
  const received: string[] = [];
  const leave = client.serve('HOOK_HANDLER_CALL', () => void received.push('first'), 'first');
  client.serve('HOOK_HANDLER_CALL', () => void received.push('second'), 'second');
  client.subscribe('HOOK_EXECUTION_CANCEL', () => leave());
  await client.flush?.();
  expect(await hub.publish(called('a', 'second'))).toBe('served');
  expect(openMarks()).toBe(2);
  // The client has left the route when the call arrives, and the hub does not know it yet.
  void hub.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'other' } } as BusMessage);
  const [refused, served] = [hub.publish(called('b', 'first')), hub.publish(called('c', 'second'))];
  expect([await refused, await served]).toEqual(['unserved', 'served']);
  expect(received).toEqual(['second', 'second']);
  expect(openMarks()).toBe(1);
});
