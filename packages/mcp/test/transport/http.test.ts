import { afterEach, describe, expect, test } from '@jest/globals';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { createHookClient, createHooks, type Hooks } from 'tenterhook';
import { z } from 'zod';
import { hookMcpTransport } from '../../src/index.js';
import { type Json, says, textOf } from '../rig/link-rig.js';

let hooks: Hooks | undefined;
let client: ClientV1 | ClientV2 | undefined;
afterEach(async () => {
  await client?.close();
  await hooks?.dispose();
});

const settings = {
  hooks: {
    BeforeTool: [{ matcher: 'write_file', hooks: [{ command: says({ decision: 'deny', reason: 'Not here.' }) }] }],
    AfterTool: [{ matcher: 'echo', hooks: [{ command: says({ hookSpecificOutput: { additionalContext: 'Seen.' } }) }] }],
  },
};

/** A server on the network whose requests go through a function, so that no port is opened. */
function openServer() {
  const calls: string[] = [];
  let onAbort = () => {};
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
  });
  let onSlow = () => {};
  const slow = new Promise<void>((resolve) => {
    onSlow = resolve;
  });
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'web', version: '1' });
    const tool = (name: string, run: (text: string, signal: AbortSignal) => Promise<string>) =>
      server.registerTool(name, { inputSchema: z.object({ text: z.string() }) }, async ({ text }, context) => {
        calls.push(name);
        return { content: [{ type: 'text', text: await run(text, context.mcpReq.signal) }] };
      });
    tool('echo', async (text) => text);
    tool('write_file', async () => 'written');
    tool('slow', (_text, signal) => {
      onSlow();
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          onAbort();
          resolve('too late');
        }),
      );
    });
    return server;
  });
  return { calls, aborted, slow, fetch: (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init)) };
}

const url = new URL('http://127.0.0.1/mcp');

async function connect(
  sdk: string,
  fetch: ReturnType<typeof openServer>['fetch'],
): Promise<(name: string, signal?: AbortSignal) => Promise<Json>> {
  hooks = await createHooks({ settings, dialect: 'llxprt' });
  const hookClient = createHookClient(hooks);
  if (sdk.startsWith('1')) {
    const connected = new ClientV1({ name: 'test', version: '1' });
    client = connected;
    await connected.connect(hookMcpTransport(hookClient, new HttpV1(url, { fetch }), { server: 'web' }));
    return (name, signal) =>
      connected.callTool({ name, arguments: { text: 'hi' } }, undefined, signal === undefined ? {} : { signal }) as Promise<Json>;
  }
  const isModern = sdk.endsWith('2026-07-28');
  const connected = new ClientV2({ name: 'test', version: '1' }, isModern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {});
  client = connected;
  await connected.connect(hookMcpTransport(hookClient, new HttpV2(url, { fetch }), { server: 'web' }));
  return (name, signal) => connected.callTool({ name, arguments: { text: 'hi' } }, signal === undefined ? {} : { signal }) as Promise<Json>;
}

describe.each(['1.x', '2.x, 2025-11-25', '2.x, 2026-07-28'])('over HTTP with the SDK %s', (sdk) => {
  test('a call is denied, and another one runs with its hooks', async () => {
    const server = openServer();
    const call = await connect(sdk, server.fetch);
    const [denied, ran] = await Promise.all([call('write_file'), call('echo')]);
    expect([denied['isError'], textOf(denied)]).toEqual([true, 'Not here.']);
    expect(ran['content']).toEqual([
      { type: 'text', text: 'hi' },
      { type: 'text', text: '<hook_context>\nSeen.\n</hook_context>' },
    ]);
    expect(server.calls).toEqual(['echo']);
  });
});

test('over HTTP with the protocol 2026-07-28, an abort ends the request to the server', async () => {
  const server = openServer();
  const call = await connect('2.x, 2026-07-28', server.fetch);
  const control = new AbortController();
  const failed = call('slow', control.signal).catch((error: Error) => error);
  await server.slow;
  control.abort('Enough.');
  expect(await failed).toBeInstanceOf(Error);
  await server.aborted;
  expect(textOf(await call('echo'))).toBe('hi');
});
