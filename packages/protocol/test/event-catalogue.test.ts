import {
  baseInputSchema,
  eventCatalogue,
  eventEntry,
  HookEventName,
  hookEventNames,
  isHookEventName,
  matcherSubject,
} from '../src/event-catalogue.js';

const base = { session_id: 's1', transcript_path: '', cwd: '/srv/app', hook_event_name: 'x', timestamp: '2026-11-21T10:00:00.000Z' };
const tool = { tool_name: 'write_file', tool_input: { path: 'a.txt' } };
const request = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }] };

/** The fields of each event beside the base fields, as the documents show them. */
const inputs: Record<HookEventName, Record<string, unknown>> = {
  BeforeTool: { ...tool, mcp_context: { server_name: 'github' } },
  AfterTool: { ...tool, tool_response: { llmContent: 'done', returnDisplay: 'done' } },
  BeforeAgent: { prompt: 'p' },
  AfterAgent: { prompt: 'p', prompt_response: 'r', stop_hook_active: false },
  BeforeModel: { llm_request: request },
  AfterModel: {
    llm_request: request,
    llm_response: { text: 'hi', candidates: [{ content: { role: 'model', parts: ['hi', { text: 'x' }] } }] },
  },
  BeforeToolSelection: { llm_request: { ...request, toolConfig: { mode: 'AUTO', allowedFunctionNames: ['a'] } } },
  SessionStart: { source: 'startup' },
  SessionEnd: { reason: 'exit' },
  PreCompress: { trigger: 'auto' },
  Notification: { notification_type: 'ToolPermission', message: 'm', details: {} },
  HostStart: {},
  HostEnd: {},
};

test('there are the eleven events of the documents, and the two of a host', () => {
  expect(hookEventNames).toEqual(Object.keys(inputs));
  expect(hookEventNames).toHaveLength(13);
});

test('HookEventName is a frozen table of the names', () => {
  expect(Object.entries(HookEventName).every(([key, name]) => key === name)).toBe(true);
  expect(Object.keys(HookEventName)).toEqual(hookEventNames);
  expect(Object.isFrozen(HookEventName)).toBe(true);
});

test.each(hookEventNames)('%s has everything an event must have', (eventName) => {
  const entry = eventEntry(eventName);
  expect(entry.when).not.toBe('');
  expect(Object.keys(entry.input.shape)).toEqual(expect.arrayContaining(Object.keys(baseInputSchema.shape)));
  expect(entry.specificOutput.safeParse({}).success).toBe(true);
  const { matcherField, matcherExample, input } = entry;
  if (matcherField !== undefined) expect(input.shape[matcherField]?.safeParse(matcherExample).success).toBe(true);
  expect(matcherExample === undefined).toBe(matcherField === undefined);
  for (const rewrite of entry.rewrites) expect(Object.keys(entry.input.shape)).toContain(rewrite.target[0]);
});

test.each(hookEventNames)('%s accepts its documented input, and more fields with it', (eventName) => {
  const input = { ...base, ...inputs[eventName], added_by_host: [1] };
  expect(eventEntry(eventName).input.parse(input)).toEqual(input);
});

const fields = hookEventNames.flatMap((eventName) => Object.keys(inputs[eventName]).map((field) => [eventName, field] as const));

test.each(fields)('%s refuses a %s of the wrong type', (eventName, field) => {
  const parsed = eventEntry(eventName).input.safeParse({ ...base, ...inputs[eventName], [field]: 5 });
  expect(parsed.error?.issues.map((issue) => issue.path)).toEqual([[field]]);
});

test.each([
  ['SessionStart', 'source'],
  ['SessionEnd', 'reason'],
  ['PreCompress', 'trigger'],
] as const)('%s refuses an unknown %s', (eventName, field) => {
  expect(eventEntry(eventName).input.safeParse({ ...base, [field]: 'sometimes' }).success).toBe(false);
});

test('what a matcher looks at', () => {
  const subjects = hookEventNames
    .map((eventName) => matcherSubject(eventName, inputs[eventName]))
    .filter((subject) => subject !== undefined);
  expect(subjects).toEqual(['write_file', 'write_file', 'startup', 'exit', 'auto', 'ToolPermission']);
  expect(matcherSubject('BeforeTool', { tool_name: 5 })).toBeUndefined();
});

test('only names of the catalogue are event names', () => {
  for (const name of ['toString', '__proto__', 'beforeTool', '', 5, undefined]) expect(isHookEventName(name)).toBe(false);
  expect(hookEventNames.every(isHookEventName)).toBe(true);
});

test('the events whose silence is an allow are those of the OR logic (decision 9)', () => {
  const names = hookEventNames.filter((eventName) => eventCatalogue[eventName].strategy === 'or-decision');
  expect(names).toEqual(['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'SessionStart', 'SessionEnd']);
});
