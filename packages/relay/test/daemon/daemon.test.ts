import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askDaemon } from '../../src/client/ask-daemon.js';
import { Daemon, type DaemonOptions } from '../../src/daemon/daemon.js';

const longMs = 100_000;
const folder = mkdtempSync(join(tmpdir(), 'tenterhook-daemon-'));
const socket = join(folder, 'relay-1.sock');
afterAll(() => rmSync(folder, { recursive: true }));

const listen = (options: Partial<DaemonOptions> = {}) =>
  Daemon.listen({
    socket,
    prepare: async ({ event }) => (event === 'known' ? async () => ({ exit: 2, stdout: 'out', stderr: 'error' }) : undefined),
    isOutdated: () => false,
    idleMs: longMs,
    lookMs: longMs,
    maxMemoryBytes: Number.POSITIVE_INFINITY,
    ...options,
  }) as Promise<Daemon>;

const ask = (event: string, text = '{}') => {
  const until = performance.now() + longMs;
  const request = { version: '1', agent: 'a', event, words: [], environment: {}, text };
  return askDaemon(socket, request, { budgetUntil: until, answeredBy: until });
};

test('a request is answered, and an unknown one is not taken', async () => {
  const daemon = await listen();
  expect(await ask('known', 'x'.repeat(300_000))).toEqual({ kind: 'answered', answer: { exit: 2, stdout: 'out', stderr: 'error' } });
  expect(await ask('other')).toEqual({ kind: 'not-taken' });
  daemon.stop();
  await daemon.ended;
  expect(existsSync(socket)).toBe(false);
  expect(await ask('known')).toEqual({ kind: 'not-taken' });
});

test('a second daemon does not listen, unless the first is dead', async () => {
  const daemon = await listen();
  expect(await listen()).toBeUndefined();
  daemon.stop();
  await daemon.ended;
  const next = await listen();
  expect(await ask('known')).toMatchObject({ kind: 'answered' });
  next.stop();
});

test('a daemon whose socket has lost its name ends, and leaves the name to the next one', async () => {
  const daemon = await listen({ lookMs: 1 });
  rmSync(socket);
  const next = await listen();
  await daemon.ended;
  expect(await ask('known')).toMatchObject({ kind: 'answered' });
  next.stop();
  await next.ended;
});

test('an outdated daemon takes no request, and ends', async () => {
  const daemon = await listen({ isOutdated: () => true });
  expect(await ask('known')).toEqual({ kind: 'not-taken' });
  await daemon.ended;
});

test('a daemon that uses too much memory ends after an event', async () => {
  const daemon = await listen({ maxMemoryBytes: 1 });
  expect(await ask('known')).toMatchObject({ kind: 'answered' });
  await daemon.ended;
});

test('a daemon without requests ends', async () => {
  const daemon = await listen({ idleMs: 1 });
  await daemon.ended;
  expect(existsSync(socket)).toBe(false);
});
