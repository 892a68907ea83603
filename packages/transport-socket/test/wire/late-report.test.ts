import { LateReport } from '../../src/wire/late-report.js';

/** A report whose numbers a test can wait for. */
function reporting() {
  const sent: number[] = [];
  let wake = () => {};
  const report = new LateReport((last) => {
    sent.push(last);
    wake();
  });
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  return { report, sent, next };
}

test('the last of several numbers is reported in a later turn, once', async () => {
  const { report, sent, next } = reporting();
  report.add(1);
  report.add(2);
  expect(sent).toEqual([]);
  await next();
  expect(sent).toEqual([2]);
  report.add(3);
  await next();
  expect(sent).toEqual([2, 3]);
});

test('a number that a frame carries is not reported again', async () => {
  const { report, sent, next } = reporting();
  expect(report.take()).toBe(0);
  report.add(1);
  expect(report.take()).toBe(1);
  report.add(2);
  report.flush();
  report.flush();
  expect(sent).toEqual([2]);
  report.add(3);
  await next();
  expect(sent).toEqual([2, 3]);
});
