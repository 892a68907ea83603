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
