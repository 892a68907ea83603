import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { type Json, openPlace, type Place, RawClient, says, textOf } from '../rig/link-rig.js';

let place: Place;
let client: RawClient;
afterEach(async () => {
  await client.close();
  place.remove();
});

const log = (event: string) => `echo ${event} >> "$LLXPRT_PROJECT_DIR/log"`;
const logged = () => readFileSync(`${place.directory}/log`, 'utf8').trim().split('\n');

async function open(hooks: Parameters<typeof openPlace>[0], dialect?: string, server = 'v1-server'): Promise<void> {
  place = openPlace(hooks, dialect);
  client = new RawClient(place, server);
  await client.initialize({ tasks: {} });
}

const begin = async (topic: string) =>
  ((await client.ask('tools/call', { name: 'report', arguments: { topic }, task: { ttl: 60_000 } }))['result'] as { task: Json }).task;
const related = (taskId: unknown) => ({ 'io.modelcontextprotocol/related-task': { taskId } });

test('M17 a task: BeforeTool at the call, AfterTool at the result', async () => {
  await open({
    BeforeTool: [{ matcher: 'report', command: `${log('before')}; ${says({ hookSpecificOutput: { tool_input: { topic: 'ships' } } })}` }],
    AfterTool: [{ matcher: 'report', command: `${log('after')}; ${says({ hookSpecificOutput: { additionalContext: 'Read it.' } })}` }],
  });
  const { taskId } = await begin('keys');
  expect(logged()).toEqual(['before']);
  expect((await client.ask('tasks/get', { taskId }))['result']).toMatchObject({ status: 'completed' });
  expect(logged()).toEqual(['before']);
  expect((await client.ask('tasks/result', { taskId }))['result']).toEqual({
    content: [
      { type: 'text', text: 'report on ships: sk-secret' },
      { type: 'text', text: '<hook_context>\nRead it.\n</hook_context>' },
    ],
    _meta: related(taskId),
  });
  expect(logged()).toEqual(['before', 'after']);
});

test('M17 a redaction holds each time that the result is read, and a denied call makes no task', async () => {
  await open(
    {
      PreToolUse: [{ matcher: 'mcp__files__report', command: `grep -q forbidden && { echo 'Not this.' >&2; exit 2; }; true` }],
      PostToolUse: [
        {
          matcher: 'mcp__files__report',
          command: says({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'hidden' } }),
        },
      ],
    },
    'claude-code',
  );
  const denied = await client.ask('tools/call', { name: 'report', arguments: { topic: 'forbidden' }, task: {} });
  expect(textOf(denied)).toBe('Not this.');
  const { taskId } = await begin('keys');
  for (const _ of [1, 2]) {
    expect((await client.ask('tasks/result', { taskId }))['result']).toEqual({
      content: [{ type: 'text', text: 'hidden' }],
      _meta: related(taskId),
    });
  }
  expect(await client.ask('tasks/result', { taskId: 'unknown' })).toMatchObject({ error: {} });
  expect(client.lines.join('\n')).not.toContain('sk-secret');
});

test('M17 the result of a task whose call was not seen is withheld', async () => {
  await open({ PostToolUse: [{ matcher: '', command: 'true' }] }, 'claude-code', 'raw-server');
  for (const method of ['tasks/result', 'tasks/get']) {
    expect(await client.ask(method, { taskId: 'of another day' })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('The result of the task "of another day" was withheld') },
    });
  }
  expect(client.lines.join('\n')).not.toContain('sk-secret');
});

test('M17 a task of the extension of 2026-07-28: its state has the result, and a notification has none', async () => {
  const hidden = says({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'hidden' } });
  await open({ PostToolUse: [{ matcher: 'mcp__files__task', command: hidden }] }, 'claude-code', 'raw-server');
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  expect((await client.ask('tools/call', { name: 'task', _meta }))['result']).toMatchObject({ resultType: 'task', taskId: 't-1' });
  expect((await client.ask('tasks/get', { taskId: 't-1' }))['result']).toEqual({
    resultType: 'complete',
    taskId: 't-1',
    status: 'completed',
    result: { resultType: 'complete', content: [{ type: 'text', text: 'hidden' }] },
  });
  const announced = {
    method: 'notifications/tasks',
    params: { taskId: 't-1', status: 'completed', result: { content: [{ type: 'text', text: 'sk-secret' }] } },
  };
  client.request('mirror', { line: JSON.stringify({ jsonrpc: '2.0', ...announced }) });
  expect((await client.next())['params']).toEqual({ taskId: 't-1', status: 'working' });
  expect(client.lines.join('\n')).not.toContain('sk-secret');
});

test('M17 a task that began without hooks is reviewed when hooks of AfterTool exist', async () => {
  await open({});
  const { taskId } = await begin('keys');
  place.writeHooks({ AfterTool: [{ matcher: 'report', command: says({ decision: 'deny', reason: 'Check it.' }) }] });
  let content: Json[] = [];
  while (content.length < 2) ({ content } = (await client.ask('tasks/result', { taskId }))['result'] as { content: Json[] });
  expect(content[1]).toEqual({ type: 'text', text: 'Check it.' });
});
