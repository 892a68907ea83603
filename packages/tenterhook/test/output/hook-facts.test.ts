import { describeHookFacts } from '../../src/output/hook-facts.js';

const facts = { timeoutMs: 60_000, onError: 'continue', source: 'project', dialect: 'eca' };

test.each([
  [undefined, 'no matcher'],
  ['', 'matcher ""'],
  ['eca__.*', 'matcher "eca__.*"'],
])('a matcher that is written as %j is told as it is written: %s', (matcher, told) => {
  expect(describeHookFacts({ ...facts, matcher })).toBe(`${told} · timeout 60000 ms · project, eca · project`);
});
