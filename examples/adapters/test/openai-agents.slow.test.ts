import { expectedTable, tableOf } from './table.js';

test('an agent of the OpenAI Agents SDK leads to the table of all examples', async () => {
  expect(await tableOf('openai-agents.js')).toBe(expectedTable);
});
