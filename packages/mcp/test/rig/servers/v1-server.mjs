// A server with the SDK 1.x, protocol 2025-11-25.
import { appendFileSync } from 'node:fs';
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { noteInput, registerTools } from './tools.mjs';

const server = new McpServer(
  { name: 'v1', version: '1' },
  {
    capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }, logging: {} },
    taskStore: new InMemoryTaskStore(),
    taskMessageQueue: new InMemoryTaskMessageQueue(),
  },
);
registerTools(server);
server.registerTool('steps', { inputSchema: { count: z.number() } }, async ({ count }, { sendNotification, _meta }) => {
  for (let progress = 1; progress <= count; progress += 1) {
    await sendNotification({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress, total: count } });
  }
  return { content: [{ type: 'text', text: `token ${typeof _meta.progressToken}, note ${_meta.note}` }] };
});
server.registerTool('choose', { inputSchema: {} }, async () => {
  const answer = await server.server.elicitInput({
    message: 'Which colour?',
    requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
  });
  return { content: [{ type: 'text', text: `${answer.action} ${answer.content?.colour}` }] };
});
server.experimental.tasks.registerToolTask(
  'report',
  { inputSchema: { topic: z.string() }, execution: { taskSupport: 'optional' } },
  {
    async createTask({ topic }, { taskStore, taskRequestedTtl }) {
      const task = await taskStore.createTask({ ttl: taskRequestedTtl, pollInterval: 20 });
      await taskStore.storeTaskResult(task.taskId, 'completed', { content: [{ type: 'text', text: `report on ${topic}: sk-secret` }] });
      return { task };
    },
    getTask: (_args, { taskId, taskStore }) => taskStore.getTask(taskId),
    getTaskResult: (_args, { taskId, taskStore }) => taskStore.getTaskResult(taskId),
  },
);
noteInput(appendFileSync);
await server.connect(new StdioServerTransport());
