import { Writable } from 'node:stream';
import { writeQuietly } from '../../../src/output/terminal/terminal-stream.js';

function brokenPipe(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })) });
}

test('a reader that has gone away ends nothing', async () => {
  const stream = brokenPipe();
  const closed = new Promise((resolve) => stream.once('close', resolve));
  writeQuietly(stream, 'one');
  writeQuietly(stream, 'two');
  await closed;
  writeQuietly(stream, 'three');
  expect(stream.errored).toMatchObject({ code: 'EPIPE' });
});

test('the errors of others stay theirs', async () => {
  const seen: string[] = [];
  const stream = brokenPipe();
  stream.on('error', (error) => seen.push(error.message));
  const closed = new Promise((resolve) => stream.once('close', resolve));
  writeQuietly(stream, 'one');
  await closed;
  expect(seen).toEqual(['write EPIPE']);
  expect(stream.listenerCount('error')).toBe(1);
});

test('a stream that throws is left alone', () => {
  const stream = {
    once() {},
    write() {
      throw new Error('gone');
    },
  };
  expect(() => writeQuietly(stream, 'one')).not.toThrow();
});
