import { getEventListeners } from 'node:events';
import { type Ask, askUser } from '../../src/permission/ask-user.js';

const question = { eventName: 'BeforeTool' as const, subject: 'run_shell', input: {}, by: ['h1'], reason: 'sure?' };
const { reason: _, ...withoutReason } = question;

test('allow is not a refusal', async () => {
  expect(await askUser(() => 'allow', question, undefined)).toBeUndefined();
  expect(await askUser(async () => 'allow' as const, question, new AbortController().signal)).toBeUndefined();
});

test.each<[string, Ask | undefined]>([
  ['no user', undefined],
  ['deny', () => 'deny'],
  ['ALLOW', () => 'ALLOW' as never],
  ['an object', () => ({ allow: true }) as never],
  ['a thrown text', () => Promise.reject('no terminal')],
])('%s is one, which carries the reason of the hooks', async (_name, ask) => {
  expect(await askUser(ask, question, undefined)).toMatch(/\. sure\?$/);
  expect(await askUser(ask, withoutReason, undefined)).toMatch(/\.$/);
});

test('with a signal that has aborted no user is asked', async () => {
  const ask: Ask = () => {
    throw new Error('no user was to be asked');
  };
  const signal = AbortSignal.abort();
  expect(await askUser(ask, question, signal)).toContain('withdrawn');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('an asker that never answers is left at the abort, and sees its reason', async () => {
  const controller = new AbortController();
  let seen: unknown;
  const ask: Ask = (_question, { signal }) => {
    signal.addEventListener('abort', () => {
      seen = signal.reason;
    });
    return new Promise(() => {});
  };
  const refusal = askUser(ask, question, controller.signal);
  controller.abort('Esc');
  expect(await refusal).toContain('withdrawn');
  expect(seen).toBe('Esc');
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});

test.each<[string, Ask]>([
  ['an answer', () => 'deny'],
  [
    'a throw',
    () => {
      throw new Error('x');
    },
  ],
  ['a rejection', () => Promise.reject(new Error('x'))],
])('after %s nothing listens to the signal any more', async (_name, ask) => {
  const { signal } = new AbortController();
  await askUser(ask, question, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a rejection that comes after the abort is not an unhandled one', async () => {
  const controller = new AbortController();
  let reject: (error: Error) => void = () => {};
  const refusal = askUser(() => new Promise((_resolve, fail) => (reject = fail)), question, controller.signal);
  controller.abort();
  await refusal;
  reject(new Error('too late'));
  // An unhandled rejection would end the process of the test before the next turn of the loop.
  await new Promise((resolve) => setImmediate(resolve));
});
