import { LentValues } from '../../src/daemon/lent-values.js';

/** Values that are their keys, and those that were closed. */
function open(max: number) {
  const closed: string[] = [];
  const values = new LentValues<string>(max, async (value) => void closed.push(value));
  const lend = (key: string) => values.lend(key, async () => key);
  return { values, closed, lend };
}

/** Lets promises that are settled call back. */
const settled = () => new Promise(setImmediate);

test('a value is made once, and kept', async () => {
  const { values, closed, lend } = open(2);
  const [one, again] = [await lend('a'), await lend('a')];
  expect([one.value, again.value, values.size]).toEqual(['a', 'a', 1]);
  one.giveBack();
  again.giveBack();
  await settled();
  expect(closed).toEqual([]);
});

test('the value that was not used for longest is closed, when its last user has given it back', async () => {
  const { closed, lend } = open(2);
  const first = await lend('a');
  for (const key of ['b', 'a', 'c']) (await lend(key)).giveBack();
  await settled();
  expect(closed).toEqual(['b']);
  (await lend('d')).giveBack();
  await settled();
  expect(closed).toEqual(['b']);
  first.giveBack();
  first.giveBack();
  await settled();
  expect(closed).toEqual(['b', 'a']);
});

test('a value that cannot be made is tried again', async () => {
  const { values, lend } = open(2);
  await expect(values.lend('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect((await lend('a')).value).toBe('a');
});

test('close() closes what is not lent', async () => {
  const { values, closed, lend } = open(2);
  (await lend('a')).giveBack();
  await values.close();
  expect(closed).toEqual(['a']);
});
