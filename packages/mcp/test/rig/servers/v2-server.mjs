// A server with the SDK 2.x, protocols 2025-11-25 and 2026-07-28.
import { appendFileSync } from 'node:fs';
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { noteInput, registerTools } from './tools.mjs';

noteInput(appendFileSync);
serveStdio(() => {
  const server = new McpServer({ name: 'v2', version: '1' });
  registerTools(server);
  const colour = z.object({ colour: z.string() });
  server.registerTool('choose', { inputSchema: { thing: z.string() } }, async ({ thing }, context) => {
    const chosen = acceptedContent(context.mcpReq.inputResponses, 'colour', colour);
    if (chosen === undefined) {
      return inputRequired({
        inputRequests: { colour: inputRequired.elicit({ message: 'Which colour?', requestedSchema: colour }) },
        requestState: 'state of the server',
      });
    }
    return { content: [{ type: 'text', text: `${chosen.colour} ${thing}, ${context.mcpReq.requestState()}` }] };
  });
  return server;
});
