import { LateReport } from '../../src/wire/late-report.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the last of several numbers is reported at the end of the turn, once', async () => {
  const sent: number[] = [];
  const report = new LateReport((last) => sent.push(last));
  report.add(1);
  report.add(2);
  expect(sent).toEqual([]);
  await turn();
  expect(sent).toEqual([2]);
  await turn();
  report.add(3);
  await turn();
  expect(sent).toEqual([2, 3]);
});

test('a number that a frame carries is not reported again', async () => {
  const sent: number[] = [];
  const report = new LateReport((last) => sent.push(last));
  expect(report.take()).toBe(0);
  report.add(1);
  expect(report.take()).toBe(1);
  await turn();
  expect(sent).toEqual([]);
  report.add(2);
  report.flush();
  report.flush();
  await turn();
  expect(sent).toEqual([2]);
});
