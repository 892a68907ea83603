import { expectedTable, tableOf } from './table.js';

test('an agent of LangChain leads to the table of all examples', async () => {
  expect(await tableOf('langchain.js')).toBe(expectedTable);
});
