import { executeToolWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, says, warningCodes } from '../../support/fire-hooks.js';
import { formatNamed } from '../../support/formats.js';
import {
  type AgentName,
  after,
  agentNames,
  creators,
  failed,
  group,
  type Moment,
  prompt,
  promptOf,
  rowsOf,
  search,
  seen,
  shell,
  start,
  stop,
  withAgent,
} from './agents.js';

const specific = (fields: object, event = 'PreToolUse') => says({ hookSpecificOutput: { hookEventName: event, ...fields } });

interface Received {
  readonly before: object;
  readonly absent: readonly string[];
  readonly after: object;
  readonly variables: readonly string[];
}

const common = { session_id: 's1', permission_mode: 'plan' };
const shared = { tool_response: { stdout: 'ok', stderr: '', exitCode: 0, llmContent: 'ok' } };

const received = (cwd: string): Readonly<Record<AgentName, Received>> => ({
  'qwen-code': {
    before: { ...common, cwd, hook_event_name: 'PreToolUse', tool_name: 'run_shell_command' },
    absent: ['workspace_roots', 'conversation_id'],
    after: shared,
    variables: [`QWEN_PROJECT_DIR=${cwd}`],
  },
  factory: {
    before: {
      ...common,
      cwd,
      sessionId: 's1',
      permissionMode: 'plan',
      hookEventName: 'PreToolUse',
      hook_event_name: 'PreToolUse',
      tool_name: 'Execute',
    },
    absent: ['workspace_roots', 'conversation_id'],
    after: shared,
    variables: [`FACTORY_PROJECT_DIR=${cwd}`],
  },
  codebuddy: {
    before: { ...common, cwd, hook_event_name: 'PreToolUse', tool_name: 'Bash' },
    absent: ['workspace_roots', 'conversation_id'],
    after: shared,
    variables: [`CODEBUDDY_PROJECT_DIR=${cwd}`, `CLAUDE_PROJECT_DIR=${cwd}`],
  },
  devin: {
    before: { session_id: 's1', prompt_id: 'p1', hook_event_name: 'PreToolUse', tool_name: 'exec' },
    absent: ['cwd', 'transcript_path', 'permission_mode', 'turn_id'],
    after: { tool_response: { success: true, output: 'ok', error: null } },
    variables: [`DEVIN_PROJECT_DIR=${cwd}`],
  },
  trae: {
    before: { session_id: 's1', cwd, workspace_roots: [cwd], hook_event_name: 'PreToolUse', tool_name: 'RunCommand' },
    absent: ['transcript_path', 'permission_mode'],
    after: shared,
    variables: [`TRAE_PROJECT_DIR=${cwd}`, `CLAUDE_PROJECT_DIR=${cwd}`],
  },
  auggie: {
    before: { conversation_id: 's1', workspace_roots: [cwd], hook_event_name: 'PreToolUse', tool_name: 'launch-process' },
    absent: ['cwd', 'session_id', 'transcript_path', 'permission_mode', 'tool_response'],
    after: { tool_output: 'ok', file_changes: [] },
    variables: [
      `AUGMENT_PROJECT_DIR=${cwd}`,
      'AUGMENT_CONVERSATION_ID=s1',
      'AUGMENT_HOOK_EVENT=PreToolUse',
      'AUGMENT_TOOL_NAME=launch-process',
    ],
  },
});

test.each(agentNames)('hooks of %s receive the fields and the variables of the agent', async (name) => {
  const hooks = { PreToolUse: group('cat > seen.json; env > env.txt'), PostToolUse: group('cat > after.json') };
  await withAgent(name, hooks, async (scene) => {
    const { before, absent, after: result, variables } = received(scene.projectDir)[name];
    await scene.handler.fire(shell[0], { ...shell[1], permission_mode: 'plan', prompt_id: 'p1' });
    const stdin = seen(scene);
    expect(stdin).toMatchObject({ ...before, tool_input: { command: 'npm test' }, tool_use_id: expect.stringMatching(/^toolu_/) });
    expect(absent.filter((field) => field in stdin)).toEqual([]);
    const set = (scene.read('env.txt') ?? '').split('\n');
    expect(variables.filter((line) => !set.includes(line))).toEqual([]);
    await scene.handler.fire(...after);
    expect(seen(scene, 'after.json')).toMatchObject({ ...result, tool_input: { command: 'npm test' } });
  });
});

test.each(rowsOf({ devin: { success: false, output: '', error: 'boom' }, auggie: undefined }))(
  'a failed tool of %s is in its result',
  async (name, response) => {
    await withAgent(name, { PostToolUse: group('cat > seen.json') }, async (scene) => {
      await scene.handler.fire(...failed);
      const { tool_response, tool_error } = seen(scene);
      if (response === undefined) expect(tool_error).toContain('boom');
      else expect(tool_response).toMatchObject({ success: false, error: expect.stringContaining('boom') });
    });
  },
);

test.each(agentNames)('the other events of %s have their own fields', async (name) => {
  const compacts = Object.hasOwn(creators[name]().events ?? {}, 'PreCompact');
  const hooks = {
    [promptOf(name)]: group('cat > prompt.json'),
    Stop: group('cat > stop.json'),
    SessionStart: group('cat > start.json'),
    ...(compacts ? { PreCompact: group('cat > compact.json') } : {}),
  };
  await withAgent(name, hooks, async (scene) => {
    for (const moment of [prompt, stop]) await scene.handler.fire(...moment);
    await scene.handler.fire('SessionStart', { source: 'compress' });
    expect(seen(scene, 'prompt.json')).toMatchObject({ hook_event_name: promptOf(name), prompt: 'fix it' });
    expect(seen(scene, 'stop.json')).toMatchObject({ stop_hook_active: false, last_assistant_message: 'done' });
    expect(seen(scene, 'start.json')).toMatchObject({ source: 'compact' });
    if (name === 'auggie') expect(seen(scene, 'stop.json')).toMatchObject({ agent_stop_cause: 'end_turn' });
    if (name === 'factory') expect(seen(scene, 'stop.json')).toMatchObject({ stopHookActive: false });
    await scene.handler.fire('PreCompress', { trigger: 'manual' });
    if (compacts) expect(seen(scene, 'compact.json')).toMatchObject({ hook_event_name: 'PreCompact', trigger: 'manual' });
    if (name === 'codebuddy') expect(seen(scene, 'compact.json')).toMatchObject({ custom_instructions: '' });
    if (name === 'factory') expect(seen(scene, 'compact.json')).toMatchObject({ custom_instructions: '', customInstructions: '' });
  });
});

test.each(agentNames)('the names of the tools of %s reach hooks with the arguments that the agent has', async (name) => {
  const { write } = { write: creators[name]().writeInput };
  const event = (tool_name: string, tool_input: object) =>
    write?.('PreToolUse', {
      eventName: 'BeforeTool',
      projectDir: '/srv',
      input: { ...shell[1], tool_name, tool_input, cwd: '/srv' } as never,
    });
  const edit = event('replace', { file_path: '/srv/a', old_string: 'a', new_string: 'b' });
  const file = event('write_file', { file_path: 'a', content: 'x' });
  const key = name === 'auggie' ? 'path' : 'file_path';
  expect(file?.['tool_input']).toMatchObject({ [key]: '/srv/a' });
  expect(edit?.['tool_input']).toMatchObject({ [key]: '/srv/a', [name === 'auggie' ? 'old_str' : 'old_string']: 'a' });
  expect(formatNamed(name).shell.name).toBe(event('run_shell_command', { command: 'ls' })?.['tool_name']);
});

const denials = [
  'echo no >&2; exit 2',
  says({ decision: 'block', reason: 'no' }),
  specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
  specific({ decision: { behavior: 'deny', message: 'no' } }),
  specific({ decision: 'block', reason: 'no' }, 'Other'),
];

test.each(agentNames)('each of the five denials of %s denies with its reason', async (name) => {
  await withAgent(name, { PreToolUse: group(denials) }, async ({ handler }) => {
    const { outcomes, verdict } = await handler.fire(...shell);
    expect(outcomes.map(({ status }) => status)).toEqual(denials.map(() => 'blocked'));
    expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('no') });
    expect(verdict.by).toHaveLength(denials.length);
    expect(warningCodes(outcomeAt({ outcomes } as never, 4))).toEqual(['wrong_event']);
  });
});

test.each(agentNames)('an ask, an allow, text and a failure of %s: the ask is never an allow', async (name) => {
  const ask = specific({ permissionDecision: 'ask', permissionDecisionReason: 'Sure?' });
  await withAgent(
    name,
    { PreToolUse: group([ask, specific({ permissionDecision: 'allow' }), 'echo fine', 'exit 1']) },
    async ({ handler }) => {
      const result = await handler.fire(...shell);
      expect(result.verdict).toMatchObject({ kind: 'ask', reason: 'Sure?' });
      expect(result.outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded', 'failed']);
      const isDocumented = name !== 'devin' && name !== 'auggie';
      expect(warningCodes(outcomeAt(result, 0))).toEqual(isDocumented ? [] : ['ask_counted']);
    },
  );
});

test.each(rowsOf<readonly string[]>(Object.fromEntries(agentNames.map((name) => [name, Object.keys(creators[name]().events ?? {})]))))(
  'a deny of %s counts on every event, also where the agent ignores it',
  async (name, events) => {
    const hooks = Object.fromEntries(events.map((event) => [event, group(says({ decision: 'block', reason: 'no' }))]));
    await withAgent(name, hooks, async ({ handler }) => {
      const fields: Readonly<Record<string, Moment[1]>> = {
        AfterTool: after[1],
        BeforeAgent: prompt[1],
        AfterAgent: stop[1],
        Notification: { notification_type: 'ToolPermission', message: 'hi', details: {} },
        SubagentStart: { agent_id: 'a', agent_type: 'x' },
        SubagentStop: { agent_id: 'a', agent_type: 'x', stop_hook_active: false },
        SessionStart: { source: 'startup' },
        SessionEnd: { reason: 'exit' },
        PreCompress: { trigger: 'auto' },
        PostCompress: { trigger: 'auto', compact_summary: 's' },
        PermissionDenied: { ...shell[1], reason: 'no' },
        MessageDisplay: { message_id: 'm', index: 0, final: true, delta: 'x' },
      };
      const names = new Set(Object.values(creators[name]().events ?? {}));
      for (const eventName of names) {
        const { outcomes } = await handler.fire(eventName, fields[eventName] ?? shell[1]);
        const ran = outcomes.filter(({ status }) => status !== 'skipped');
        expect([eventName, ran.length > 0, ran.every(({ output }) => output?.decision === 'deny')]).toEqual([eventName, true, true]);
      }
    });
  },
);

test.each(agentNames)('new arguments of %s are laid over the given ones, or replace them', async (name) => {
  const run = async (fields: object) => {
    return withAgent(name, { PreToolUse: group(specific(fields)) }, async ({ client }) => {
      const tool = recordingTool();
      await executeToolWithHooks(client, { name: 'run_shell_command', input: { command: 'npm test', description: 'd' }, ...tool });
      return tool.calls;
    });
  };
  const merges = ['devin', 'factory'].includes(name);
  expect(await run({ updatedInput: { command: 'ls' } })).toEqual([{ command: 'ls', ...(merges ? { description: 'd' } : {}) }]);
  if (name === 'codebuddy') expect(await run({ modifiedInput: { command: 'ls' } })).toEqual([{ command: 'ls' }]);
});

test.each(agentNames)('context of %s comes from additionalContext, and from text on the events that read it', async (name) => {
  const event = promptOf(name);
  const readsText = name !== 'auggie';
  const hooks = { [event]: group(specific({ additionalContext: 'one' }, event)), SessionStart: group('echo two') };
  await withAgent(name, hooks, async ({ handler }) => {
    const given = await handler.fire(...prompt);
    const started = await handler.fire(...start);
    expect(started.finalOutput?.hookSpecificOutput?.additionalContext).toBe('two');
    if (readsText) expect(given.finalOutput?.hookSpecificOutput?.additionalContext).toBe('one');
    else expect(warningCodes(outcomeAt(given, 0))).toContain('no_effect');
  });
});

test.each(agentNames)(
  'a block of the end lets the agent of %s go on, continue false stops it, and a message is for the user',
  async (name) => {
    await withAgent(name, { Stop: group(says({ decision: 'block', reason: 'more' })) }, async ({ handler }) => {
      expect((await handler.fire(...stop)).verdict).toMatchObject({ kind: 'deny', reason: 'more', stop: false });
    });
    const message = says({ continue: false, stopReason: 'enough', systemMessage: 'for you', suppressOutput: true });
    await withAgent(name, { PostToolUse: group(message) }, async ({ handler }) => {
      const { verdict, finalOutput } = await handler.fire(...after);
      expect([verdict.stop, verdict.stopReason]).toEqual([true, 'enough']);
      expect(JSON.stringify(finalOutput)).toContain('for you');
    });
  },
);

test('Trae: SessionStart has the variables of the file with variables, if the host has one', async () => {
  await withAgent('trae', { SessionStart: group('env > env.txt') }, async (scene) => {
    await scene.handler.fire('SessionStart', { ...start[1], env_file: '/srv/env' });
    const set = (scene.read('env.txt') ?? '').split('\n');
    expect(['TRAE_ENV_FILE=/srv/env', 'CLAUDE_ENV_FILE=/srv/env'].filter((line) => !set.includes(line))).toEqual([]);
  });
});

test.each<AgentName>(['qwen-code', 'codebuddy', 'devin'])(
  'a model that does not agree denies, for the agents that have hooks of the type prompt: %s',
  async (name) => {
    const asked: unknown[] = [];
    const prompt = ({ data, input }: { data: { prompt?: unknown; model?: unknown }; input: object }) => {
      asked.push([data.model, data.prompt === `Safe? ${JSON.stringify(input)}`]);
      return { ok: false, reason: 'not safe' };
    };
    const hook = { type: 'prompt', prompt: 'Safe? $ARGUMENTS', model: 'small' };
    const options = { callbacks: { prompt } as never };
    await withAgent(
      name,
      { PreToolUse: group(hook) },
      async ({ handler }) => {
        expect((await handler.fire(...shell)).verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('not safe') });
      },
      options,
    );
    expect(asked).toEqual([['small', true]]);
  },
);

test('Auggie: a block inside hookSpecificOutput lets the agent go on', async () => {
  await withAgent('auggie', { Stop: group(specific({ decision: 'block', reason: 'more' }, 'Stop')) }, async ({ handler }) => {
    expect((await handler.fire(...stop)).verdict).toMatchObject({ kind: 'deny', reason: 'more' });
  });
});

const write: Moment = ['BeforeTool', { tool_name: 'write_file', tool_input: { file_path: '/srv/a', content: 'x' } }];

test.each<[AgentName, matcher: string, Moment, runs: boolean]>([
  ['qwen-code', 'WriteFile', write, true],
  ['qwen-code', '^write_file$', write, true],
  ['qwen-code', 'shell', shell, true],
  ['qwen-code', '^shell', shell, false],
  ['qwen-code', 'mcp__gh__.*', search, true],
  ['factory', 'Bash', shell, true],
  ['factory', 'Edit|Create', write, true],
  ['factory', 'Exec', shell, false],
  ['factory', 'Exec.*', shell, true],
  ['factory', 'mcp__gh__search', search, true],
  ['codebuddy', 'execute_command', shell, true],
  ['codebuddy', 'write_to_file|replace_in_file', write, true],
  ['codebuddy', 'Bas', shell, false],
  ['devin', 'exec|edit', shell, true],
  ['devin', '^edit$', shell, false],
  ['devin', '^mcp__', search, true],
  ['trae', 'RunCommand', shell, true],
  ['trae', 'Edit|Write', write, true],
  ['trae', 'mcp.*', search, true],
  ['auggie', 'launch-process', shell, true],
  ['auggie', 'search_gh', search, true],
  ['auggie', 'mcp:*', search, true],
  ['auggie', 'mcp:*', shell, false],
  ['auggie', 'mcp:.*_gh$', search, true],
  ['auggie', 'mcp:.*_other$', search, false],
])('matchers of %s: %s', async (name, matcher, moment, runs) => {
  await withAgent(name, { PreToolUse: group('true', { matcher }) }, async ({ handler }) => {
    const { outcomes } = await handler.fire(...moment);
    expect(outcomes.map(({ status }) => status)).toEqual([runs ? 'succeeded' : 'skipped']);
  });
});

const misplacedDenials = [
  says({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
  says({ decision: { behavior: 'deny', message: 'no' } }),
  says({ decision: { behavior: 'block' }, reason: 'no' }),
  says({ permissionDecision: 'deny', reason: 'no', hookSpecificOutput: { permissionDecision: 'allow' } }),
  `echo checking; ${says({ permissionDecision: 'deny', permissionDecisionReason: 'no' })}`,
];

test.each(agentNames)('a deny of %s in a field at the top level that no document has there denies, with a warning', async (name) => {
  await withAgent(name, { PreToolUse: group(misplacedDenials) }, async ({ handler }) => {
    const { outcomes, verdict } = await handler.fire(...shell);
    expect(outcomes.map(({ output }) => [output?.decision, output?.reason])).toEqual(misplacedDenials.map(() => ['deny', 'no']));
    for (const outcome of outcomes) expect(warningCodes(outcome)).toContain('deny_counted');
    expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('no') });
  });
});

test.each(agentNames)('a block of %s as the behavior of a decision denies, and a deferred decision is an ask', async (name) => {
  const run = (answer: string) =>
    withAgent(name, { PreToolUse: group(answer) }, async ({ handler }) => (await handler.fire(...shell)).verdict);
  expect(await run(specific({ decision: { behavior: 'block', message: 'no' } }))).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(await run(specific({ permissionDecision: 'defer', permissionDecisionReason: 'later' }))).toMatchObject({
    kind: 'ask',
    reason: 'later',
  });
  expect((await run(says({ permissionDecision: 'ask' }))).kind).toBe('ask');
  expect((await run(says({ permissionDecision: 'defer' }))).kind).toBe('ask');
});

test.each(agentNames)('an allow of %s in such a field does not count', async (name) => {
  const allows = [says({ permissionDecision: 'allow' }), says({ decision: { behavior: 'allow' } })];
  await withAgent(name, { PreToolUse: group(allows) }, async ({ handler }) => {
    const { outcomes, verdict } = await handler.fire(...shell);
    expect([verdict.kind, outcomes.map(({ output }) => output?.decision)]).toEqual(['none', [undefined, undefined]]);
    for (const outcome of outcomes) expect(outcome.warnings).toHaveLength(1);
  });
});
