import { eca } from '@tenterhook/dialects';
import type { HookEventName, McpContext } from '@tenterhook/protocol';
import { freshDirectory, withEndingHooks } from '../../support/fire-hooks.js';
import { withPlaces } from '../../support/places.js';
import { callShell, contextOf, hookOf, idOf, preToolCall, seen, withEca } from './eca-hooks.js';

describe('payloads', () => {
  const chat = { chat_id: 's1', agent: 'code', behavior: 'code' };

  /**
   * Returns what the only hook of a type receives, without the fields that every hook receives: `hook_name`, `hook_type`, `workspaces`,
   * `cwd`, `db_cache_path`, `session_id`, `eca_executable`.
   */
  function givenTo(type: string, eventName: HookEventName, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    return withEca({ spy: hookOf(type, 'cat > seen.json', { runOnError: true }) }, async (scene) => {
      await scene.handler.fire(eventName, input);
      const { hook_name, hook_type, workspaces, cwd, db_cache_path, session_id, eca_executable, ...rest } = seen(scene);
      expect({ hook_name, hook_type, workspaces, cwd, db_cache_path, session_id, eca_executable }).toEqual({
        hook_name: 'spy',
        hook_type: type,
        workspaces: [scene.projectDir],
        cwd: scene.projectDir,
        db_cache_path: '',
        session_id: 's1',
        eca_executable: '',
      });
      return rest;
    });
  }

  const givenForTool = (tool_name: string, tool_input: Record<string, unknown>, mcp_context?: McpContext) =>
    givenTo('preToolCall', 'BeforeTool', { tool_name, tool_input, ...(mcp_context === undefined ? {} : { mcp_context }) });

  test('what a preToolCall hook is given', async () => {
    const tool_input = { command: 'ls', options: { maxDepth: 3 } };
    await withEca({ spy: preToolCall('cat > seen.json') }, async (scene) => {
      await scene.handler.fireBeforeToolEvent('run_shell_command', tool_input);
      expect(seen(scene)).toEqual({
        hook_name: 'spy',
        hook_type: 'preToolCall',
        workspaces: [scene.projectDir],
        cwd: scene.projectDir,
        db_cache_path: '',
        session_id: 's1',
        eca_executable: '',
        ...chat,
        tool_name: 'shell_command',
        server: 'eca',
        tool_input,
        approval: 'ask',
      });
    });
  });

  test('stdin is one JSON object, then the end of the file', async () => {
    await withEca({ spy: preToolCall('cat > seen.json; echo end >> ended') }, async (scene) => {
      await callShell(scene.handler);
      expect(scene.read('ended')).toBe('end\n');
      expect(scene.read('seen.json')?.trim().split('\n')).toHaveLength(1);
      expect(seen(scene)['hook_type']).toBe('preToolCall');
    });
  });

  test('a tool of an MCP server has the name of that server', async () => {
    expect(await givenForTool('search', { q: 'x' }, { server_name: 'gh' })).toEqual({
      ...chat,
      tool_name: 'search',
      server: 'gh',
      tool_input: { q: 'x' },
      approval: 'ask',
    });
  });

  test.each([
    ['mcp__gh__search', {}],
    ['gh__search', {}],
    ['search', {}],
    ['whatever the model is shown', { tool_name: 'search' }],
  ])('the host may call it %s %j', async (name, context) => {
    expect(await givenForTool(name, {}, { server_name: 'gh', ...context })).toMatchObject({ server: 'gh', tool_name: 'search' });
  });

  test.each([
    ['run_shell_command', 'shell_command'],
    ['read_file', 'read_file'],
    ['write_file', 'write_file'],
    ['replace', 'edit_file'],
    ['list_directory', 'directory_tree'],
    ['grep_search', 'grep'],
    ['invoke_agent', 'spawn_agent'],
    ['ask_user', 'ask_user'],
    ['a_tool_of_the_host', 'a_tool_of_the_host'],
  ])('the tool %s of the host is %s to a hook; of an MCP server it keeps its name', async (host, name) => {
    expect(await givenForTool(host, {})).toMatchObject({ server: 'eca', tool_name: name });
    expect(await givenForTool(host, {}, { server_name: 'gh' })).toMatchObject({ server: 'gh', tool_name: host });
  });

  test.each(['sessionStart', 'sessionEnd'])('a %s hook is given what every hook is given, and no chat', async (type) => {
    expect(await givenTo(type, type === 'sessionStart' ? 'HostStart' : 'HostEnd', {})).toEqual({});
  });

  test('what a chatStart hook is given', async () => {
    expect(await givenTo('chatStart', 'SessionStart', { source: 'resume' })).toEqual({ ...chat, resumed: true });
  });

  test('what a chatEnd hook is given', async () => {
    expect(await givenTo('chatEnd', 'SessionEnd', { reason: 'exit' })).toEqual(chat);
  });

  test('what a preRequest hook is given', async () => {
    expect(await givenTo('preRequest', 'BeforeAgent', { prompt: 'fix it' })).toEqual({ ...chat, prompt: 'fix it' });
  });

  test('what a postRequest hook is given: the prompt and the response', async () => {
    const input = { prompt: 'fix it', prompt_response: 'done', stop_hook_active: false };
    expect(await givenTo('postRequest', 'AfterAgent', input)).toEqual({
      ...chat,
      prompt: 'fix it',
      response: 'done',
      follow_up_active: false,
    });
  });

  test('what a postToolCall hook is given: the response of the tool as it is (decision 61)', async () => {
    const tool_response = { llmContent: [{ text: 'hi' }], returnDisplay: 'hi', snakeAndCamel: { a_b: 1, aB: 2 } };
    expect(await givenTo('postToolCall', 'AfterTool', { tool_name: 'read_file', tool_input: { path: 'a.txt' }, tool_response })).toEqual({
      ...chat,
      tool_name: 'read_file',
      server: 'eca',
      tool_input: { path: 'a.txt' },
      tool_response,
      error: false,
    });
  });

  test.each(['allow', 'ask', 'deny'])('approval is what the host would do: %s', async (approval) => {
    expect(await givenTo('preToolCall', 'BeforeTool', { tool_name: 'read_file', tool_input: {}, approval })).toMatchObject({ approval });
  });

  test('the agent of the event is the agent that a hook receives', async () => {
    expect(await givenTo('preRequest', 'BeforeAgent', { prompt: 'p', agent: 'plan' })).toMatchObject({ agent: 'plan', behavior: 'plan' });
  });

  test.each([
    ['read_file', { absolute_path: '/srv/a.txt', limit: 3 }, { path: '/srv/a.txt', limit: 3 }],
    ['write_file', { file_path: '/srv/a.txt', content: 'x' }, { path: '/srv/a.txt', content: 'x' }],
    ['replace', { file_path: '/srv/a.txt', old_string: 'a' }, { path: '/srv/a.txt', old_string: 'a' }],
    ['run_shell_command', { command: 'ls', timeout: 3 }, { command: 'ls', timeout: 3 }],
  ])('the path of a file tool is "path" to a hook, whatever the host calls it: %s %j', async (tool, input, expected) => {
    expect((await givenForTool(tool, input))['tool_input']).toEqual(expected);
  });

  test('the arguments of an MCP tool keep their names', async () => {
    const input = { file_path: '/srv/a.txt' };
    expect((await givenForTool('read_file', input, { server_name: 'gh' }))['tool_input']).toEqual(input);
  });

  test('the agent, the cache and the workspaces are settings of the dialect, and a hook runs in the first workspace', async () => {
    await withPlaces(async ({ at, write, read, discover }) => {
      write('first/place', 'the first');
      const workspaces = [at('first'), at('second')];
      const dialects = [eca({ agent: 'plan', dbCachePath: '/var/cache/eca', workspaces })];
      const settings = { hooks: { spy: hookOf('chatStart', 'cat > seen.json; cat place') } };
      await discover(async ({ handler }) => expect(contextOf(await handler.fireSessionStartEvent('startup'))).toBe('the first'), {
        dialects,
        settings,
      });
      expect(JSON.parse(read('first/seen.json') ?? '')).toMatchObject({
        workspaces,
        db_cache_path: '/var/cache/eca',
        agent: 'plan',
        behavior: 'plan',
      });
    });
  });
});

describe('fields of the input', () => {
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
    await withEndingHooks({ settings: { hooks }, dialects, projectDir, sessionId: 'chat-7' }, async ({ handler, read }) => {
      for (const [eventName, input] of Object.values(moments)) await handler.fire(eventName, input);
      // A hook writes this file after `cat`, so `cat` has read stdin to its end.
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
    // The older name of the same field.
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

  /** Returns what the hook of a type reads when it is fired with this input. */
  function readOn(type: Type, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    return withEca({ spy: hookOf(type, 'cat > seen.json', { runOnError: true }) }, async (scene) => {
      await scene.handler.fire(moments[type][0], input);
      return seen(scene);
    });
  }

  test('hook_name: of a hook with several actions, each receives which one it is', async () => {
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

  test('approval: where the host has not decided it is "ask" (decision 60)', async () => {
    expect(await readOn('preToolCall', { tool_name: 'read_file', tool_input: {} })).toMatchObject({ approval: 'ask' });
  });

  test('error: it is true when the tool failed', async () => {
    const input = { tool_name: 'read_file', tool_input: {}, tool_response: { llmContent: 'no', error: { message: 'no' } } };
    expect(await readOn('postToolCall', input)).toMatchObject({ error: true, tool_response: input.tool_response });
  });

  test('resumed: it is false in a new chat', async () => {
    expect(await readOn('chatStart', { source: 'startup' })).toMatchObject({ resumed: false });
  });
});
