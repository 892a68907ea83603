import { expectedTable, tableOf } from './table.js';

test('a client of an MCP server, with the command between them, leads to the table of all examples', async () => {
  expect(await tableOf('mcp/client.js')).toBe(expectedTable);
});
