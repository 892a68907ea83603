import { format } from 'node:util';
import createDebug from 'debug';
import { MessageBus } from '../src/index.js';
import { createLog } from '../src/internal.js';
import { request, settled } from './watch.js';

/** What DEBUG=… would show while the work is done. */
async function shown(namespaces: string, work: () => unknown): Promise<string> {
  const lines: string[] = [];
  const { log } = createDebug;
  createDebug.log = (...values: unknown[]) => lines.push(format(...values));
  createDebug.enable(namespaces);
  try {
    await work();
    await settled();
  } finally {
    createDebug.disable();
    createDebug.log = log;
  }
  return lines.join('\n');
}

const fail = () => {
  throw new Error('mine');
};

test('a log is silent, and says so, unless DEBUG names it', async () => {
  const log = createLog('example');
  expect(log.enabled).toBe(false);
  expect(await shown('tenterhook:other', () => log('hello'))).toBe('');
  const text = await shown('tenterhook:*', () => {
    expect(log.enabled).toBe(true);
    log('hello %s', 'you');
  });
  expect(text).toMatch(/tenterhook:example.*hello you/);
});

test.each<[string, (bus: MessageBus) => unknown, RegExp]>([
  [
    'a subscriber that throws',
    (bus) => {
      bus.subscribe('HOOK_EXECUTION_REQUEST', fail);
      return bus.request('HOOK_EXECUTION_REQUEST', request);
    },
    /a subscriber of HOOK_EXECUTION_REQUEST threw: .*mine/,
  ],
  [
    'a subscriber that rejects',
    (bus) => {
      bus.subscribe('HOOK_EXECUTION_REQUEST', async () => fail());
      return bus.request('HOOK_EXECUTION_REQUEST', request);
    },
    /a subscriber of HOOK_EXECUTION_REQUEST rejected: .*mine/,
  ],
  [
    'a responder that fails',
    (bus) => {
      bus.respond('HOOK_EXECUTION_REQUEST', async () => fail() as never);
      return bus.request('HOOK_EXECUTION_REQUEST', { ...request, correlationId: 'a' });
    },
    /the responder of HOOK_EXECUTION_REQUEST failed on request a: .*mine/,
  ],
  [
    'a message for a closed bus',
    async (bus) => {
      await bus.close();
      bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: request });
    },
    /HOOK_EXECUTION_REQUEST was not published: the bus is closed/,
  ],
])('the bus tells of %s', async (_, work, line) => {
  expect(await shown('tenterhook:bus', () => work(new MessageBus()))).toMatch(line);
});
