import { format } from 'node:util';
import { createLog } from '@tenterhook/runtime/log';
import createDebug from 'debug';
import { MessageBus } from '../src/index.js';
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
    /a subscriber of HOOK_EXECUTION_REQUEST threw: Error: mine at /,
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

test('whatever is logged is one line, masked, bounded, and without anything that a terminal obeys', async () => {
  const log = createLog('example');
  const failure = Object.assign(new TypeError('token=hunter2\u001b[2J\nnext', { cause: new Error('DB_PASS=hunter2') }), {
    password: 'hunter2',
  });
  const text = await shown('tenterhook:*', () => {
    log('text %s, number %d, value %O', 'a\u001b]0;x\u0007\u202e\n"type":"token=hunter2"', 5, { api_key: 'hunter2', list: ['a\u0007'] });
    log('failed: %O', failure);
    log('long: %s %O', 'x'.repeat(1_000_000), 'y'.repeat(1_000_000));
    log('a %s that is more, and one %s that is less', 'value');
  });
  const lines = text.split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain(
    'text a\\u001b]0;x\\u0007\\u202e\\u000a"type":"token=***", number 5, value {"api_key":"***","list":["a\\u0007"]}',
  );
  expect(lines[1]).toMatch(/failed: TypeError: token=\*\*\*.*\{"password":"\*\*\*"\} caused by Error: DB_PASS=\*\*\*/);
  expect(lines[2]?.length).toBeLessThan(4_200);
  expect(lines[3]).toContain('a value that is more, and one %s that is less');
  expect(text).not.toMatch(/hunter2|[\u0000-\u0009\u000b-\u001a\u202e]|\u001b(?!\[)|\u001b\[2J/);
});

test('never throws, whatever it is given', async () => {
  const hostile = new Proxy(new Error('x'), {
    get: () => {
      throw new Error('no');
    },
  });
  const text = await shown('tenterhook:*', () => createLog('example')('%s %O %O %O', hostile, hostile, Symbol('a'), 5n));
  expect(text).toContain('cannot be shown');
});
