import { HookEventName } from '@tenterhook/protocol';
import { settingsOf, withHooks } from '../support/fire-hooks.js';
import { eventFields, fireEveryEvent, type SeedEvent, type SeenInputs, transcriptPath } from './fired-events.js';

let seen: SeenInputs;
beforeAll(async () => {
  seen = await fireEveryEvent();
});

const baseFields = ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp'];

function expectBaseField(eventName: SeedEvent, field: string): void {
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
  test.each<[citation: string, field: string]>([
    ['[000/HookInput/session_id] [003/HookInput/session_id]', 'session_id'],
    ['[000/HookInput/transcript_path] [003/HookInput/transcript_path]', 'transcript_path'],
    ['[000/HookInput/cwd] [003/HookInput/cwd]', 'cwd'],
    ['[000/HookInput/hook_event_name] [003/HookInput/hook_event_name]', 'hook_event_name'],
    ['[000/HookInput/timestamp] [003/HookInput/timestamp]', 'timestamp'],
  ])('%s every hook reads %s', (_citation, field) => {
    for (const eventName of Object.keys(eventFields) as SeedEvent[]) expectBaseField(eventName, field);
  });

  test.each<[citation: string, eventName: SeedEvent, field: string]>([
    ['[001/3.1/input/session_id]', 'BeforeTool', 'session_id'],
    ['[001/3.1/input/cwd]', 'BeforeTool', 'cwd'],
    ['[001/3.1/input/timestamp]', 'BeforeTool', 'timestamp'],
    ['[001/3.1/input/hook_event_name]', 'BeforeTool', 'hook_event_name'],
    ['[001/3.1/input/transcript_path]', 'BeforeTool', 'transcript_path'],
    ['[001/3.2/input/session_id]', 'AfterTool', 'session_id'],
    ['[001/3.2/input/cwd]', 'AfterTool', 'cwd'],
    ['[001/3.2/input/timestamp]', 'AfterTool', 'timestamp'],
    ['[001/3.2/input/hook_event_name]', 'AfterTool', 'hook_event_name'],
    ['[001/3.2/input/transcript_path]', 'AfterTool', 'transcript_path'],
    ['[001/3.3/input/session_id]', 'BeforeModel', 'session_id'],
    ['[001/3.3/input/cwd]', 'BeforeModel', 'cwd'],
    ['[001/3.3/input/timestamp]', 'BeforeModel', 'timestamp'],
    ['[001/3.3/input/hook_event_name]', 'BeforeModel', 'hook_event_name'],
    ['[001/3.3/input/transcript_path]', 'BeforeModel', 'transcript_path'],
    ['[001/3.4/input/session_id]', 'AfterModel', 'session_id'],
    ['[001/3.4/input/cwd]', 'AfterModel', 'cwd'],
    ['[001/3.4/input/timestamp]', 'AfterModel', 'timestamp'],
    ['[001/3.4/input/hook_event_name]', 'AfterModel', 'hook_event_name'],
    ['[001/3.4/input/transcript_path]', 'AfterModel', 'transcript_path'],
    ['[001/3.5/input/session_id]', 'BeforeToolSelection', 'session_id'],
    ['[001/3.5/input/cwd]', 'BeforeToolSelection', 'cwd'],
    ['[001/3.5/input/timestamp]', 'BeforeToolSelection', 'timestamp'],
    ['[001/3.5/input/hook_event_name]', 'BeforeToolSelection', 'hook_event_name'],
    ['[001/3.5/input/transcript_path]', 'BeforeToolSelection', 'transcript_path'],
  ])('%s %s has the base field %s', (_citation, eventName, field) => expectBaseField(eventName, field));

  test.each<[citation: string, eventName: SeedEvent]>([
    ['[000/BeforeToolInput/is-a-HookInput]', 'BeforeTool'],
    ['[000/AfterToolInput/is-a-HookInput]', 'AfterTool'],
    ['[000/BeforeModelInput/is-a-HookInput]', 'BeforeModel'],
    ['[000/AfterModelInput/is-a-HookInput]', 'AfterModel'],
    ['[000/BeforeToolSelectionInput/is-a-HookInput]', 'BeforeToolSelection'],
    ['[000/SessionStartInput/is-a-HookInput]', 'SessionStart'],
    ['[000/SessionEndInput/is-a-HookInput]', 'SessionEnd'],
    ['[000/BeforeAgentInput/is-a-HookInput]', 'BeforeAgent'],
    ['[000/AfterAgentInput/is-a-HookInput]', 'AfterAgent'],
  ])('%s %s has all of them, and what is its own', (_citation, eventName) => {
    for (const field of baseFields) expectBaseField(eventName, field);
    expect(Object.keys(seen.inputs[eventName])).toEqual([...baseFields, ...Object.keys(eventFields[eventName])]);
  });
});

describe('the fields that an event has of its own', () => {
  test.each<[citation: string, eventName: SeedEvent, field: string]>([
    ['[000/BeforeToolInput/tool_name] [001/3.1/input/tool_name]', 'BeforeTool', 'tool_name'],
    ['[000/BeforeToolInput/tool_input] [001/3.1/input/tool_input]', 'BeforeTool', 'tool_input'],
    ['[000/AfterToolInput/tool_name] [001/3.2/input/tool_name]', 'AfterTool', 'tool_name'],
    ['[000/AfterToolInput/tool_input] [001/3.2/input/tool_input]', 'AfterTool', 'tool_input'],
    ['[000/AfterToolInput/tool_response] [001/3.2/input/tool_response]', 'AfterTool', 'tool_response'],
    ['[000/BeforeModelInput/llm_request] [001/3.3/input/llm_request]', 'BeforeModel', 'llm_request'],
    ['[000/AfterModelInput/llm_request] [001/3.4/input/llm_request]', 'AfterModel', 'llm_request'],
    ['[000/AfterModelInput/llm_response] [001/3.4/input/llm_response]', 'AfterModel', 'llm_response'],
    ['[000/BeforeToolSelectionInput/llm_request] [001/3.5/input/llm_request]', 'BeforeToolSelection', 'llm_request'],
    ['[000/BeforeAgentInput/prompt]', 'BeforeAgent', 'prompt'],
    ['[000/AfterAgentInput/prompt]', 'AfterAgent', 'prompt'],
    ['[000/AfterAgentInput/prompt_response]', 'AfterAgent', 'prompt_response'],
    ['[000/AfterAgentInput/stop_hook_active]', 'AfterAgent', 'stop_hook_active'],
  ])('%s %s tells its hooks %s', async (_citation, eventName, field) => {
    const fired: Record<string, unknown> = eventFields[eventName];
    expect(seen.inputs[eventName]).toHaveProperty(field, fired[field]);
    // And it has to be there: an event that lacks it does not reach its hooks.
    const { [field]: _left, ...others } = fired;
    expect(await answerOf(eventName, others)).toBe('validation_failed');
  });

  test.each<[citation: string, eventName: SeedEvent, field: string, values: string[]]>([
    ['[000/SessionStartInput/source]', 'SessionStart', 'source', ['startup', 'resume', 'clear', 'compress']],
    ['[000/SessionEndInput/reason]', 'SessionEnd', 'reason', ['exit', 'clear', 'logout', 'prompt_input_exit', 'other']],
  ])('%s %s has a %s, one of %j', async (_citation, eventName, field, values) => {
    const fired: Record<string, unknown> = eventFields[eventName];
    expect(seen.inputs[eventName][field]).toBe(fired[field]);
    for (const value of values) expect(await answerOf(eventName, { [field]: value })).toBe('carried out');
    expect(await answerOf(eventName, { [field]: 'sideways' })).toBe('validation_failed');
  });
});

describe('the events', () => {
  test.each<[citation: string, eventName: SeedEvent]>([
    ['[000/HookEventName/BeforeTool]', 'BeforeTool'],
    ['[000/HookEventName/AfterTool]', 'AfterTool'],
    ['[000/HookEventName/BeforeAgent]', 'BeforeAgent'],
    ['[000/HookEventName/AfterAgent]', 'AfterAgent'],
    ['[000/HookEventName/BeforeModel]', 'BeforeModel'],
    ['[000/HookEventName/AfterModel]', 'AfterModel'],
    ['[000/HookEventName/BeforeToolSelection]', 'BeforeToolSelection'],
    ['[000/HookEventName/SessionStart]', 'SessionStart'],
    ['[000/HookEventName/SessionEnd]', 'SessionEnd'],
    ['[000/HookEventName/PreCompress]', 'PreCompress'],
    ['[000/HookEventName/Notification]', 'Notification'],
  ])('%s a hook of %s runs for it, and is told so', (_citation, eventName) => {
    expect(HookEventName[eventName]).toBe(eventName);
    expect(seen.inputs[HookEventName[eventName]]).toMatchObject({ hook_event_name: eventName, ...eventFields[eventName] });
  });
});

/** What the system says to a request; its one hook has no say. */
async function answerOf(eventName: SeedEvent, input: Record<string, unknown>): Promise<string> {
  const settings = settingsOf(eventName, ['exit 1'], { matcher: '^nothing$' });
  return withHooks({ settings }, async ({ hooks }) => {
    const answer = await hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName, input });
    return answer.error?.code ?? 'carried out';
  });
}
