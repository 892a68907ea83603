import type { HookEventName } from '@tenterhook/protocol';
import { says, warningCodes } from '../../support/fire-hooks.js';
import { deeds, fire, hooksOf, seen, specific, withGemini } from './gemini-hooks.js';

/** Rules of the public reference that no other test of this folder is about. `reference.json` lists all rules, each with its test. */

type Fields = Readonly<Record<string, unknown>>;

const call = { tool_name: 'write_file', tool_input: { file_path: '/srv/a', content: 'x' } };
const request = { llm_request: { model: 'm', messages: [{ role: 'user', content: 'hi' }], config: { temperature: 0 } } };
const answer = { candidates: [{ content: { role: 'model', parts: ['hi'] }, finishReason: 'STOP' }], usageMetadata: { totalTokenCount: 3 } };

/** Each event, and what its hooks read besides the fields of every event. */
const events: readonly (readonly [eventName: HookEventName, fields: Fields])[] = [
  ['BeforeTool', { ...call, mcp_context: { server_name: 'gh' }, original_request_name: 'write' }],
  ['AfterTool', { ...call, tool_response: { llmContent: 'ok', returnDisplay: 'ok', error: { message: 'no' } } }],
  ['BeforeAgent', { prompt: 'fix it' }],
  ['AfterAgent', { prompt: 'fix it', prompt_response: 'done', stop_hook_active: false }],
  ['BeforeModel', request],
  ['AfterModel', { ...request, llm_response: answer }],
  ['BeforeToolSelection', request],
  ['SessionStart', { source: 'startup' }],
  ['SessionEnd', { reason: 'exit' }],
  ['PreCompress', { trigger: 'auto' }],
  ['Notification', { notification_type: 'ToolPermission', message: 'May I?', details: { type: 'exec' } }],
];

const inputOf = (eventName: HookEventName) => events.find(([name]) => name === eventName)?.[1] ?? {};

test.each(events)('a hook of %s reads these fields, and those of every event: %j', async (eventName, fields) => {
  await withGemini(hooksOf(eventName, 'cat > seen.json'), async (scene) => {
    expect(deeds(await scene.handler.fire(eventName, fields))).toEqual(['succeeded']);
    const base = { session_id: expect.any(String), transcript_path: '', cwd: scene.projectDir, hook_event_name: eventName };
    const read = seen(scene);
    expect(read).toMatchObject({ ...base, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
    // The tool of a server has the name of the server, too.
    const named = 'mcp_context' in fields ? { tool_name: 'mcp_gh_write_file' } : {};
    expect(read).toMatchObject({ ...fields, ...named });
  });
});

test.each<[HookEventName, string, readonly string[]]>([
  ['SessionStart', 'source', ['startup', 'resume', 'clear']],
  ['SessionEnd', 'reason', ['exit', 'clear', 'logout', 'prompt_input_exit', 'other']],
  ['PreCompress', 'trigger', ['auto', 'manual']],
])('a matcher of %s is one value of %s: %j', async (eventName, field, values) => {
  for (const value of values) {
    const groups = values.flatMap((matcher) => hooksOf(eventName, 'true', { matcher })[eventName] as object[]);
    await withGemini(
      { [eventName]: groups.map((group, index) => ({ ...group, hooks: [{ type: 'command', command: `true ${index}` }] })) },
      async ({ handler }) => {
        const expected = values.map((other) => (other === value ? 'succeeded' : 'skipped: matcher'));
        expect(deeds(await handler.fire(eventName, { [field]: value }))).toEqual(expected);
      },
    );
  }
});

test.each(events)('systemMessage of a hook of %s is for the user', async (eventName, fields) => {
  const result = await fire(eventName, fields, says({ systemMessage: 'Look.' }));
  expect(JSON.stringify(result.finalOutput)).toContain('Look.');
});

test.each<HookEventName>(['SessionStart', 'SessionEnd', 'PreCompress', 'Notification', 'BeforeToolSelection'])(
  'a deny on %s has no effect, and a warning',
  async (eventName) => {
    const result = await fire(eventName, inputOf(eventName), says({ decision: 'deny', reason: 'no' }));
    expect(result.outcomes.flatMap(warningCodes)).toContain('no_effect');
  },
);

test.each<HookEventName>(['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection'])(
  'continue false on %s ends the agent loop',
  async (eventName) => {
    const result = await fire(eventName, inputOf(eventName), says({ continue: false, stopReason: 'Enough.' }));
    expect(result.verdict).toMatchObject({ stop: true, stopReason: 'Enough.' });
  },
);

test('suppressOutput is passed to the agent', async () => {
  expect((await fire('AfterTool', inputOf('AfterTool'), says({ suppressOutput: true }))).finalOutput).toMatchObject({
    suppressOutput: true,
  });
});

test.each<HookEventName>(['BeforeTool', 'AfterTool', 'BeforeAgent', 'SessionStart'])(
  'additionalContext of %s is context',
  async (eventName) => {
    const result = await fire(eventName, inputOf(eventName), specific({ additionalContext: 'Note.' }));
    expect(result.finalOutput?.hookSpecificOutput).toMatchObject({ additionalContext: 'Note.' });
  },
);

test('tailToolCallRequest is passed to the agent', async () => {
  const tailToolCallRequest = { name: 'read_file', args: { file_path: '/srv/a' } };
  const result = await fire('AfterTool', inputOf('AfterTool'), specific({ tailToolCallRequest }));
  expect(result.finalOutput?.hookSpecificOutput).toMatchObject({ tailToolCallRequest });
});

test('tool_output, which some versions of the documentation have, is dropped with a warning', async () => {
  const result = await fire('AfterTool', inputOf('AfterTool'), specific({ tool_output: 'hidden' }));
  expect(result.changes).toEqual([]);
  expect(result.outcomes.flatMap(warningCodes)).toEqual(['reserved_field']);
});
