import { describeAction } from '../../../src/output/reports/action.js';

test.each([
  [{ command: 'npm test' }, ['$ npm test']],
  [{ url: 'https://example.org/hook' }, ['POST https://example.org/hook']],
  [{ type: 'prompt' }, ['prompt, run by the host']],
  [{}, []],
])('%j is shown as what it is', (action, lines) => {
  expect(describeAction(action)).toEqual(lines);
});
