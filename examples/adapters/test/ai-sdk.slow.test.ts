import { expectedTable, tableOf } from './table.js';

test('an agent of the AI SDK leads to the table of all examples', async () => {
  expect(await tableOf('ai-sdk.js')).toBe(expectedTable);
});
