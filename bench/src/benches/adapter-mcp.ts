import { PassThrough } from 'node:stream';
import { HookResponse } from '@tenterhook/handlers';
import { Report, StdioLink } from '@tenterhook/mcp/internal';
import { createHookClient, createHooks, type Hooks } from 'tenterhook';
import type { Bench, Variant } from '../bench.js';
import { engineWith } from './engine-with.js';

const names = {
  plain: 'a call over two streams',
  idle: 'through tenterhook-mcp, no hooks',
  hooked: 'through tenterhook-mcp, 1 handler',
} as const;

/** The most that a call without hooks may take longer, in microseconds. */
const mostAdded = 50;

/**
 * Compares a call of a tool over two streams with the same call through the link of `tenterhook-mcp`. The streams are in memory, so that the
 * time is that of reading, parsing and writing the messages, and not that of pipes between processes.
 */
export async function adapterMcp(): Promise<Bench> {
  const idle = await createHooks({ sessionId: 'bench', settings: {} });
  const one = await createHooks({ sessionId: 'bench', settings: {}, handlers: [engineWith(1, async () => HookResponse.continue_())] });
  // Code that does not ask the hooks would be the fastest.
  if (idle.has('BeforeTool') || !one.has('BeforeTool')) throw new Error('the hooks are not those that are measured');
  return {
    name: 'MCP: a call of a tool',
    note: 'The streams are in memory. With a handler, each call is one event: pre_tool_use, and the handler continues.',
    unit: 'µs',
    warmup: 20,
    rounds: 100,
    variants: [callOf(names.plain, 500), callOf(names.idle, 500, idle), callOf(names.hooked, 100, one)],
    marks: [
      {
        text: `without hooks, a call takes at most ${mostAdded} µs longer`,
        reached: (median) => {
          const added = median(names.idle) - median(names.plain);
          return { reached: added <= mostAdded, measured: `${added.toFixed(1)} µs` };
        },
      },
    ],
    dispose: async () => {
      await Promise.all([idle.dispose(), one.dispose()]);
    },
  };
}

/** A client and a server that exchange lines. With hooks, the link is between them. */
function callOf(name: string, batch: number, hooks?: Hooks): Variant {
  const [fromClient, toClient] = [new PassThrough(), new PassThrough()];
  const [toServer, fromServer] = hooks === undefined ? [fromClient, toClient] : [new PassThrough(), new PassThrough()];
  if (hooks !== undefined) {
    const options = { source: createHookClient(hooks), server: 'bench', hasSession: false };
    new StdioLink({ fromClient, toClient, fromServer, toServer }, options, new Report('bench'));
  }
  toServer.on('data', (line: Buffer) => {
    const { id, params } = JSON.parse(line.toString());
    const text = `content of ${params.arguments.path}`;
    fromServer.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })}\n`);
  });
  let id = 0;
  return {
    name,
    batch,
    against: names.plain,
    run: async (times) => {
      for (let index = 0; index < times; index += 1) {
        id += 1;
        const call = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'read_file', arguments: { path: 'a.txt' } } };
        const answered = new Promise<Buffer>((resolve) => toClient.once('data', resolve));
        fromClient.write(`${JSON.stringify(call)}\n`);
        if (JSON.parse((await answered).toString()).id !== id) throw new Error('the server did not answer');
      }
    },
  };
}
