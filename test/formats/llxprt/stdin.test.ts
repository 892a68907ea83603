import { HookEventName } from '@tenterhook/protocol';
import { settingsOf, withEndingHooks } from '../../support/fire-hooks.js';
import { eventFields, fireEveryEvent, type LlxprtEvent, type SeenInputs, transcriptPath } from '../../support/fired-events.js';

let seen: SeenInputs;
beforeAll(async () => {
  seen = await fireEveryEvent();
});

const baseFields = ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp'];

function expectBaseField(eventName: LlxprtEvent, field: string): void {
  const value = seen.inputs[eventName][field];
  if (field === 'timestamp') {
    expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(value as string)).toBeGreaterThanOrEqual(seen.began);
    expect(Date.parse(value as string)).toBeLessThanOrEqual(seen.ended);
    return;
  }
  const expected: Record<string, string> = {
    session_id: 's1',
    transcript_path: transcriptPath,
    cwd: seen.projectDir,
    hook_event_name: eventName,
  };
  expect(value).toBe(expected[field]);
}

describe('the fields that every event has', () => {
  test.each<[field: string]>([['session_id'], ['transcript_path'], ['cwd'], ['hook_event_name'], ['timestamp']])(
    'every hook reads %s',
    (field) => {
      for (const eventName of Object.keys(eventFields) as LlxprtEvent[]) expectBaseField(eventName, field);
    },
  );

  test.each<[eventName: LlxprtEvent]>([
    ['BeforeTool'],
    ['AfterTool'],
    ['BeforeModel'],
    ['AfterModel'],
    ['BeforeToolSelection'],
    ['SessionStart'],
    ['SessionEnd'],
    ['BeforeAgent'],
    ['AfterAgent'],
  ])('%s has all of them, and what is its own', (eventName) => {
    for (const field of baseFields) expectBaseField(eventName, field);
    expect(Object.keys(seen.inputs[eventName])).toEqual([...baseFields, ...Object.keys(eventFields[eventName])]);
  });
});

describe('the fields that an event has of its own', () => {
  test.each<[eventName: LlxprtEvent, field: string]>([
    ['BeforeTool', 'tool_name'],
    ['BeforeTool', 'tool_input'],
    ['AfterTool', 'tool_name'],
    ['AfterTool', 'tool_input'],
    ['AfterTool', 'tool_response'],
    ['BeforeModel', 'llm_request'],
    ['AfterModel', 'llm_request'],
    ['AfterModel', 'llm_response'],
    ['BeforeToolSelection', 'llm_request'],
    ['BeforeAgent', 'prompt'],
    ['AfterAgent', 'prompt'],
    ['AfterAgent', 'prompt_response'],
    ['AfterAgent', 'stop_hook_active'],
  ])('%s tells its hooks %s', async (eventName, field) => {
    const fired: Record<string, unknown> = eventFields[eventName];
    expect(seen.inputs[eventName]).toHaveProperty(field, fired[field]);
    // The field is required: an event without it does not reach its hooks.
    const { [field]: _left, ...others } = fired;
    expect(await answerOf(eventName, others)).toBe('validation_failed');
  });

  test.each<[eventName: LlxprtEvent, field: string, values: string[]]>([
    ['SessionStart', 'source', ['startup', 'resume', 'clear', 'compress', 'fork']],
    ['SessionEnd', 'reason', ['exit', 'clear', 'resume', 'logout', 'prompt_input_exit', 'other']],
  ])('%s has a %s, one of %j', async (eventName, field, values) => {
    const fired: Record<string, unknown> = eventFields[eventName];
    expect(seen.inputs[eventName][field]).toBe(fired[field]);
    for (const value of values) expect(await answerOf(eventName, { [field]: value })).toBe('carried out');
    expect(await answerOf(eventName, { [field]: 'sideways' })).toBe('validation_failed');
  });
});

describe('the events', () => {
  test.each<[eventName: LlxprtEvent]>([
    ['BeforeTool'],
    ['AfterTool'],
    ['BeforeAgent'],
    ['AfterAgent'],
    ['BeforeModel'],
    ['AfterModel'],
    ['BeforeToolSelection'],
    ['SessionStart'],
    ['SessionEnd'],
    ['PreCompress'],
    ['Notification'],
  ])('a hook of %s runs for it, and receives that', (eventName) => {
    expect(HookEventName[eventName]).toBe(eventName);
    expect(seen.inputs[HookEventName[eventName]]).toMatchObject({ hook_event_name: eventName, ...eventFields[eventName] });
  });
});

/** Returns how the system answers a request. The answer of its only hook is ignored. */
async function answerOf(eventName: LlxprtEvent, input: Record<string, unknown>): Promise<string> {
  const settings = settingsOf(eventName, ['exit 1'], { matcher: '^nothing$' });
  return withEndingHooks({ settings }, async ({ hooks }) => {
    const answer = await hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName: eventName as string, input });
    return answer.error?.code ?? 'carried out';
  });
}
