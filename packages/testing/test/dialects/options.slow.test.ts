import { dialectConformance } from '../../src/index.js';
import { llxprtOptions } from './llxprt-options.js';

// Every answer is tried before this one is missed.
test('an answer that denies nothing: a case reports it', async () => {
  const answers = { ...llxprtOptions.answers, deny: { decision: 'never' } };
  const [found] = dialectConformance({ ...llxprtOptions, answers }).filter(({ title }) => /decode\(\) reads a decision/.test(title));
  await expect(found?.run()).rejects.toThrow(/expected: the decision deny/);
});
