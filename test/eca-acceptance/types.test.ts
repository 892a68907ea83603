import type { HookEventHandler } from '@tenterhook/engine';
import type { HookEventName } from '@tenterhook/protocol';
import { outcomeAt, says } from '../support/fire-hooks.js';
import { contextOf, deeds, hookOf, idOf, seen, withEca } from './eca-hooks.js';

const failed = { llmContent: 'no such file', error: { message: 'no such file' } };
const fine = { llmContent: 'hi' };

test.each([
  ['startup', false],
  ['resume', true],
  ['clear', false],
])('eca 26: a session that begins with %s: resumed is %s', async (source, resumed) => {
  await withEca({ greet: hookOf('chatStart', 'cat > seen.json') }, async (scene) => {
    await scene.handler.fire('SessionStart', { source });
    expect(seen(scene)).toMatchObject({ hook_type: 'chatStart', resumed });
  });
});

test('eca 26: the context of a chatStart hook reaches the result', async () => {
  await withEca({ greet: hookOf('chatStart', says({ additionalContext: 'today' })) }, async ({ handler }) => {
    const result = await handler.fireSessionStartEvent('startup');
    expect(contextOf(result)).toBe('today');
    expect(outcomeAt(result, 0)).toMatchObject({ hookId: idOf('greet', 'SessionStart'), status: 'succeeded', warnings: [] });
  });
});

const moments: [type: string, eventName: HookEventName, input: Record<string, unknown>][] = [
  ['sessionStart', 'HostStart', {}],
  ['sessionEnd', 'HostEnd', {}],
  ['chatStart', 'SessionStart', { source: 'startup' }],
  ['chatEnd', 'SessionEnd', { reason: 'exit' }],
  ['preRequest', 'BeforeAgent', { prompt: 'p' }],
  ['postRequest', 'AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }],
  ['preToolCall', 'BeforeTool', { tool_name: 'read_file', tool_input: {} }],
  ['postToolCall', 'AfterTool', { tool_name: 'read_file', tool_input: {}, tool_response: fine }],
];
const without: [eventName: HookEventName, input: Record<string, unknown>][] = [
  ['BeforeModel', { llm_request: {} }],
  ['AfterModel', { llm_request: {}, llm_response: {} }],
  ['BeforeToolSelection', { llm_request: {} }],
  ['PreCompress', { trigger: 'auto' }],
  ['Notification', { notification_type: 'Idle', message: 'm', details: {} }],
];

test('eca 27: the hooks of each type run on their event and on no other', async () => {
  const hooks = Object.fromEntries(moments.map(([type]) => [type, hookOf(type, `echo ${type} >> ran`)]));
  await withEca(hooks, async ({ hooks: system, handler, read }) => {
    for (const [type, eventName, input] of moments) {
      expect(deeds(await handler.fire(eventName, input))).toEqual([[type, 'succeeded']]);
    }
    for (const [eventName, input] of without) {
      expect(system.has(eventName)).toBe(false);
      expect((await handler.fire(eventName, input)).outcomes).toEqual([]);
    }
    expect(read('ran')).toBe(moments.map(([type]) => `${type}\n`).join(''));
  });
});

const read = (handler: HookEventHandler, response: Record<string, unknown>) =>
  handler.fireAfterToolEvent('read_file', { path: 'a.txt' }, response);

test.each([{}, { runOnError: false }])('eca 28: a postToolCall hook with %j does not run after a failed tool', async (fields) => {
  await withEca({ log: hookOf('postToolCall', 'cat > seen.json', fields) }, async (scene) => {
    expect(deeds(await read(scene.handler, failed))).toEqual([['log', 'skipped', 'condition']]);
    expect(scene.read('seen.json')).toBeUndefined();
    expect(deeds(await read(scene.handler, fine))).toEqual([['log', 'succeeded']]);
    expect(seen(scene)).toMatchObject({ error: false });
  });
});

test('eca 28: with runOnError it runs, and is told of the error', async () => {
  await withEca({ log: hookOf('postToolCall', 'cat > seen.json', { runOnError: true }) }, async (scene) => {
    expect(deeds(await read(scene.handler, failed))).toEqual([['log', 'succeeded']]);
    expect(seen(scene)).toMatchObject({ error: true, tool_response: failed });
    expect(deeds(await read(scene.handler, fine))).toEqual([['log', 'succeeded']]);
    expect(seen(scene)).toMatchObject({ error: false, tool_response: fine });
  });
});

test('eca 28: a success after a failure of the same tool is another matter, and the other way round', async () => {
  await withEca({ log: hookOf('postToolCall', 'true') }, async ({ handler }) => {
    const told = [fine, failed, fine, failed].map(async (response) => deeds(await read(handler, response))[0]?.[1]);
    expect(await Promise.all(told)).toEqual(['succeeded', 'skipped', 'succeeded', 'skipped']);
  });
});

test('eca 29: the context of a postToolCall hook reaches the result, and the result of the tool is untouched', async () => {
  await withEca({ note: hookOf('postToolCall', says({ additionalContext: 'C' })) }, async ({ handler }) => {
    const result = await read(handler, fine);
    expect(contextOf(result)).toBe('C');
    expect(result.changes).toEqual([]);
    expect(result.finalOutput?.hookSpecificOutput).not.toHaveProperty('updatedToolOutput');
    expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
  });
});
