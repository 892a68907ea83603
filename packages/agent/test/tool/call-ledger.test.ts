import { createCallLedger } from '../../src/internal.js';

test('of 2,000 calls the last 1,024 are known', () => {
  const ledger = createCallLedger();
  const ids = Array.from({ length: 2000 }, (_, index) => `c${index}`);
  for (const id of ids) ledger.begin(id, { additions: [id] });
  expect(ids.filter((id) => ledger.get(id) !== undefined)).toEqual(ids.slice(-1024));
  expect(ledger.get('c1999')).toEqual({ additions: ['c1999'] });
});

test('notes about a call add up, and do not make it younger', () => {
  const ledger = createCallLedger({ maxCalls: 2 });
  const { signal } = new AbortController();
  ledger.begin('a', { signal });
  ledger.note('b', { additions: ['text'] });
  ledger.note('a', { toolSelection: { mode: 'NONE' } });
  expect(ledger.get('a')).toEqual({ signal, toolSelection: { mode: 'NONE' } });
  ledger.note('c', {});
  expect(['a', 'b', 'c'].map((id) => ledger.get(id) !== undefined)).toEqual([false, true, true]);
});

test('a finished call is gone, apart from what later model calls need', () => {
  const ledger = createCallLedger();
  ledger.begin('a', { toolSelection: { mode: 'NONE' } });
  ledger.begin('b', { toolSelection: { mode: 'NONE' } });
  ledger.begin('c', { toolSelection: { mode: 'NONE' } });
  ledger.finish('a');
  ledger.finish('b', { additions: ['text'], stop: { stopReason: 'enough' } });
  ledger.finish('c', {});
  expect(ledger.get('a')).toBeUndefined();
  expect(ledger.get('b')).toEqual({ additions: ['text'], stop: { stopReason: 'enough' } });
  expect(ledger.get('c')).toBeUndefined();
});

test('a new call with the id of an old one knows nothing of it', () => {
  const ledger = createCallLedger();
  ledger.begin('call_1', {});
  ledger.finish('call_1', { additions: ['text'] });
  ledger.begin('call_1', { toolSelection: { mode: 'AUTO' } });
  expect(ledger.get('call_1')).toEqual({ toolSelection: { mode: 'AUTO' } });
});
