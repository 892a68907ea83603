import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { showLoad } from '../../../src/cli/serving/show-load.js';

const served = [
  { name: 'web', load: { running: 1, answered: 7, denied: 2, failed: 0 } },
  { name: 'shop', load: { running: 0, answered: 0, denied: 0, failed: 0 } },
];

function terminal(columns: number, isTTY = true) {
  return Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns });
}

test.each([
  [120, 'web: 1 running, 7 answered, 2 denied, 0 failed  shop: 0 running, 0 answered, 0 denied, 0 failed'],
  [20, 'web: 1 running, 7 …'],
])('on a terminal of %d columns, one line shows the load, and is cleared at the end', async (columns, line) => {
  const stderr = terminal(columns);
  const stop = showLoad(served, { stderr });
  const [shown] = await once(stderr, 'data');
  expect(shown).toBe(`\r\u001b[K${line}`);
  const cleared = once(stderr, 'data');
  stop();
  expect((await cleared)[0]).toBe('\r\u001b[K');
});

test('elsewhere nothing is written', () => {
  const stderr = terminal(80, false);
  showLoad(served, { stderr })();
  expect(stderr.read()).toBeNull();
});
