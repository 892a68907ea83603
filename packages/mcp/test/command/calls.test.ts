import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Json, openPlace, type Place, RawClient, says, textOf } from '../rig/link-rig.js';
import { connect, type SdkClient, sdks } from '../rig/sdk-clients.js';

// One connection for all tests of a block, because each start takes a second on a busy machine.

const rewrite = (input: Json) => says({ hookSpecificOutput: { tool_input: input } });
const noteEvent = 'cat > "$LLXPRT_PROJECT_DIR/event.json"';
const eventIn = (place: Place) => JSON.parse(readFileSync(`${place.directory}/event.json`, 'utf8')) as Json;

describe.each(sdks)('with the SDK %s', (sdk) => {
  let place: Place;
  let client: SdkClient;
  beforeAll(async () => {
    const guard = `grep -q /etc/ "$LLXPRT_PROJECT_DIR/event.json" && { echo 'Not in /etc.' >&2; exit 2; }`;
    place = openPlace({
      BeforeTool: [{ matcher: 'write_file', command: `${noteEvent}; ${guard}; ${rewrite({ content: 'clean' })}` }],
      AfterTool: [{ matcher: 'fail', command: noteEvent }],
    });
    client = await connect(sdk, place);
  });
  afterAll(async () => {
    await client.close();
    place.remove();
  });

  test('M2 of two parallel calls one is denied: the server never sees it, and the other answers', async () => {
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
    const written = await client.call('write_file', { path: 'a.txt', content: 'dirty' }, { meta: { note: 'kept' } });
    expect(textOf(written)).toBe('wrote clean to a.txt');
    expect(place.calls().at(-1)?.['params']).toMatchObject({ arguments: { path: 'a.txt', content: 'clean' }, _meta: { note: 'kept' } });
    expect(eventIn(place)).toMatchObject({
      tool_name: 'write_file',
      tool_input: { path: 'a.txt', content: 'dirty' },
      mcp_context: { server_name: 'files' },
    });
  });

  test('M7 a tool that fails stays failed, and AfterTool receives the failure', async () => {
    expect(await client.call('fail')).toMatchObject({ isError: true, content: [{ type: 'text', text: 'disk full' }] });
    expect(eventIn(place)).toMatchObject({ tool_response: { llmContent: 'disk full', error: { message: 'disk full' } } });
  });
});

test('M3 the progress token stays, and progress passes before the answer', async () => {
  const place = openPlace({ BeforeTool: [{ matcher: 'steps', command: rewrite({ count: 3 }) }] });
  const client = new RawClient(place, 'v1-server');
  await client.initialize();
  const id = client.call('steps', { count: 1 }, { _meta: { progressToken: 'p-1', note: 'n' } });
  const messages = [await client.next(), await client.next(), await client.next(), await client.next()];
  const steps = [1, 2, 3].map((progress) => ({ progressToken: 'p-1', progress, total: 3 }));
  expect(messages.slice(0, 3).map(({ params }) => params)).toEqual(steps);
  expect(messages[3]).toMatchObject({ id, result: { content: [{ type: 'text', text: 'token string, note n' }] } });
  await client.close();
  place.remove();
});

describe('without an SDK', () => {
  let place: Place;
  let client: RawClient;
  beforeAll(async () => {
    const stop = says({ continue: false, stopReason: 'Budget used up.' });
    place = openPlace({
      BeforeTool: [{ matcher: 'pid', command: stop }],
      AfterTool: [
        { matcher: 'secret', command: stop },
        { matcher: 'protocolError', command: noteEvent },
      ],
    });
    client = new RawClient(place);
    await client.initialize();
  });
  afterAll(async () => {
    await client.close();
    place.remove();
  });

  test('M4 arguments that are a list are refused, and never reach the server', async () => {
    for (const input of [['a'], 'a', 7, null]) {
      const answer = await client.ask('tools/call', { name: 'echo', arguments: input });
      expect(answer).toMatchObject({ error: { code: -32602, message: 'echo did not run: its "arguments" are not an object.' } });
    }
    expect(await client.ask('tools/call', { name: ['echo'], arguments: {} })).toMatchObject({ error: { code: -32602 } });
    expect(await client.ask('tools/call')).toMatchObject({ error: { code: -32602 } });
    expect(place.calls()).toEqual([]);
    // Without arguments the call stays without.
    expect(JSON.parse(textOf(await client.ask('tools/call', { name: 'echo' })))['params']).toEqual({ name: 'echo' });
  });

  test('M7 a protocol error passes with its code, and AfterTool receives it', async () => {
    expect((await client.ask('tools/call', { name: 'protocolError' }))['error']).toEqual({
      code: -32042,
      message: 'no such row sk-secret',
      data: { row: 'sk-secret' },
    });
    expect(eventIn(place)).toMatchObject({ tool_response: { error: { message: 'no such row sk-secret' } } });
  });

  test('a stop refuses the call alone, and states it', async () => {
    const before = await client.ask('tools/call', { name: 'pid', arguments: {} });
    expect(before['result']).toMatchObject({ isError: true });
    expect(textOf(before)).toBe(
      'A hook stopped the agent before pid ran. Budget used up.\n\nOnly this call was refused, because hooks around an MCP server cannot end the agent.',
    );
    const after = await client.ask('tools/call', { name: 'secret', arguments: {} });
    expect((after['result'] as { content: Json[] }).content.at(-1)).toEqual({
      type: 'text',
      text: 'A hook stopped the agent after secret ran. Budget used up. The agent goes on, because hooks around an MCP server cannot end it.',
    });
  });
});
