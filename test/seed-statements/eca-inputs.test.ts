import { eca } from '@tenterhook/dialects';
import type { HookEventName } from '@tenterhook/protocol';
import { hookOf, idOf, preToolCall, seen, withEca } from '../eca-acceptance/eca-hooks.js';
import { freshDirectory, withHooks } from '../support/fire-hooks.js';

const toolInput = { command: 'ls', options: { maxDepth: 3, Some_Key: { 'a-b': 1 } } };
const toolResponse = { llmContent: [{ text: 'hi' }], returnDisplay: 'hi' };

const moments = {
  sessionStart: ['HostStart', {}],
  sessionEnd: ['HostEnd', {}],
  chatStart: ['SessionStart', { source: 'resume' }],
  chatEnd: ['SessionEnd', { reason: 'exit' }],
  preRequest: ['BeforeAgent', { prompt: 'p' }],
  postRequest: ['AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }],
  preToolCall: ['BeforeTool', { tool_name: 'run_shell_command', tool_input: toolInput, approval: 'allow' }],
  postToolCall: ['AfterTool', { tool_name: 'run_shell_command', tool_input: toolInput, tool_response: toolResponse }],
} as const satisfies Record<string, readonly [HookEventName, Record<string, unknown>]>;

type Type = keyof typeof moments;
const all = Object.keys(moments) as Type[];
const [pre, post]: [Type, Type] = ['preToolCall', 'postToolCall'];
const ofTools: readonly Type[] = [pre, post];
const ofChats = all.filter((type) => !type.startsWith('session'));

let raw: Readonly<Record<Type, string>>;
let workspaces: readonly string[];

beforeAll(async () => {
  const projectDir = freshDirectory();
  workspaces = [projectDir, '/srv/other'];
  const hooks = Object.fromEntries(all.map((type) => [`on-${type}`, hookOf(type, `cat > ${type}.json && touch ${type}.ended`)]));
  const dialects = [eca({ agent: 'plan', dbCachePath: '/srv/cache', workspaces })];
  await withHooks({ settings: { hooks }, dialects, projectDir, sessionId: 'chat-7' }, async ({ handler, read }) => {
    for (const [eventName, input] of Object.values(moments)) await handler.fire(eventName, input);
    // Whoever comes to the file behind `cat` has read to the end of stdin.
    expect(all.map((type) => read(`${type}.ended`))).toEqual(all.map(() => ''));
    raw = Object.fromEntries(all.map((type) => [type, read(`${type}.json`)])) as Record<Type, string>;
  });
});

function inputOf(type: Type): Record<string, unknown> {
  return JSON.parse(raw[type]);
}

test('a hook reads one JSON object with the data of its event, and then the end of stdin', () => {
  expect(inputOf('preRequest')).toMatchObject({ hook_type: 'preRequest', prompt: 'p' });
  expect(inputOf('preToolCall')).toMatchObject({ hook_type: 'preToolCall', tool_input: toolInput });
  for (const type of all) expect(raw[type].trim().split('\n')).toHaveLength(1);
});

test('keys of the top level are snake_case, and what is nested keeps its case', () => {
  for (const type of all) for (const key of Object.keys(inputOf(type))) expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/);
  for (const type of ofTools) expect(inputOf(type)['tool_input']).toEqual(toolInput);
  expect(inputOf(post)['tool_response']).toEqual(toolResponse);
});

test.each<[field: string, types: readonly Type[], value: (type: Type) => unknown]>([
  ['hook_name', all, (type) => `on-${type}`],
  ['hook_type', all, (type) => type],
  ['workspaces', all, () => workspaces],
  ['db_cache_path', all, () => '/srv/cache'],
  ['chat_id', ofChats, () => 'chat-7'],
  ['agent', ofChats, () => 'plan'],
  // The older name of the same.
  ['behavior', ofChats, () => 'plan'],
  ['tool_name', ofTools, () => 'shell_command'],
  ['server', ofTools, () => 'eca'],
  ['tool_input', ofTools, () => toolInput],
  ['approval', [pre], () => 'allow'],
  ['tool_response', [post], () => toolResponse],
  ['error', [post], () => false],
  ['resumed', ['chatStart'], () => true],
])('%s is on the stdin of %j, and of no other', (field, types, value) => {
  for (const type of all) {
    if (types.includes(type)) expect([type, inputOf(type)[field]]).toEqual([type, value(type)]);
    else expect(inputOf(type)).not.toHaveProperty(field);
  }
});

/** What the hook of a type reads when it is fired with this. */
function readOn(type: Type, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  return withEca({ spy: hookOf(type, 'cat > seen.json', { runOnError: true }) }, async (scene) => {
    await scene.handler.fire(moments[type][0], input);
    return seen(scene);
  });
}

test('hook_name: of a hook with several actions, each is told which one it is', async () => {
  await withEca({ guard: preToolCall(['cat > one.json', 'cat > two.json']) }, async (scene) => {
    const { outcomes } = await scene.handler.fireBeforeToolEvent('read_file', {});
    expect([seen(scene, 'one.json'), seen(scene, 'two.json')]).toMatchObject([{ hook_name: 'guard-1' }, { hook_name: 'guard-2' }]);
    expect(outcomes.map(({ hookId }) => hookId)).toEqual([idOf('guard-1'), idOf('guard-2')]);
  });
});

test('workspaces, db_cache_path: where the host names none: the project, and no cache', async () => {
  await withEca({ spy: preToolCall('cat > seen.json') }, async (scene) => {
    await scene.handler.fireBeforeToolEvent('read_file', {});
    expect(seen(scene)).toMatchObject({ workspaces: [scene.projectDir], db_cache_path: '' });
  });
});

test('a tool of an MCP server: that server, and the name without it', async () => {
  const input = { tool_name: 'gh__search', tool_input: {}, mcp_context: { server_name: 'gh' } };
  expect(await readOn('preToolCall', input)).toMatchObject({ server: 'gh', tool_name: 'search' });
});

test('approval: where the host has no say of its own it is "ask" (decision 60)', async () => {
  expect(await readOn('preToolCall', { tool_name: 'read_file', tool_input: {} })).toMatchObject({ approval: 'ask' });
});

test('error: it is true when the tool failed', async () => {
  const input = { tool_name: 'read_file', tool_input: {}, tool_response: { llmContent: 'no', error: { message: 'no' } } };
  expect(await readOn('postToolCall', input)).toMatchObject({ error: true, tool_response: input.tool_response });
});

test('resumed: it is false in a new chat', async () => {
  expect(await readOn('chatStart', { source: 'startup' })).toMatchObject({ resumed: false });
});
