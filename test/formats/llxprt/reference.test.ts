import type { HookEventName } from '@tenterhook/protocol';
import { fireEvent, says, settingsOf, withEndingHooks } from '../../support/fire-hooks.js';
import { eventFields, fireEveryEvent, llxprtEvents, type SeenInputs, transcriptPath } from '../../support/fired-events.js';

/** Rules of the public reference that no other test of this folder is about. `reference.json` lists all rules, each with its test. */

type Fields = Readonly<Record<string, unknown>>;

let seen: SeenInputs;
beforeAll(async () => {
  seen = await fireEveryEvent();
});

test.each(llxprtEvents)('a hook of %s reads these fields, and those of every event', (eventName) => {
  const base = { session_id: 's1', transcript_path: transcriptPath, cwd: seen.projectDir, hook_event_name: eventName };
  expect(seen.inputs[eventName]).toEqual({ ...base, timestamp: expect.any(String), ...eventFields[eventName] });
});

test.each(llxprtEvents)('stdin of %s is one JSON object', (eventName) => {
  expect(seen.raw[eventName]).toMatch(/^\{.*\}$/);
});

/** What a hook reads on stdin of an event. */
async function givenTo(eventName: HookEventName, input: Fields): Promise<Fields> {
  return withEndingHooks({ settings: settingsOf(eventName, ['cat > seen.json']) }, async ({ handler, read }) => {
    await handler.fire(eventName, input);
    return JSON.parse(read('seen.json') ?? '{}');
  });
}

const beyond: readonly (readonly [eventName: keyof typeof eventFields, fields: Fields])[] = [
  ['BeforeTool', { mcp_context: { server_name: 'gh' }, tool_use_id: 'c1', recent_tools: ['read_file'], approval: 'ask' }],
  ['AfterTool', { mcp_context: { server_name: 'gh' }, tool_use_id: 'c1', duration_ms: 7 }],
  ['BeforeModel', { model_provider: 'p', available_tools: ['read_file'] }],
  ['AfterModel', { model_provider: 'p', available_tools: ['read_file'], tool_calls: [{ name: 'read_file', args: {} }], duration_ms: 7 }],
  ['SessionStart', { model_provider: 'p', model_name: 'm', system_prompt: 's', env_file: '/srv/env' }],
  ['SessionEnd', { total_tokens: 5, total_tool_calls: 2, duration_ms: 7 }],
];

test.each(beyond)('a hook of %s reads these fields, which LLxprt Code does not have: %j', async (eventName, fields) => {
  expect(await givenTo(eventName, { ...eventFields[eventName], ...fields })).toMatchObject(fields);
});

test.each<[keyof typeof eventFields, Fields]>([
  ['AfterTool', { classifierContext: 'c' }],
  ['BeforeAgent', { sessionTitle: 't', suppressOriginalPrompt: true }],
  ['SessionStart', { sessionTitle: 't', watchPaths: ['/srv/a'], initialUserMessage: 'hi', reloadSkills: true }],
])('%s takes fields of Claude Code: %j', async (eventName, hookSpecificOutput) => {
  const result = await fireEvent(eventName, eventFields[eventName], [says({ hookSpecificOutput })]);
  expect(result.finalOutput?.hookSpecificOutput).toMatchObject(hookSpecificOutput);
});

test.each(['BeforeTool', 'AfterTool', 'BeforeAgent', 'SessionStart'] as const)('additionalContext of %s is context', async (eventName) => {
  const result = await fireEvent(eventName, eventFields[eventName], [says({ hookSpecificOutput: { additionalContext: 'Note.' } })]);
  expect(result.finalOutput?.hookSpecificOutput).toMatchObject({ additionalContext: 'Note.' });
});

test.each([['PreCompress', 'trigger', ['manual', 'auto']]] as const)(
  'a matcher of %s is compared with %s: %j',
  async (eventName, field, values) => {
    for (const value of values) {
      const { outcomes } = await fireEvent(eventName, { [field]: value }, ['true'], { matcher: 'manual' });
      expect(outcomes.map(({ status }) => status)).toEqual([value === 'manual' ? 'succeeded' : 'skipped']);
    }
  },
);
