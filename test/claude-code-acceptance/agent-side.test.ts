import { acceptPromptWithHooks, executeToolWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../support/agent.js';
import { outcomeAt, says, warningCodes } from '../support/fire-hooks.js';
import { deeds, fireClaude, groupOf, hooksOf, idOf, seen, specific, specificOf, withClaude } from './claude-hooks.js';
import { moment } from './moments.js';

const blocks = says({ decision: 'block', reason: 'r' });

test('claude 16: a UserPromptSubmit block denies the prompt, and its reason is no context', async () => {
  const result = await fireClaude(moment('UserPromptSubmit'), blocks);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r', by: [idOf('0.0', 'BeforeAgent')] });
  expect(specificOf(result)).not.toHaveProperty('additionalContext');
});

test('claude 16: the agent does not work on the prompt', async () => {
  await withClaude(hooksOf('UserPromptSubmit', blocks), async ({ client }) => {
    expect(await acceptPromptWithHooks(client, { prompt: 'p' })).toMatchObject({ status: 'blocked', reason: 'r' });
    const respond = () => {
      throw new Error('nobody should be asked');
    };
    expect(await runAgentTurnWithHooks(client, { prompt: 'p', respond })).toMatchObject({ status: 'blocked', reason: 'r', turns: 0 });
  });
});

test('claude 17: a Stop block is an AfterAgent deny with its reason', async () => {
  const result = await fireClaude(moment('Stop'), blocks);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r', by: [idOf('0.0', 'AfterAgent')] });
});

test('claude 17: the agent goes on with the reason, and the next hook is told stop_hook_active', async () => {
  const once = `cat >> seen.jsonl; echo >> seen.jsonl; [ -e blocked ] || { touch blocked; ${blocks}; }`;
  await withClaude(hooksOf('Stop', once), async ({ client, read }) => {
    const prompts: string[] = [];
    const respond = (prompt: string) => {
      prompts.push(prompt);
      return `answer ${prompts.length}`;
    };
    expect(await runAgentTurnWithHooks(client, { prompt: 'p', respond })).toMatchObject({ status: 'completed', turns: 2 });
    expect(prompts).toEqual(['p', 'r']);
    const told = (read('seen.jsonl') ?? '').split('\n').filter((line) => line !== '');
    expect(told.map((line) => JSON.parse(line))).toMatchObject([
      { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'answer 1' },
      { hook_event_name: 'Stop', stop_hook_active: true, last_assistant_message: 'answer 2' },
    ]);
  });
});

test('claude 17: the ninth block in a row is not obeyed', async () => {
  await withClaude(hooksOf('Stop', blocks), async ({ client }) => {
    const prompts: string[] = [];
    const respond = (prompt: string) => {
      prompts.push(prompt);
      return 'answer';
    };
    expect(await runAgentTurnWithHooks(client, { prompt: 'p', respond })).toMatchObject({ status: 'completed', turns: 9 });
    expect(prompts).toEqual(['p', ...Array(8).fill('r')]);
  });
});

test('claude 17: exit 2 is the same, with stderr as the reason', async () => {
  const result = await fireClaude(moment('Stop'), 'echo tests fail >&2; exit 2');
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'tests fail' });
});

test.each([
  ['a block', blocks],
  ['exit 2', 'echo r >&2; exit 2'],
])('claude 18: after %s of a PostToolUse hook the result is kept, with the reason behind it', async (_, text) => {
  await withClaude(hooksOf('PostToolUse', text), async ({ client }) => {
    const tool = recordingTool();
    const call = await executeToolWithHooks(client, { name: 'write_file', input: {}, ...tool });
    expect(call.status).toBe('executed');
    expect(call.result.llmContent).toBe('done\n\nr');
    expect(call.result.returnDisplay).toBe('done');
    expect(tool.calls).toHaveLength(1);
  });
});

test('claude 18: the block is a deny with the result kept', async () => {
  const result = await fireClaude(moment('PostToolUse'), blocks);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r' });
  expect(result.changes).toEqual([]);
});

test('claude 19: after a failed tool the hooks of PostToolUseFailure run, and those of PostToolUse do not', async () => {
  const hooks = { PostToolUse: [groupOf('cat > ok.json')], PostToolUseFailure: [groupOf('cat > failed.json')] };
  await withClaude(hooks, async (scene) => {
    const execute = () => {
      throw new Error('no such file');
    };
    const call = await executeToolWithHooks(scene.client, { name: 'read_file', input: { file_path: '/srv/a' }, execute });
    expect(call.status).toBe('failed');
    expect(seen(scene, 'failed.json')).toMatchObject({
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'Read',
      tool_input: { file_path: '/srv/a' },
      error: 'no such file',
    });
    expect(scene.read('ok.json')).toBeUndefined();
    expect(call.after?.outcomes.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  });
});

test('claude 19: after a tool that worked it is the other way round', async () => {
  const hooks = { PostToolUse: [groupOf('cat > ok.json')], PostToolUseFailure: [groupOf('cat > failed.json')] };
  await withClaude(hooks, async (scene) => {
    await executeToolWithHooks(scene.client, { name: 'read_file', input: { file_path: '/srv/a' }, ...recordingTool() });
    expect(seen(scene, 'ok.json')).toMatchObject({ hook_event_name: 'PostToolUse', tool_response: { llmContent: 'done' } });
    expect(scene.read('failed.json')).toBeUndefined();
  });
});

test('claude §6: stderr of a PostToolUseFailure hook with exit 2 is for the model', async () => {
  await withClaude(hooksOf('PostToolUseFailure', 'echo try b >&2; exit 2'), async ({ client }) => {
    const execute = () => ({ llmContent: 'no a', error: { message: 'no a' } });
    const call = await executeToolWithHooks(client, { name: 'read_file', input: {}, execute });
    expect(call.result.llmContent).toContain('try b');
  });
});

test('claude 19: one command on both events is two hooks: after each tool the one runs that is for it', async () => {
  const both = { PostToolUse: [groupOf('cat > seen.json')], PostToolUseFailure: [groupOf('cat > seen.json')] };
  await withClaude(both, async (scene) => {
    for (const [event, done] of [
      ['PostToolUse', ['succeeded', 'skipped: condition']],
      ['PostToolUseFailure', ['skipped: condition', 'succeeded']],
    ] as const) {
      const [, eventName, input] = moment(event);
      expect(deeds(await scene.handler.fire(eventName, input))).toEqual(done);
      expect(seen(scene)).toMatchObject({ hook_event_name: event });
    }
  });
});

const secret = { llmContent: 'key 1234', returnDisplay: 'key 1234' };

test('claude §5 output: updatedToolOutput replaces the result of the tool', async () => {
  await withClaude(hooksOf('PostToolUse', specific('PostToolUse', { updatedToolOutput: 'key ***' })), async ({ client }) => {
    const call = await executeToolWithHooks(client, { name: 'read_file', input: {}, ...recordingTool(secret) });
    expect(call).toMatchObject({ status: 'executed', result: { llmContent: 'key ***' } });
    expect(JSON.stringify(call.result)).not.toContain('1234');
  });
});

test('claude §5 output: a tool_response that is returned changed is the result', async () => {
  const updatedToolOutput = { llmContent: 'key ***', returnDisplay: 'key ***' };
  await withClaude(hooksOf('PostToolUse', specific('PostToolUse', { updatedToolOutput })), async ({ client }) => {
    const call = await executeToolWithHooks(client, { name: 'read_file', input: {}, ...recordingTool(secret) });
    expect(call.result).toEqual(updatedToolOutput);
  });
});

test('claude §5 output: a result in the form of an MCP server is its text', async () => {
  const updatedToolOutput = { content: [{ type: 'text', text: 'key ***' }] };
  await withClaude(hooksOf('PostToolUse', specific('PostToolUse', { updatedToolOutput })), async ({ client }) => {
    const call = await executeToolWithHooks(client, { name: 'read_file', input: {}, ...recordingTool(secret) });
    expect(call.result.llmContent).toBe('key ***');
    expect(JSON.stringify(call.result)).not.toContain('1234');
  });
});

test('claude §5 output: updatedMCPToolOutput does so for a tool of a server', async () => {
  await withClaude(hooksOf('PostToolUse', specific('PostToolUse', { updatedMCPToolOutput: 'key ***' })), async ({ client }) => {
    const mcpContext = { server_name: 'gh' };
    const call = await executeToolWithHooks(client, { name: 'search', mcpContext, input: {}, ...recordingTool(secret) });
    expect(call.result.llmContent).toBe('key ***');
    expect(JSON.stringify(call.result)).not.toContain('1234');
  });
});

test('claude §5 output: on an event without a result it has none to replace, and a warning says so', async () => {
  for (const event of ['PreToolUse', 'PostToolUseFailure']) {
    const result = await fireClaude(moment(event), specific(event, { updatedToolOutput: 'x' }));
    expect(result.changes).toEqual([]);
    expect(warningCodes(outcomeAt(result, 0))).toHaveLength(1);
  }
});

test('claude §5 output: additionalContext of both events stands behind the result', async () => {
  const hooks = {
    PreToolUse: [groupOf(specific('PreToolUse', { additionalContext: 'before' }))],
    PostToolUse: [groupOf(specific('PostToolUse', { additionalContext: 'after' }))],
  };
  await withClaude(hooks, async ({ client }) => {
    const call = await executeToolWithHooks(client, { name: 'read_file', input: {}, ...recordingTool() });
    expect(call.result.llmContent).toMatch(/^done.*before.*after/s);
    expect(call.result.returnDisplay).toBe('done');
  });
});

test('claude §5 output: an ask is put before the user of the host', async () => {
  const asks = specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' });
  await withClaude(hooksOf('PreToolUse', asks), async ({ client }) => {
    const questions: unknown[] = [];
    const ask = (question: unknown) => {
      questions.push(question);
      return 'allow' as const;
    };
    const call = await executeToolWithHooks(client, { name: 'run_shell_command', input: { command: 'ls' }, ...recordingTool(), ask });
    expect(call.status).toBe('executed');
    expect(questions).toMatchObject([{ subject: 'run_shell_command', input: { command: 'ls' }, reason: 'sure?', by: [idOf()] }]);
    // With nobody to ask it is a deny (decision 11).
    const alone = await executeToolWithHooks(client, { name: 'run_shell_command', input: {}, ...recordingTool() });
    expect(alone.status).toBe('blocked');
    expect(deeds(alone.before as NonNullable<typeof alone.before>)).toEqual(['succeeded']);
  });
});
