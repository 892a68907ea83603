import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createHookClient, createHooks, type Hooks } from 'tenterhook';
import { until } from '../../../../test/support/until.js';
import { hookMcpTransport } from '../../src/index.js';
import { openPlace, type Place, says, serverFile, textOf } from '../rig/link-rig.js';
import { connect, type SdkClient, sdks } from '../rig/sdk-clients.js';

let place: Place;
let hooks: Hooks;
let client: SdkClient | undefined;
beforeEach(() => {
  place = openPlace();
});
afterEach(async () => {
  await client?.close();
  client = undefined;
  await hooks?.dispose();
  place.remove();
});

const input = { path: 'a', content: 'b' };
const settingsOf = (event: string, matcher: string, command: string) => ({
  hooks: { [event]: [{ matcher, hooks: [{ type: 'command', command }] }] },
});

describe.each(sdks)('with the SDK %s', (sdk) => {
  test('calls are denied and redacted, messages arrive, and a function asks', async () => {
    const messages: unknown[] = [];
    const questions: unknown[] = [];
    hooks = await createHooks({
      projectDir: place.directory,
      settings: [
        {
          hooks: {
            BeforeTool: [
              { matcher: 'write_file', hooks: [{ command: says({ decision: 'ask', reason: 'It writes.', systemMessage: 'Careful.' }) }] },
            ],
          },
        },
        settingsOf(
          'PostToolUse',
          'mcp__files__echo',
          says({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'hidden' } }),
        ),
      ],
    });
    const hookClient = createHookClient(hooks);
    client = await connect(sdk, place, {
      wrap: (transport) =>
        hookMcpTransport(() => hookClient, transport, {
          server: 'files',
          onMessage: (message) => messages.push(message),
          ask: ({ subject, reason, input: shown }) => {
            questions.push([subject, reason, shown]);
            return questions.length === 1 ? 'allow' : questions.length === 2 ? 'deny' : Promise.reject(new Error('no terminal'));
          },
        }),
    });
    const [written, echoed] = await Promise.all([client.call('write_file', input), client.call('echo', { text: 'sk-secret' })]);
    expect([written['content'], echoed['content']]).toEqual([
      [
        { type: 'text', text: 'wrote b to a' },
        { type: 'text', text: '<hook_context>\nCareful.\n</hook_context>' },
      ],
      [{ type: 'text', text: 'hidden' }],
    ]);
    expect(messages).toEqual([{ text: 'Careful.', audience: 'everyone', eventName: 'BeforeTool' }]);
    expect(textOf(await client.call('write_file', input))).toContain('The user did not allow it. It writes.');
    expect(textOf(await client.call('write_file', input))).toContain('no user could be asked. It writes.');
    expect(questions).toEqual([1, 2, 3].map(() => ['write_file', 'It writes.', input]));
    expect(place.calls()).toHaveLength(2);
  });

  test('approvals: the client is asked; neither that nor a function: an ask is a deny', async () => {
    hooks = await createHooks({ projectDir: place.directory, settings: settingsOf('BeforeTool', 'write_file', says({ decision: 'ask' })) });
    const hookClient = createHookClient(hooks);
    const asked: unknown[] = [];
    const elicit = ({ message }: Record<string, unknown>) => {
      asked.push(message);
      return { action: 'accept', content: {} };
    };
    client = await connect(sdk, place, {
      elicit,
      wrap: (transport) => hookMcpTransport(hookClient, transport, { server: 'files', approvals: 'framework' }),
    });
    expect(textOf(await client.call('write_file', input))).toBe('wrote b to a');
    await client.close();
    client = await connect(sdk, place, { elicit, wrap: (transport) => hookMcpTransport(hookClient, transport, { server: 'files' }) });
    expect(textOf(await client.call('write_file', input))).toBe('It needs confirmation, but no user could be asked.');
    expect(asked).toEqual([expect.stringContaining('May write_file of the MCP server "files" run?')]);
  });

  test('the end of the server and the end of the client', async () => {
    const noted = (event: string) => settingsOf(event, '', `echo ${event} >> "$LLXPRT_PROJECT_DIR/events"`);
    hooks = await createHooks({
      projectDir: place.directory,
      settings: [noted('SessionStart'), noted('SessionEnd'), settingsOf('BeforeTool', 'slow', 'true')],
    });
    const log = join(place.directory, 'events');
    // With the protocol 2026-07-28, the call begins the session, and the hooks need not have run yet.
    const events = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
    const hookClient = createHookClient(hooks);
    const open = (session: boolean) =>
      connect(sdk, place, { wrap: (transport) => hookMcpTransport(hookClient, transport, { server: 'files', session }) });
    client = await open(true);
    const failed = client.call('slow').catch((error: Error) => error.message);
    await client.listTools();
    await until('the session has begun', () => events().length === 1);
    process.kill(client.pid as number, 'SIGKILL');
    expect(await failed).toMatch(/[Cc]losed/);
    // The client of the SDK does not wait for the transport when the server has ended.
    await until('the session has ended', () => events().length === 2);
    expect(events()).toEqual(['SessionStart', 'SessionEnd']);
    client = await open(false);
    await client.listTools();
    await client.close();
    expect(events()).toHaveLength(2);
    await expect(client.call('echo', { text: 'x' })).rejects.toThrow();
  });
});

test('the transport has the types that both SDKs expect, and their own start, send and close', async () => {
  hooks = await createHooks({ projectDir: place.directory, settings: settingsOf('BeforeTool', 'write_file', 'exit 2') });
  const hookClient = createHookClient(hooks);
  const started = { command: process.execPath, args: [serverFile('v2-server')], env: place.env };
  const v1 = new ClientV1({ name: 'test', version: '1' });
  await v1.connect(hookMcpTransport(hookClient, new StdioV1(started), { server: 'files' }));
  const v2 = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const transport = hookMcpTransport(hookClient, new StdioV2(started), { server: 'files' });
  await v2.connect(transport);
  expect(v2.getServerVersion()).toMatchObject({ name: 'v2' });
  expect((transport as unknown as { pid: number }).pid).toBeGreaterThan(0);
  for (const connected of [v1, v2])
    expect(await connected.callTool({ name: 'write_file', arguments: input })).toMatchObject({ isError: true });
  await Promise.all([v1.close(), v2.close()]);
  await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write_file' } })).rejects.toThrow(
    'The transport with hooks is closed.',
  );
  expect(place.calls()).toEqual([]);
});

test('what the sending side throws is thrown on as the same object', async () => {
  hooks = await createHooks({ projectDir: place.directory, settings: settingsOf('BeforeTool', 'echo', 'true') });
  const error = new RangeError('unauthorized');
  const answers: unknown[] = [];
  const transport = hookMcpTransport(
    createHookClient(hooks),
    { start: async () => {}, close: async () => {}, send: () => Promise.reject(error) },
    { server: 'files' },
  );
  transport.onmessage = (message) => answers.push(message);
  await transport.start();
  const send = (id: number, name: string) => transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
  await expect(send(1, 'echo')).rejects.toBe(error);
  await expect(transport.send({ jsonrpc: '2.0', id: 2, method: 'ping' })).rejects.toBe(error);
  // The ids are free again.
  await expect(send(1, 'other')).rejects.toBe(error);
  expect(answers).toEqual([]);
});

test('a transport with a stream for each request: the abort of its signal cancels the call', async () => {
  hooks = await createHooks({ projectDir: place.directory, settings: settingsOf('BeforeTool', 'echo', 'sleep 600') });
  const sent: unknown[] = [];
  const inner = {
    hasPerRequestStream: true,
    start: async () => {},
    close: async () => {},
    send: async (message: unknown) => void sent.push(message),
  };
  const transport = hookMcpTransport(createHookClient(hooks), inner, { server: 'files' });
  expect(transport.hasPerRequestStream).toBe(true);
  await transport.start();
  const control = new AbortController();
  const pending = transport.send(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } },
    { requestSignal: control.signal },
  );
  control.abort();
  await pending;
  expect(sent).toEqual([]);
});

test('idle: the same message goes on, and the same answer comes back', async () => {
  hooks = await createHooks({ projectDir: place.directory, settings: {} });
  const sent: unknown[] = [];
  const inner: {
    onmessage?: (message: unknown, extra?: unknown) => void;
    start(): Promise<void>;
    send(message: unknown): Promise<void>;
    close(): Promise<void>;
  } = {
    start: async () => {},
    close: async () => {},
    send: async (message) => void sent.push(message),
  };
  const transport = hookMcpTransport(createHookClient(hooks), inner, { server: 'files' });
  const received: unknown[] = [];
  transport.onmessage = (...all) => received.push(all);
  await transport.start();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } };
  const answer = { jsonrpc: '2.0', id: 1, result: { content: [] } };
  await transport.send(call);
  inner.onmessage?.(answer, 'extra');
  expect(sent[0]).toBe(call);
  expect(received).toEqual([[answer, 'extra']]);
  expect((received[0] as unknown[])[0]).toBe(answer);
});

test.each([
  [{}, '"server" is missing'],
  [{ server: '' }, '"server" must be the name of the server, and is "".'],
  [{ server: 'files', aks: () => {} }, 'has no option "aks". Did you mean "ask"?'],
  [{ server: 'files', ask: 'yes' }, '"ask" must be a function'],
  [{ server: 'files', approvals: true }, '"approvals" must be "framework"'],
  [{ server: 'files', onMessage: 1 }, '"onMessage" must be a function'],
  [{ server: 'files', session: 'no' }, '"session" must be true or false'],
])('wrong options are a TypeError: %j', async (options, message) => {
  hooks = await createHooks({ settings: {} });
  const inner = new StdioV1({ command: 'node' });
  expect(() => hookMcpTransport(createHookClient(hooks), inner, options as never)).toThrow(TypeError);
  expect(() => hookMcpTransport(createHookClient(hooks), inner, options as never)).toThrow(message);
  expect(() => hookMcpTransport({} as never, inner, { server: 'files' })).toThrow('Pass createHookClient(hooks).');
  expect(() => hookMcpTransport(createHookClient(hooks), {} as never, { server: 'files' })).toThrow(
    'the second argument must be a transport of an MCP client',
  );
});
