import '../../../../test/support/debug-log.js';
import { format } from 'node:util';
import createDebug from 'debug';
import { createLog } from '../../src/log/log.js';

/** Returns what `DEBUG=…` shows while the work is done. */
async function shown(namespaces: string, work: () => unknown): Promise<string> {
  const lines: string[] = [];
  const { log } = createDebug;
  createDebug.log = (...values: unknown[]) => lines.push(format(...values));
  createDebug.enable(namespaces);
  try {
    await work();
  } finally {
    createDebug.disable();
    createDebug.log = log;
  }
  return lines.join('\n');
}

test('a log is silent and disabled, unless DEBUG names it', async () => {
  const log = createLog('example');
  expect(log.enabled).toBe(false);
  expect(await shown('tenterhook:other', () => log('hello'))).toBe('');
  const text = await shown('tenterhook:*', () => {
    expect(log.enabled).toBe(true);
    log('hello %s', 'you');
  });
  expect(text).toMatch(/tenterhook:example.*hello you/);
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
