import { Limiter } from '../src/limiter.js';

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}
function gate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
const turn = (): Promise<void> => new Promise(setImmediate);

test('work that is taken back never begins, and what is entered for it keeps the order', async () => {
  const limiter = new Limiter(1);
  const first = gate();
  const begun: string[] = [];
  const work = (name: string, until?: Promise<void>) => async () => {
    begun.push(name);
    await until;
  };
  limiter.enter(work('first', first.opened));
  expect([limiter.hasFreeSlot, limiter.queued]).toEqual([false, 0]);
  await turn();
  const takeBack = limiter.enter(work('never'));
  limiter.enter(work('second'));
  expect([limiter.hasFreeSlot, limiter.queued]).toEqual([false, 2]);
  takeBack();
  limiter.enter(work('third'));
  expect(limiter.queued).toBe(2);
  first.open();
  await turn();
  expect(begun).toEqual(['first', 'second', 'third']);
  expect([limiter.hasFreeSlot, limiter.queued]).toEqual([true, 0]);
});

test('taking back work that has begun changes nothing', async () => {
  const limiter = new Limiter(2);
  const end = gate();
  const takeBack = limiter.enter(() => end.opened);
  await turn();
  takeBack();
  limiter.enter(() => end.opened);
  expect([limiter.hasFreeSlot, limiter.queued]).toEqual([false, 0]);
  end.open();
  await turn();
  expect(limiter.hasFreeSlot).toBe(true);
});
