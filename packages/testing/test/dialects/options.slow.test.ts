import { dialectConformance } from '../../src/index.js';
import { llxprtOptions } from './llxprt-options.js';

// The suite tries every answer before it reports that this one is missing.
test('an answer that denies nothing: a case reports it', async () => {
  const answers = { ...llxprtOptions.answers, deny: { decision: 'never' } };
  const [found] = dialectConformance({ ...llxprtOptions, answers }).filter(({ title }) => /decode\(\) reads a decision/.test(title));
  await expect(found?.run()).rejects.toThrow(/expected: the decision deny/);
});
