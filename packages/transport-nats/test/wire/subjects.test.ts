import type { BusMessage } from '@tenterhook/protocol';
import fc from 'fast-check';
import { encodeToken, Subjects } from '../../src/wire/subjects.js';

const subjects = new Subjects('acme', 'web', 'agent7', 's1');
const request = (eventName: unknown) => ({ type: 'HOOK_EXECUTION_REQUEST', payload: { eventName } }) as unknown as BusMessage;

test('a request goes to a subject of its project and event, and its copy to the log', () => {
  expect(subjects.ask(request('BeforeTool'))).toBe('tenterhook.acme.ask.web.BeforeTool');
  expect(subjects.log(request('BeforeTool'), false)).toBe('tenterhook.acme.log.request.web.BeforeTool');
});

test('without a project, requests have the project "-", and all projects are served', () => {
  const without = new Subjects('acme', undefined, '-', 's1');
  expect(without.ask(request('BeforeTool'))).toBe('tenterhook.acme.ask.-.BeforeTool');
  expect(without.served('HOOK_EXECUTION_REQUEST', undefined)).toBe('tenterhook.acme.ask.*.*');
  expect(subjects.served('HOOK_EXECUTION_REQUEST', undefined)).toBe('tenterhook.acme.ask.web.*');
  // A worker for events receives no questions about a service.
  expect(subjects.served('HOOK_SERVICE_QUERY', undefined)).toBe('tenterhook.acme.query.web');
});

test('an event name that is not a text has a token, too', () => {
  for (const name of [undefined, 5, '']) expect(subjects.ask(request(name))).toBe('tenterhook.acme.ask.web.=');
});

test.each([
  ['tenterhook.acme.reply.agent7.s1.a', true],
  ['tenterhook.acme.reply.agent7.s1', false],
  ['tenterhook.acme.reply.agent7.s1.a.response', false],
  ['tenterhook.acme.reply.*.s1.a', false],
  ['tenterhook.acme.reply.agent7.s1.>', false],
  ['tenterhook.other.reply.agent7.s1.a', false],
  ['tenterhookXacme.reply.agent7.s1.a', false],
  ['tenterhook.acme.log.response.web', false],
  ['_INBOX.abc', false],
])('whether %s is a subject for replies: %s', (subject, isTarget) => {
  expect(subjects.isReplyTarget(subject)).toBe(isTarget);
});

test('the name of a worker cannot be a part of another subject', () => {
  expect(subjects.controlOf('w.s2')).toEqual({ cancels: 'tenterhook.acme.cancel.w.s2', alive: 'tenterhook.acme.alive.w.s2' });
  for (const name of ['w', 'w.s.t', '*.>', 'w.*', '']) expect(subjects.controlOf(name)).toBeUndefined();
});

test('any text is one token without wildcards, and different texts have different tokens', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 100, maxLength: 400 }));
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(encodeToken(one)).toMatch(/^[A-Za-z0-9_=-]{1,130}$/);
      expect(encodeToken(one) === encodeToken(other)).toBe(one === other);
    }),
  );
  expect(encodeToken('\ud800')).not.toBe(encodeToken('\ud801'));
});
