import { callModelWithHooks, createHookClient, endSessionWithHooks, executeToolWithHooks } from '@tenterhook/agent';
import { SessionTally } from '../../packages/handlers/src/canonical/session-tally.js';
import { settingsOf } from '../support/fire-hooks.js';
import { type PlainRequest, plainTranslator } from '../support/plain-translator.js';
import { keeping, withHandlers } from './engine-scene.js';

/** Tests the counts in `session_end` (decision 71). */

const tokens = (totalTokenCount: number) => ({ text: 'hi', usageMetadata: { totalTokenCount } });

test('tool calls and tokens are counted with no other hook than the one of session_end', async () => {
  const { payloads, handle } = keeping();
  await withHandlers({ end: ['session_end', handle] }, async ({ hooks, handler }) => {
    expect((['AfterTool', 'AfterModel', 'SessionStart', 'BeforeTool', 'BeforeModel'] as const).map(hooks.has)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    await handler.fireSessionStartEvent('startup');
    for (const name of ['Read', 'Write', 'Bash']) await handler.fireAfterToolEvent(name, {}, { llmContent: 'done' });
    await handler.fireAfterModelEvent({}, tokens(10));
    await handler.fireAfterModelEvent({}, { text: 'no usage' });
    await handler.fireAfterModelEvent({}, tokens(5));
    await handler.fireSessionEndEvent('exit');
    expect(payloads).toEqual([{ session_id: 's1', total_tokens: 15, total_tool_calls: 3, duration_ms: expect.any(Number) }]);
    expect(payloads[0].duration_ms).toBeGreaterThanOrEqual(0);
  });
});

test('an agent that counts nothing is counted for', async () => {
  const { payloads, handle } = keeping();
  await withHandlers({ end: ['session_end', handle] }, async ({ hooks }) => {
    const client = createHookClient(hooks);
    await executeToolWithHooks(client, { name: 'Bash', input: {}, execute: () => ({ llmContent: 'done' }) });
    const fails = () => {
      throw new Error('disk full');
    };
    await executeToolWithHooks(client, { name: 'Bash', input: {}, execute: fails });
    const request: PlainRequest = { model: 'm-1', messages: [], tools: [] };
    const translator = { ...plainTranslator(), toHookResponse: () => tokens(7) };
    await callModelWithHooks(client, { request, translator, call: () => ({ text: 'hi' }) });
    await endSessionWithHooks(client, 'exit');
    expect(payloads).toMatchObject([{ total_tool_calls: 2, total_tokens: 7 }]);
  });
});

test('what the host gives prevails', async () => {
  const { payloads, handle } = keeping();
  await withHandlers({ end: ['session_end', handle] }, async ({ handler }) => {
    await handler.fireAfterToolEvent('Bash', {}, {});
    await handler.fire('SessionEnd', { reason: 'exit', total_tokens: 12, duration_ms: 4.5 });
    expect(payloads).toEqual([{ session_id: 's1', total_tokens: 12, total_tool_calls: 1, duration_ms: 4.5 }]);
  });
});

test('each session has its own counts, and so has a session that begins anew', async () => {
  const { payloads, handle } = keeping();
  await withHandlers(
    { end: ['session_end', handle] },
    async ({ handler }) => {
      const tool = (session_id: string) => handler.fire('AfterTool', { session_id, tool_name: 'T', tool_input: {}, tool_response: {} });
      const end = (session_id: string) => handler.fire('SessionEnd', { session_id, reason: 'exit' });
      for (const id of ['a', 'b', 'a']) await tool(id);
      for (const id of ['a', 'b']) await end(id);
      await tool('a');
      await end('a');
      expect(payloads.map(({ session_id, total_tool_calls }) => [session_id, total_tool_calls])).toEqual([
        ['a', 2],
        ['b', 1],
        ['a', 1],
      ]);
    },
    { sessionId: undefined as never },
  );
});

test.each([
  ['startup', 1],
  ['clear', 1],
  // The history was shortened or restored; the session is the same.
  ['compress', 2],
  ['resume', 2],
] as const)('of a session that starts by "%s" while it runs, %i tool calls are counted', async (source, count) => {
  const { payloads, handle } = keeping();
  await withHandlers({ end: ['session_end', handle] }, async ({ handler }) => {
    await handler.fireAfterToolEvent('Bash', {}, {});
    await handler.fireSessionStartEvent(source);
    await handler.fireAfterToolEvent('Bash', {}, {});
    await handler.fireSessionEndEvent('exit');
    expect(payloads).toMatchObject([{ total_tool_calls: count }]);
  });
});

test('a tool call is counted once, whatever hooks it has', async () => {
  const { payloads, handle } = keeping();
  await withHandlers(
    { end: ['session_end', handle], seen: ['post_tool_use', { action: 'Continue' }] },
    async ({ handler }) => {
      await handler.fireAfterToolEvent('Bash', {}, {});
      await handler.fireSessionEndEvent('exit');
      expect(payloads).toMatchObject([{ total_tool_calls: 1 }]);
    },
    { settings: settingsOf('AfterTool', ['true']) },
  );
});

test('a session lasts until it ends, by the clock that is given', () => {
  let now = 1000;
  const tally = new SessionTally(() => now);
  const event = (eventName: 'SessionStart' | 'SessionEnd' | 'AfterTool', fields = {}) => {
    const base = { session_id: 's', transcript_path: '', cwd: '/', hook_event_name: eventName, timestamp: '' };
    tally.add({ eventName, input: { ...base, ...fields }, projectDir: '/' });
  };
  expect(tally.countsOf('s')).toEqual({ tokens: 0, toolCalls: 0, durationMs: 0 });
  event('SessionStart', { source: 'startup' });
  now = 1500;
  expect(tally.countsOf('s').durationMs).toBe(500);
  event('SessionEnd');
  now = 9000;
  expect(tally.countsOf('s').durationMs).toBe(500);
  event('AfterTool');
  expect(tally.countsOf('s')).toEqual({ tokens: 0, toolCalls: 1, durationMs: 0 });
});

test('of many sessions the one that was quiet longest is forgotten', () => {
  const tally = new SessionTally(() => 0);
  const add = (session_id: string) => {
    const input = { session_id, transcript_path: '', cwd: '/', hook_event_name: 'AfterTool' as const, timestamp: '' };
    tally.add({ eventName: 'AfterTool', input, projectDir: '/' });
  };
  add('first');
  add('second');
  for (let each = 0; each < 254; each += 1) add(`s${each}`);
  add('first');
  add('one more');
  expect(['first', 'second', 'one more'].map((id) => tally.countsOf(id).toolCalls)).toEqual([2, 0, 1]);
});
