import { afterEach, describe, expect, test } from '@jest/globals';
import { createHookClient, createHooks, type Hooks } from 'tenterhook';
import { HookedLink } from '../../src/link/hooked-link.js';
import type { Json } from '../rig/link-rig.js';

// A server that sends objects, without lines. Some of these messages cannot be written as a line.

let hooks: Hooks;
afterEach(() => hooks.dispose());

/** A link whose server gives one result for each method. Resolves to what the client receives for a request. */
async function open(
  results: Readonly<Record<string, unknown>>,
  hidden = 'hidden',
): Promise<(method: string, params: Json) => Promise<Json>> {
  const answer = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: hidden } });
  const hook = { matcher: '', hooks: [{ type: 'command', command: `cat > /dev/null; printf '%s' '${answer}'` }] };
  hooks = await createHooks({ settings: { hooks: { PostToolUse: [hook] } }, dialect: 'claude-code' });
  let receive = (_message: Json) => {};
  const link: HookedLink = new HookedLink(
    { source: createHookClient(hooks), server: 'files', hasSession: false },
    {
      toServer: ({ id, method }): void => link.fromServer({ jsonrpc: '2.0', id, result: results[method as string] }),
      toClient: (message) => receive(message as Json),
    },
  );
  let id = 0;
  return (method, params) =>
    new Promise((resolve) => {
      receive = resolve;
      id += 1;
      void link.fromClient({ jsonrpc: '2.0', id, method, params });
    });
}

const text = { type: 'text', text: 'sk-secret' };
const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

/** An object in an object in an object … */
function deep(): unknown {
  let value: unknown = 1;
  for (let depth = 0; depth < 100_000; depth += 1) value = { value };
  return value;
}

describe('a result that could pass the hooks', () => {
  test('a result that is nested too deeply to be shown is withheld', async () => {
    const ask = await open({ 'tools/call': { content: [text], structuredContent: deep() } });
    const { error, result } = await ask('tools/call', { name: 'read' });
    expect([(error as Json)['message'], result]).toEqual(['The result was withheld, because it cannot be shown to hooks.', undefined]);
  });

  test('the result of a task that is nested too deeply is withheld', async () => {
    const ask = await open({ 'tools/call': { task: { taskId: 't' } }, 'tasks/result': { content: [text], structuredContent: deep() } });
    expect(await ask('tools/call', { name: 'read', task: {} })).toMatchObject({ result: { task: { taskId: 't' } } });
    const { error, result } = await ask('tasks/result', { taskId: 't' });
    expect([(error as Json)['message'], result]).toEqual([expect.stringContaining('The result was withheld'), undefined]);
  });

  test('the result of a task with an infinite number is withheld', async () => {
    const result = { content: [text], structuredContent: { rows: [{ n: Number.POSITIVE_INFINITY }] } };
    const ask = await open({ 'tools/call': { task: { taskId: 't' } }, 'tasks/result': result });
    await ask('tools/call', { name: 'read', task: {} });
    const { error, result: received } = await ask('tasks/result', { taskId: 't' });
    expect([(error as Json)['message'], received]).toEqual([expect.stringContaining('too large for hooks'), undefined]);
  });

  test('a question of the server, and a task, have no content', async () => {
    const question = { resultType: 'input_required', inputRequests: {}, requestState: 's' };
    const more = { content: [text], structuredContent: {}, toolResult: 'sk-secret' };
    const ask = await open({ 'tools/call': { ...question, ...more } });
    expect((await ask('tools/call', { name: 'read', _meta: modern }))['result']).toEqual(question);
    // Up to the protocol 2025-11-25, the same result is a result like any other.
    expect(await ask('tools/call', { name: 'read' })).toMatchObject({ result: { content: [{ type: 'text', text: 'hidden' }] } });
    await hooks.dispose();
    const begin = await open({
      'tools/call': { resultType: 'task', taskId: 't', status: 'completed', result: more, toolResult: 'sk-secret' },
    });
    expect((await begin('tools/call', { name: 'read', _meta: modern }))['result']).toEqual({
      resultType: 'task',
      taskId: 't',
      status: 'working',
    });
  });

  test('a task with content is a result', async () => {
    const ask = await open({ 'tools/call': { task: { taskId: 't' }, content: [text] } });
    expect((await ask('tools/call', { name: 'read', task: {} }))['result']).toEqual({ content: [{ type: 'text', text: 'hidden' }] });
  });
});

/** A link without hooks, whose messages the test writes and reads. */
async function openPlain() {
  hooks = await createHooks({ settings: {} });
  const [toServer, toClient, notes]: [Json[], Json[], string[]] = [[], [], []];
  const link = new HookedLink(
    { source: createHookClient(hooks), server: 'files', hasSession: false, onMessage: ({ text }) => void notes.push(text) },
    { toServer: (message) => void toServer.push(message as Json), toClient: (message) => void toClient.push(message as Json) },
  );
  return { link, toServer, toClient, notes };
}

const request = (id: unknown, method = 'tools/call', params: Json = { name: 'read' }) => ({ jsonrpc: '2.0', id, method, params });
const answer = (id: unknown, value = 'late') => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: value }] } });
const cancelOf = (requestId: unknown) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

describe('the ids of requests', () => {
  test.each([1, 20_000])(
    'after %i cancelled calls, a late answer to the first one is not that of another request with its id',
    async (count) => {
      const { link, toServer, toClient } = await openPlain();
      for (let id = 1; id <= count; id += 1) {
        await link.fromClient(request(id));
        await link.fromClient(cancelOf(id));
      }
      await link.fromClient(request(1));
      link.fromServer(answer(1));
      expect(toClient).toEqual([]);
      const sent = toServer.at(-1) as { id: unknown };
      link.fromServer(answer(sent.id, 'right'));
      expect(toClient).toEqual([answer(1, 'right')]);
    },
  );

  test('a request with a free id keeps it, and a cancel names the id that the server knows', async () => {
    const { link, toServer } = await openPlain();
    const [first, cancel, second] = [request('a'), cancelOf('a'), request('a')];
    for (const message of [first, cancel, second, cancelOf('a')]) await link.fromClient(message);
    expect([toServer[0], toServer[1]]).toEqual([first, cancel]);
    const { id } = toServer[2] as { id: unknown };
    expect([id === 'a', toServer[2], toServer[3]]).toEqual([false, { ...second, id }, cancelOf(id)]);
  });

  test.each([[{}], [{ requestId: null }], [{ requestId: Number.POSITIVE_INFINITY }]])(
    'a cancel without an id cancels nothing: %j',
    async (params) => {
      const { link, toServer, toClient } = await openPlain();
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
      const ids = ['undefined', 'null', 'Infinity'];
      for (const message of [...ids.map((id) => request(id)), cancel]) await link.fromClient(message);
      link.cancel(undefined);
      for (const id of ids) link.fromServer(answer(id));
      expect([toServer.at(-1), toClient]).toEqual([cancel, ids.map((id) => answer(id))]);
    },
  );

  test('a subscription, which has the id of its request, keeps the id of the client', async () => {
    const { link, toServer, toClient } = await openPlain();
    const listen = request('a', 'subscriptions/listen', {});
    for (const message of [listen, cancelOf('a'), listen]) await link.fromClient(message);
    const { id } = toServer[2] as { id: unknown };
    const meta = (subscription: unknown) => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': subscription } });
    const note = (subscription: unknown) => ({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: meta(subscription) });
    link.fromServer(note(id));
    link.fromServer({ jsonrpc: '2.0', id, result: meta(id) });
    expect(toClient).toEqual([note('a'), { jsonrpc: '2.0', id: 'a', result: meta('a') }]);
  });

  test('an error without an id answers nothing, and is not passed on', async () => {
    const { link, toServer, toClient, notes } = await openPlain();
    await link.fromClient(request(0));
    const error = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'sk-secret' } };
    link.fromServer(error);
    await link.fromClient(error);
    expect([toClient, toServer]).toEqual([[], [request(0)]]);
    expect(notes).toEqual([
      'The MCP server "files" reported an error without the id of a message: sk-secret',
      'The client reported an error without the id of a message: sk-secret',
    ]);
  });
});

test.each(['prompts/get', 'tasks/update', 'initialize', 'resources/read'])(
  'the server receives nothing of ours with %s',
  async (method) => {
    const { link, toServer } = await openPlain();
    const ours = { requestState: 'tenterhook.state.1', inputResponses: { 'tenterhook.approval': { action: 'accept' }, colour: {} } };
    await link.fromClient(request(1, method, { name: 'x', ...ours }));
    const foreign = request(2, method, { name: 'x', requestState: 's', inputResponses: {} });
    await link.fromClient(foreign);
    expect(toServer).toEqual([request(1, method, { name: 'x', inputResponses: { colour: {} } }), foreign]);
  },
);
