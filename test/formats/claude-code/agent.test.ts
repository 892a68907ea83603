import {
  acceptPromptWithHooks,
  compressWithHooks,
  endSessionWithHooks,
  executeToolWithHooks,
  notifyWithHooks,
  runAgentTurnWithHooks,
  startSessionWithHooks,
} from '@tenterhook/agent';
import { createEnvFile } from 'tenterhook';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, says, warningCodes } from '../../support/fire-hooks.js';
import { deeds, fireClaude, groupOf, hooksOf, idOf, seen, specific, specificOf, withClaude } from './claude-hooks.js';
import { hostMoments, moment, moments } from './moments.js';

describe('calls of the agent', () => {
  const blocks = says({ decision: 'block', reason: 'r' });

  test('a UserPromptSubmit block denies the prompt, and its reason is not context', async () => {
    const result = await fireClaude(moment('UserPromptSubmit'), blocks);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r', by: [idOf('0.0', 'BeforeAgent')] });
    expect(specificOf(result)).not.toHaveProperty('additionalContext');
  });

  test('the agent does not work on the prompt', async () => {
    await withClaude(hooksOf('UserPromptSubmit', blocks), async ({ client }) => {
      expect(await acceptPromptWithHooks(client, { prompt: 'p' })).toMatchObject({ status: 'blocked', reason: 'r' });
      const respond = () => {
        throw new Error('no user should be asked');
      };
      expect(await runAgentTurnWithHooks(client, { prompt: 'p', respond })).toMatchObject({ status: 'blocked', reason: 'r', turns: 0 });
    });
  });

  test('a Stop block is an AfterAgent deny with its reason', async () => {
    const result = await fireClaude(moment('Stop'), blocks);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r', by: [idOf('0.0', 'AfterAgent')] });
  });

  test('the agent goes on with the reason, and the next hook receives stop_hook_active', async () => {
    const once = `cat >> seen.jsonl; echo >> seen.jsonl; [ -e blocked ] || { touch blocked; ${blocks}; }`;
    await withClaude(hooksOf('Stop', once), async ({ client, read }) => {
      const prompts: string[] = [];
      const respond = (prompt: string) => {
        prompts.push(prompt);
        return `answer ${prompts.length}`;
      };
      expect(await runAgentTurnWithHooks(client, { prompt: 'p', respond })).toMatchObject({ status: 'completed', turns: 2 });
      expect(prompts).toEqual(['p', 'r']);
      const reported = (read('seen.jsonl') ?? '').split('\n').filter((line) => line !== '');
      expect(reported.map((line) => JSON.parse(line))).toMatchObject([
        { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'answer 1' },
        { hook_event_name: 'Stop', stop_hook_active: true, last_assistant_message: 'answer 2' },
      ]);
    });
  });

  test('the ninth block in a row is not obeyed', async () => {
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

  test('exit 2 is the same, with stderr as the reason', async () => {
    const result = await fireClaude(moment('Stop'), 'echo tests fail >&2; exit 2');
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'tests fail' });
  });

  test.each([
    ['a block', blocks],
    ['exit 2', 'echo r >&2; exit 2'],
  ])('after %s of a PostToolUse hook the result is kept, with the reason after it', async (_, text) => {
    await withClaude(hooksOf('PostToolUse', text), async ({ client }) => {
      const tool = recordingTool();
      const call = await executeToolWithHooks(client, { name: 'write_file', input: {}, ...tool });
      expect(call.status).toBe('executed');
      expect(call.result.llmContent).toBe('done\n\nr');
      expect(call.result.returnDisplay).toBe('done');
      expect(tool.calls).toHaveLength(1);
    });
  });

  test('the block is a deny with the result kept', async () => {
    const result = await fireClaude(moment('PostToolUse'), blocks);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r' });
    expect(result.changes).toEqual([]);
  });

  test('after a failed tool the hooks of PostToolUseFailure run, and those of PostToolUse do not', async () => {
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

  test('after a tool that worked it is the other way round', async () => {
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

  test('one command on both events is two hooks: after each tool the one runs that is for it', async () => {
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

  test('claude §5 output: after a failure it replaces the error, too', async () => {
    const event = 'PostToolUseFailure';
    const result = await fireClaude(moment(event), specific(event, { updatedToolOutput: 'x' }));
    const replaced = { llmContent: 'x', returnDisplay: 'x', error: { message: 'x' } };
    expect(result.finalOutput?.hookSpecificOutput?.['updatedToolOutput']).toEqual(replaced);
    expect(outcomeAt(result, 0).warnings).toEqual([]);
  });

  test('claude §5 output: on an event without a result it has none to replace, with a warning', async () => {
    const result = await fireClaude(moment('PreToolUse'), specific('PreToolUse', { updatedToolOutput: 'x' }));
    expect(result.changes).toEqual([]);
    expect(warningCodes(outcomeAt(result, 0))).toHaveLength(1);
  });

  test('claude §5 output: additionalContext of both events follows the result', async () => {
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
      // Without a user who could be asked, it is a deny (decision 11).
      const alone = await executeToolWithHooks(client, { name: 'run_shell_command', input: {}, ...recordingTool() });
      expect(alone.status).toBe('blocked');
      expect(deeds(alone.before as NonNullable<typeof alone.before>)).toEqual(['succeeded']);
    });
  });
});

describe('events of the agent', () => {
  const call = { name: 'run_shell_command', input: { command: 'npm test' } };
  const answers = (decision: Record<string, unknown>) => specific('PermissionRequest', { decision });

  test('claude §4 agent: a PermissionRequest hook answers in the place of the user', async () => {
    await withClaude(hooksOf('PermissionRequest', answers({ behavior: 'allow' }), { matcher: 'Bash' }), async ({ client }) => {
      const tool = recordingTool();
      const ask = () => {
        throw new Error('no user should be asked');
      };
      expect((await executeToolWithHooks(client, { ...call, ...tool, approval: 'ask', ask })).status).toBe('executed');
      expect(tool.calls).toEqual([call.input]);
    });
  });

  test('claude §4 agent: it may say no, or give another input', async () => {
    await withClaude(hooksOf('PermissionRequest', answers({ behavior: 'deny', message: 'no' })), async ({ client }) => {
      const tool = recordingTool();
      const done = await executeToolWithHooks(client, { ...call, ...tool, approval: 'ask', ask: () => 'allow' });
      expect(done).toMatchObject({ status: 'blocked', reason: 'no' });
      expect(tool.calls).toEqual([]);
    });
    const other = answers({ behavior: 'allow', updatedInput: { command: 'ls' } });
    await withClaude(hooksOf('PermissionRequest', other), async ({ client }) => {
      const tool = recordingTool();
      await executeToolWithHooks(client, { ...call, ...tool, approval: 'ask' });
      expect(tool.calls).toEqual([{ command: 'ls' }]);
    });
  });

  test('claude §4 agent: where no user would be asked it is not fired, and exit 2 of it has no effect', async () => {
    await withClaude(hooksOf('PermissionRequest', 'cat > seen.json; echo no >&2; exit 2'), async (scene) => {
      expect((await executeToolWithHooks(scene.client, { ...call, ...recordingTool() })).status).toBe('executed');
      expect(scene.read('seen.json')).toBeUndefined();
      const ask = () => 'allow' as const;
      expect((await executeToolWithHooks(scene.client, { ...call, ...recordingTool(), approval: 'ask', ask })).status).toBe('executed');
      expect(seen(scene)).toMatchObject({ hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: call.input });
      expect(seen(scene)).not.toHaveProperty('tool_use_id');
    });
  });

  test('claude §7 agent: variables that a SessionStart hook exports reach the agent', async () => {
    const hook = `echo 'export NODE_ENV=test' >> "$CLAUDE_ENV_FILE"; echo 'export GREETING="hello world"' >> "$CLAUDE_ENV_FILE"`;
    await withClaude(hooksOf('SessionStart', hook), async ({ client }) => {
      const env = await createEnvFile();
      try {
        await startSessionWithHooks(client, 'startup', { envFile: env.file });
        expect(await env.read()).toMatchObject({ variables: { NODE_ENV: 'test', GREETING: 'hello world' }, problems: [] });
      } finally {
        await env.dispose();
      }
    });
  });

  test('claude §4 agent: PreCompact comes before the compression, and PostCompact receives its summary', async () => {
    const hooks = { PreCompact: [groupOf('cat > before.json')], PostCompact: [groupOf('cat > after.json')] };
    await withClaude(hooks, async (scene) => {
      const compress = () => (scene.read('before.json') === undefined ? 'too early' : 'the summary');
      expect(await compressWithHooks(scene.client, { trigger: 'manual', compress })).toMatchObject({ compressed: 'the summary' });
      expect(seen(scene, 'before.json')).toMatchObject({ hook_event_name: 'PreCompact', trigger: 'manual' });
      expect(seen(scene, 'after.json')).toMatchObject({
        hook_event_name: 'PostCompact',
        trigger: 'manual',
        compact_summary: 'the summary',
      });
    });
  });

  test('claude §4 agent: the end of a session, and a notification, with what hooks say to the user', async () => {
    const hooks = { ...hooksOf('SessionEnd', says({ systemMessage: 'bye' })), ...hooksOf('Notification', 'cat > seen.json; echo heard') };
    await withClaude(hooks, async (scene) => {
      expect(await endSessionWithHooks(scene.client, 'exit')).toMatchObject({ userMessages: ['bye'], systemMessages: [] });
      const notified = await notifyWithHooks(scene.client, { type: 'ToolPermission', message: 'May I?', details: {} });
      expect(notified).toMatchObject({ userMessages: ['heard'] });
      expect(seen(scene)).toMatchObject({ hook_event_name: 'Notification', notification_type: 'permission_prompt', message: 'May I?' });
    });
  });
});

describe('events that the agent publishes itself', () => {
  const model = { llm_request: { model: 'm-1' } };

  test.each([
    ['BeforeModel', model],
    ['AfterModel', { ...model, llm_response: { text: 'hi' } }],
    ['BeforeToolSelection', model],
  ] as const)(
    '%s fires where only hooks of this format are configured: no process, and the verdict is `none`',
    async (eventName, input) => {
      const every = Object.assign({}, ...[...moments, ...hostMoments].map(([event]) => hooksOf(event, 'touch ran')));
      await withClaude(every, async ({ hooks, handler, read, progress }) => {
        expect(hooks.has(eventName)).toBe(false);
        const result = await handler.fire(eventName, input);
        expect(result).toMatchObject({ verdict: { kind: 'none', stop: false }, outcomes: [] });
        expect(read('ran')).toBeUndefined();
        expect(progress.filter(({ kind }) => kind === 'hook-started')).toEqual([]);
      });
    },
  );

  test('claude §4: each event runs its own hooks and no other', async () => {
    const every = [...moments, ...hostMoments];
    const hooks = Object.assign({}, ...every.map(([event]) => hooksOf(event, `echo ${event} >> ran`)));
    await withClaude(hooks, async ({ hooks: system, handler, read }) => {
      expect(system.diagnostics).toEqual([]);
      for (const [event, eventName, input] of every) {
        const ran = (await handler.fire(eventName, input)).outcomes.filter(({ status }) => status !== 'skipped');
        expect([event, ran.map(({ status }) => status)]).toEqual([event, ['succeeded']]);
      }
      expect(read('ran')).toBe(every.map(([event]) => `${event}\n`).join(''));
    });
  });

  test.each(hostMoments)(
    'claude §4 host events: a hook on %s is listed, and runs when the host publishes it',
    async (event, eventName, input) => {
      await withClaude(hooksOf(event, 'cat > seen.json'), async (scene) => {
        const [hook] = scene.hooks.hooks[eventName];
        expect(hook).toMatchObject({ dialect: 'claude-code', eventName, dialectEvent: event });
        expect(deeds(await scene.handler.fire(eventName, input))).toEqual(['succeeded']);
        expect(seen(scene)['hook_event_name']).toBe(event);
      });
    },
  );

  /** Events that functions of the agent's side fire as well. */
  const firedByAgent = ['PermissionRequest', 'PostCompact'];

  test.each(hostMoments.filter(([event]) => !firedByAgent.includes(event)))(
    'claude §4 host events: explain says of %s that it runs only when the host publishes it',
    async (event, eventName, input) => {
      await withClaude(hooksOf(event, 'true'), async ({ hooks }) => {
        expect(hooks.explain(eventName, input).hooks).toMatchObject([{ wouldRun: true, reason: expect.stringMatching(/publish/) }]);
      });
    },
  );

  test.each(moments)('claude §4 host events: of %s it has no note', async (event, eventName, input) => {
    await withClaude(hooksOf(event, 'true'), async ({ hooks }) => {
      const [explained] = hooks.explain(eventName, input).hooks;
      expect(explained).toMatchObject({ wouldRun: true });
      expect(explained?.reason).not.toMatch(/publish/);
    });
  });

  test('claude §4 host events: a subagent that a hook sends on', async () => {
    const [event, eventName, input] = moment('SubagentStop');
    await withClaude(hooksOf(event, 'echo look again >&2; exit 2', { matcher: 'reviewer' }), async ({ handler }) => {
      expect((await handler.fire(eventName, input)).verdict).toMatchObject({ kind: 'deny', reason: 'look again' });
      expect(deeds(await handler.fire(eventName, { ...input, agent_type: 'other' }))).toEqual(['skipped: matcher']);
    });
  });

  test('claude §4 host events: the path on stdout of a WorktreeCreate hook is that of the worktree', async () => {
    const [event, eventName, input] = moment('WorktreeCreate');
    await withClaude(hooksOf(event, 'echo making it >&2; echo /srv/w1'), async ({ handler }) => {
      const result = await handler.fire(eventName, input);
      expect(result.finalOutput?.hookSpecificOutput).toMatchObject({ worktreePath: '/srv/w1' });
      expect(result.verdict.kind).toBe('none');
    });
  });
});
