import { symlinkSync, writeFileSync } from 'node:fs';
import { wait } from '@tenterhook/runtime/async';
import { findShell, retryTransient } from '../../src/run/spawn-process.js';
import { openRig, type Rig } from '../process-rig.js';

const failing = (code: string): { error: NodeJS.ErrnoException } => ({ error: Object.assign(new Error(code), { code }) });

/** Attempts that come to these, the last one again and again; and the pauses between them, which take no time. */
function attempts(...results: ({ error: NodeJS.ErrnoException } | { started: true })[]) {
  const pauses: number[] = [];
  let made = 0;
  return {
    pauses,
    get made() {
      return made;
    },
    attempt: async () => results[Math.min(made++, results.length - 1)] as { error: NodeJS.ErrnoException } | { started: true },
    pause: async (ms: number) => {
      pauses.push(ms);
    },
  };
}

test.each(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ETXTBSY'])('%s is tried again, after longer and longer pauses', async (code) => {
  const tries = attempts(failing(code), failing(code), failing(code), { started: true });
  expect(await retryTransient(tries.attempt, 60_000, new AbortController().signal, tries.pause)).toEqual({ started: true });
  expect(tries.pauses).toEqual([10, 20, 40]);
});

test.each(['ENOENT', 'EACCES', 'E2BIG'])('%s will not pass, and is returned at once', async (code) => {
  const tries = attempts(failing(code));
  expect(await retryTransient(tries.attempt, 60_000, new AbortController().signal, tries.pause)).toMatchObject({ error: { code } });
  expect([tries.made, tries.pauses]).toEqual([1, []]);
});

test.each([
  [60_000, 5000],
  [100, 100],
  [1, 1],
])('with a deadline of %i ms the pauses take less than %i ms', async (timeoutMs, most) => {
  const tries = attempts(failing('EAGAIN'));
  expect(await retryTransient(tries.attempt, timeoutMs, new AbortController().signal, tries.pause)).toMatchObject({
    error: { code: 'EAGAIN' },
  });
  expect(tries.pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(most);
  expect(tries.made).toBe(tries.pauses.length + 1);
});

test('an abort ends the waiting', async () => {
  const control = new AbortController();
  const tries = attempts(failing('EAGAIN'));
  const longPause: typeof wait = (_, signal) => {
    setImmediate(() => control.abort());
    return wait(600_000, signal);
  };
  expect(await retryTransient(tries.attempt, 60_000, control.signal, longPause)).toMatchObject({ error: { code: 'EAGAIN' } });
  expect(tries.made).toBe(1);
});

let rig: Rig;
beforeEach(() => {
  rig = openRig();
});
afterEach(() => rig.close());

const find = (path: string | undefined) => findShell({ platform: 'linux', env: path === undefined ? {} : { PATH: path } });

test('bash before sh, wherever on PATH they are (decision 31)', () => {
  symlinkSync('/bin/sh', rig.path('sh'));
  expect(find(rig.place)).toEqual({ file: rig.path('sh'), args: ['-c'] });
  symlinkSync('/bin/sh', rig.path('bash'));
  expect(find(`/no/such/place:${rig.place}`)).toEqual({ file: rig.path('bash'), args: ['-c'] });
});

test('a file that cannot be executed is not a shell, nor is one in the current directory', () => {
  writeFileSync(rig.path('bash'), '', { mode: 0o644 });
  expect(find(rig.place)).toBeUndefined();
  expect(find('.:bin::')).toBeUndefined();
});

test('without PATH, where the system looks', () => {
  expect(find(undefined)?.file).toMatch(/^\/.*\/(ba)?sh$/);
});

test('no PowerShell on a machine that has none', () => {
  expect(findShell({ platform: 'win32', env: { SystemRoot: rig.place } })).toBeUndefined();
});
