import { AskedRequests } from '../../src/requests/asked-requests.js';

test('a finished request keeps nothing of its payload, although its late messages are accepted', () => {
  const requests = new AskedRequests();
  const message = { type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId: 'a', eventName: 'BeforeTool', input: {} } } as never;
  const sent: string[] = [];
  const asked = requests.add({
    message,
    subject: 'subject',
    send: () => sent.push('sent'),
    resolve: () => {},
    reject: () => {},
    kept: undefined,
  });
  requests.finish(asked);
  const kept = requests.find(asked.number);
  expect(kept).toMatchObject({ correlationId: 'a', state: 'over' });
  expect(kept?.message).toEqual({ type: 'HOOK_EXECUTION_REQUEST', payload: undefined });
  kept?.send();
  expect(sent).toEqual([]);
});

test('the number of finished requests is limited', () => {
  const requests = new AskedRequests();
  const numbers = Array.from({ length: 20_000 }, (_, index) => {
    const message = { type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId: String(index) } } as never;
    const nothing = () => {};
    const asked = requests.add({ message, subject: '', send: nothing, resolve: nothing, reject: nothing, kept: undefined });
    requests.finish(asked);
    return asked.number;
  });
  const found = numbers.filter((number) => requests.find(number) !== undefined);
  expect(found).toEqual(numbers.slice(-found.length));
  expect(found.length).toBeGreaterThanOrEqual(4096);
  expect(found.length).toBeLessThanOrEqual(8192);
  expect(requests.size).toBe(0);
});
