import {
  eventCatalogue,
  eventEntry,
  HookEventName,
  hookEventNames,
  isHookEventName,
  matcherSubject,
} from '../../src/events/event-catalogue.js';
import type { EventPowers } from '../../src/events/event-entry.js';
import { baseInputSchema } from '../../src/events/event-fields.js';

const base = { session_id: 's1', transcript_path: '', cwd: '/srv/app', hook_event_name: 'x', timestamp: '2026-11-21T10:00:00.000Z' };
const tool = { tool_name: 'write_file', tool_input: { path: 'a.txt' } };
const request = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }] };

/** The fields of each event besides the base fields, as the source documents give them. */
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
  PermissionRequest: { ...tool },
  PermissionDenied: { ...tool },
  PostToolBatch: { tool_calls: [{ ...tool, tool_use_id: 't1', tool_response: 'done' }] },
  UserPromptExpansion: { command_name: 'review' },
  MessageDisplay: { message_id: 'm1', delta: 'hel' },
  StopFailure: { error: 'rate_limit' },
  SubagentStart: { agent_type: 'explore' },
  SubagentStop: { agent_type: 'explore' },
  TaskCreated: { task_id: '7' },
  TaskCompleted: { task_id: '7' },
  TeammateIdle: { teammate_name: 'ada' },
  PostCompress: { trigger: 'auto' },
  Setup: { trigger: 'init' },
  ConfigChange: { source: 'user_settings' },
  InstructionsLoaded: { file_path: '/srv/app/AGENTS.md' },
  CwdChanged: { new_cwd: '/srv/app/web' },
  DirectoryAdded: { directory: '/srv/lib' },
  FileChanged: { file_path: '/srv/app/.env' },
  WorktreeCreate: { name: 'fix-7' },
  WorktreeRemove: { worktree_path: '/srv/fix-7' },
  Elicitation: { mcp_server_name: 'github' },
  ElicitationResult: { mcp_server_name: 'github' },
  PreModelSwitch: { to_model: 'm-2' },
  PostModelSwitch: { to_model: 'm-2' },
  Interrupt: {},
  AfterAgentThought: { text: 'hm' },
  BeforeTabFileRead: { file_path: '/srv/a' },
  AfterTabFileEdit: { file_path: '/srv/a' },
  WorkspaceOpen: {},
  UserPromptTransformed: { prompt: 'p' },
  ErrorOccurred: {},
  PostResult: {},
  PrePRDescription: {},
};

test.each(hookEventNames)('the sample of %s can be fired, and a matcher finds its field in it', (eventName) => {
  const { input, sample, matcherField } = eventEntry(eventName);
  expect(input.safeParse({ ...base, ...sample }).success).toBe(true);
  if (matcherField !== undefined) expect(matcherSubject(eventName, sample)).toEqual(expect.stringMatching(/./));
});

const firstOnes = hookEventNames.slice(0, 13);

test('there are the eleven events of the documents, the two of a host, and those that other agents have beside them', () => {
  expect(hookEventNames).toEqual(Object.keys(inputs));
  expect(firstOnes.at(-1)).toBe('HostEnd');
  expect(hookEventNames).toHaveLength(46);
});

test('events that only a host publishes are distinguished from those that Tenterhook fires', () => {
  const fired = hookEventNames.filter((eventName) => eventEntry(eventName).firedBy === undefined);
  expect(fired).toEqual([...firstOnes, 'PermissionRequest', 'PostCompress']);
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
  const { matcherField, matcherExample, matcherValues, input } = entry;
  if (matcherField !== undefined) expect(input.shape[matcherField]?.safeParse(matcherExample).success).toBe(true);
  expect(matcherExample === undefined).toBe(matcherField === undefined);
  const acceptsAny = matcherField !== undefined && input.shape[matcherField]?.safeParse('no such value').success === true;
  expect(matcherValues === undefined).toBe(matcherField === undefined || acceptsAny);
  for (const value of matcherValues ?? []) expect(input.shape[matcherField ?? '']?.safeParse(value).success).toBe(true);
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

test.each([
  ['BeforeTool', 'tool_use_id'],
  ['AfterTool', 'tool_use_id'],
  ['SessionStart', 'env_file'],
  ...hookEventNames.slice(13).flatMap((eventName) => {
    const known = [...Object.keys(baseInputSchema.shape), ...Object.keys(inputs[eventName]), 'mcp_context'];
    return Object.keys(eventEntry(eventName).input.shape).flatMap((field) =>
      known.includes(field) ? [] : [[eventName, field] as [HookEventName, string]],
    );
  }),
] as [HookEventName, string][])('%s is valid without %s, and with any value there', (eventName, field) => {
  const { input } = eventEntry(eventName);
  for (const value of [undefined, null, 5, true, 'x', [], {}]) {
    expect(input.safeParse({ ...base, ...inputs[eventName], [field]: value }).success).toBe(true);
  }
});

test('what a matcher looks at', () => {
  const subjects = firstOnes.map((eventName) => matcherSubject(eventName, inputs[eventName])).filter((subject) => subject !== undefined);
  expect(subjects).toEqual(['write_file', 'write_file', 'startup', 'exit', 'auto', 'ToolPermission']);
  expect(matcherSubject('BeforeTool', { tool_name: 5 })).toBeUndefined();
});

test.each<[HookEventName, string | undefined]>([
  ['PermissionRequest', 'write_file'],
  ['PermissionDenied', 'write_file'],
  ['SubagentStart', 'explore'],
  ['SubagentStop', 'explore'],
  ['StopFailure', 'rate_limit'],
  ['PostCompress', 'auto'],
  ['Setup', 'init'],
  ['FileChanged', '/srv/app/.env'],
  ['Elicitation', 'github'],
  ['ElicitationResult', 'github'],
  ['UserPromptExpansion', 'review'],
  ['ConfigChange', 'user_settings'],
  ['WorktreeRemove', undefined],
])('a matcher of %s looks at %s', (eventName, subject) => {
  expect(matcherSubject(eventName, inputs[eventName])).toBe(subject);
});

test('what hooks of the further events may do', () => {
  const withPower = (power: (may: EventPowers) => boolean) => hookEventNames.slice(13).filter((name) => power(eventEntry(name).may));
  expect(withPower(({ block }) => block === true)).toEqual([
    'PermissionRequest',
    'UserPromptExpansion',
    'TaskCreated',
    'TaskCompleted',
    'TeammateIdle',
    'ConfigChange',
    'WorktreeCreate',
    'Elicitation',
    'ElicitationResult',
    'PreModelSwitch',
    'BeforeTabFileRead',
  ]);
  expect(withPower(({ block }) => block === 'feedback')).toEqual(['PostToolBatch', 'SubagentStop']);
  expect(withPower(({ inject }) => inject)).toEqual([
    'PostToolBatch',
    'UserPromptExpansion',
    'SubagentStart',
    'SubagentStop',
    'Setup',
    'PostModelSwitch',
  ]);
});

test('context may be added where the event takes it, and nowhere else', () => {
  for (const eventName of hookEventNames.slice(13)) {
    const { specificOutput, may } = eventEntry(eventName);
    expect({ eventName, takesContext: Object.hasOwn(specificOutput.shape, 'additionalContext') }).toEqual({
      eventName,
      takesContext: may.inject,
    });
  }
});

test('silence is not an allow where an allow would answer for the user', () => {
  expect(eventCatalogue.PermissionRequest.strategy).not.toBe('or-decision');
  expect(eventCatalogue.PermissionRequest.rewrites).toEqual(eventCatalogue.BeforeTool.rewrites);
});

test('only names of the catalogue are event names', () => {
  for (const name of ['toString', '__proto__', 'beforeTool', '', 5, undefined]) expect(isHookEventName(name)).toBe(false);
  expect(hookEventNames.every(isHookEventName)).toBe(true);
});

test('the events whose silence is an allow are those of the OR logic (decision 9)', () => {
  const names = hookEventNames.filter((eventName) => eventCatalogue[eventName].strategy === 'or-decision');
  expect(names).toEqual(['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'SessionStart', 'SessionEnd']);
});
