import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Json, openPlace, type Place, RawClient, says, textOf } from '../rig/link-rig.js';
import { connect, type SdkClient, sdks } from '../rig/sdk-clients.js';

let place: Place;
let client: SdkClient | RawClient | undefined;
afterEach(async () => {
  await client?.close();
  client = undefined;
  place.remove();
});

const rewrite = (input: Json) => says({ hookSpecificOutput: { tool_input: input } });

describe.each(sdks)('with the SDK %s', (sdk) => {
  test('M2 of two parallel calls one is denied: the server never sees it, and the other answers', async () => {
    place = openPlace({ BeforeTool: [{ matcher: 'write_file', command: says({ decision: 'deny', reason: 'Not in /etc.' }) }] });
    client = await connect(sdk, place);
    const [denied, ran] = await Promise.all([
      client.call('write_file', { path: '/etc/passwd', content: '' }),
      client.call('echo', { text: 'hello' }),
    ]);
    expect(denied).toMatchObject({ isError: true, content: [{ type: 'text', text: 'Not in /etc.' }] });
    expect(ran['isError']).toBeUndefined();
    expect(textOf(ran)).toBe('hello');
    expect(place.calls().map(({ params }) => (params as Json)['name'])).toEqual(['echo']);
  });

  test('M3 rewritten arguments arrive, and hooks see the names of the tool and of its server', async () => {
    const hook = `cat > $LLXPRT_PROJECT_DIR/event.json; ${rewrite({ content: 'clean' })}`;
    place = openPlace({ BeforeTool: [{ matcher: 'write_file', command: hook }] });
    client = await connect(sdk, place);
    expect(textOf(await client.call('write_file', { path: 'a.txt', content: 'dirty' }, { meta: { note: 'kept' } }))).toBe(
      'wrote clean to a.txt',
    );
    const [call] = place.calls() as { params: Json }[];
    expect(call?.params).toMatchObject({ arguments: { path: 'a.txt', content: 'clean' }, _meta: { note: 'kept' } });
    expect(JSON.parse(readFileSync(`${place.directory}/event.json`, 'utf8'))).toMatchObject({
      tool_name: 'write_file',
      tool_input: { path: 'a.txt', content: 'dirty' },
      mcp_context: { server_name: 'files' },
    });
  });

  test('M7 a tool that fails stays failed, and AfterTool receives the failure', async () => {
    place = openPlace({ AfterTool: [{ matcher: 'fail', command: `cat > $LLXPRT_PROJECT_DIR/event.json` }] });
    client = await connect(sdk, place);
    expect(await client.call('fail')).toMatchObject({ isError: true, content: [{ type: 'text', text: 'disk full' }] });
    expect(JSON.parse(readFileSync(`${place.directory}/event.json`, 'utf8'))).toMatchObject({
      tool_response: { llmContent: 'disk full', error: { message: 'disk full' } },
    });
  });
});

test('M3 the progress token stays, and progress passes before the answer', async () => {
  place = openPlace({ BeforeTool: [{ matcher: 'steps', command: rewrite({ count: 3 }) }] });
  const raw = new RawClient(place, 'v1-server');
  client = raw;
  await raw.initialize();
  const id = raw.call('steps', { count: 1 }, { _meta: { progressToken: 'p-1', note: 'n' } });
  const messages = [await raw.next(), await raw.next(), await raw.next(), await raw.next()];
  expect(messages.slice(0, 3).map(({ params }) => params)).toEqual(
    [1, 2, 3].map((progress) => ({ progressToken: 'p-1', progress, total: 3 })),
  );
  expect(messages[3]).toMatchObject({ id, result: { content: [{ type: 'text', text: 'token string, note n' }] } });
});

test('M4 arguments that are a list are refused, and never reach the server', async () => {
  place = openPlace({ BeforeTool: [{ matcher: 'echo', command: 'true' }] });
  const raw = new RawClient(place);
  client = raw;
  await raw.initialize();
  for (const input of [['a'], 'a', 7, null]) {
    const answer = await raw.ask('tools/call', { name: 'echo', arguments: input });
    expect(answer).toMatchObject({ error: { code: -32602, message: 'echo did not run: its "arguments" are not an object.' } });
  }
  expect(await raw.ask('tools/call', { name: ['echo'], arguments: {} })).toMatchObject({ error: { code: -32602 } });
  expect(await raw.ask('tools/call')).toMatchObject({ error: { code: -32602 } });
  expect(place.calls()).toEqual([]);
  // Without arguments the call stays without.
  expect(JSON.parse(textOf(await raw.ask('tools/call', { name: 'echo' })))['params']).toEqual({ name: 'echo' });
});

test('M7 a protocol error passes with its code, and AfterTool receives it', async () => {
  place = openPlace({ AfterTool: [{ matcher: 'protocolError', command: `cat > $LLXPRT_PROJECT_DIR/event.json` }] });
  const raw = new RawClient(place);
  client = raw;
  await raw.initialize();
  raw.call('protocolError');
  expect(await raw.next()).toEqual({
    jsonrpc: '2.0',
    id: 2,
    error: { code: -32042, message: 'no such row sk-secret', data: { row: 'sk-secret' } },
  });
  expect(JSON.parse(readFileSync(`${place.directory}/event.json`, 'utf8'))).toMatchObject({
    tool_response: { error: { message: 'no such row sk-secret' } },
  });
});

test('a stop refuses the call alone, and states it', async () => {
  const stop = says({ continue: false, stopReason: 'Budget used up.' });
  place = openPlace({ BeforeTool: [{ matcher: 'echo', command: stop }], AfterTool: [{ matcher: 'secret', command: stop }] });
  const raw = new RawClient(place);
  client = raw;
  await raw.initialize();
  const before = await raw.ask('tools/call', { name: 'echo', arguments: {} });
  expect(before['result']).toMatchObject({ isError: true });
  expect(textOf(before)).toBe(
    'A hook stopped the agent before echo ran. Budget used up.\n\nOnly this call was refused, because hooks around an MCP server cannot end the agent.',
  );
  const after = await raw.ask('tools/call', { name: 'secret', arguments: {} });
  expect((after['result'] as { content: Json[] }).content.at(-1)).toEqual({
    type: 'text',
    text: 'A hook stopped the agent after secret ran. Budget used up. The agent goes on, because hooks around an MCP server cannot end it.',
  });
});
