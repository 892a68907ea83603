import { withFunctions } from '../../../../test/support/function-hooks.js';
import { AnswerReview } from '../../src/turn/answer-review.js';

const call = { toolCallId: 'c1', toolName: 'search' };

test.each([
  ['without calls', [], 1],
  ['whose calls the provider ran', [{ ...call, providerExecuted: true }], 1],
  ['whose calls the agent runs', [{ ...call, providerExecuted: true }, call], 0],
])('AfterAgent is fired at a step %s, or not', async (_, toolCalls, times) => {
  let count = 0;
  const hook = () => {
    count += 1;
    return {};
  };
  await withFunctions({ AfterAgent: [hook] }, async ({ client }) => {
    const review = new AnswerReview(client, {}, 'Go.', undefined);
    expect(await review.next({ text: 'Done.', toolCalls })).toBeUndefined();
    expect(count).toBe(times);
  });
});
