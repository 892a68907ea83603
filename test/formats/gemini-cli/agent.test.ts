import { createHookClient, executeToolWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import { geminiCli } from '@tenterhook/dialects';
import type { HookEventName } from '@tenterhook/protocol';
import { says, withEndingHooks } from '../../support/fire-hooks.js';
import { groupOf, hooksOf, seen, specific, withGemini } from './gemini-hooks.js';

describe('calls of the agent', () => {
  /** An agent that records its prompts. */
  function recordingAgent() {
    const prompts: string[] = [];
    const respond = (prompt: string) => {
      prompts.push(prompt);
      return 'done';
    };
    return { prompts, respond };
  }

  test.each<[string, string, string]>([
    ['a deny blocks', says({ decision: 'deny', reason: 'no' }), 'blocked'],
    ['a stop stops', says({ continue: false, stopReason: 'enough' }), 'stopped'],
  ])('BeforeAgent: %s, and the prompt is not worked on', async (_, command, status) => {
    await withGemini(hooksOf('BeforeAgent', command), async ({ client }) => {
      const agent = recordingAgent();
      expect((await runAgentTurnWithHooks(client, { prompt: 'p', ...agent })).status).toBe(status);
      expect(agent.prompts).toEqual([]);
    });
  });

  test('the reason of an AfterAgent deny is the next prompt, with stop_hook_active', async () => {
    const command = `cat > seen.json; grep -q '"stop_hook_active":true' seen.json || ${says({ decision: 'deny', reason: 'go on' })}`;
    await withGemini(hooksOf('AfterAgent', command), async (scene) => {
      const agent = recordingAgent();
      const done = await runAgentTurnWithHooks(scene.client, { prompt: 'p', ...agent });
      expect(done).toMatchObject({ status: 'completed', turns: 2 });
      expect(agent.prompts).toEqual(['p', 'go on']);
      expect(seen(scene)).toMatchObject({ stop_hook_active: true, prompt_response: 'done' });
    });
  });

  test('eight in a row, and the ninth is not obeyed', async () => {
    await withGemini(hooksOf('AfterAgent', says({ decision: 'deny', reason: 'go on' })), async ({ client }) => {
      const agent = recordingAgent();
      await runAgentTurnWithHooks(client, { prompt: 'p', ...agent });
      expect(agent.prompts).toHaveLength(9);
    });
  });

  test('clearContext is handed on to the agent, and another hook does not take it back', async () => {
    const hooks = [specific({ clearContext: true }), specific({ clearContext: false })];
    await withGemini(hooksOf('AfterAgent', hooks), async ({ handler }) => {
      const result = await handler.fireAfterAgentEvent('p', 'r');
      expect(result.finalOutput?.hookSpecificOutput).toEqual({ clearContext: true });
    });
  });
});

describe('stdin', () => {
  const base = ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp'];
  const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
  const tool = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
  const response = { llmContent: 'ok', returnDisplay: 'ok' };

  /** Each event with all fields that a host may send, and the fields that Gemini CLI has. */
  const events: [HookEventName, input: Record<string, unknown>, reported: string[]][] = [
    ['BeforeTool', { ...tool, approval: 'ask', recent_tools: ['x'], tool_use_id: 't1' }, ['tool_name', 'tool_input']],
    ['AfterTool', { ...tool, tool_response: response, duration_ms: 5, tool_use_id: 't1' }, ['tool_name', 'tool_input', 'tool_response']],
    ['BeforeAgent', { prompt: 'p' }, ['prompt']],
    ['AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }, ['prompt', 'prompt_response', 'stop_hook_active']],
    ['BeforeModel', { llm_request: request, model_provider: 'x', available_tools: ['a'] }, ['llm_request']],
    [
      'AfterModel',
      { llm_request: request, llm_response: { text: 'r' }, tool_calls: [], duration_ms: 5, model_provider: 'x' },
      ['llm_request', 'llm_response'],
    ],
    ['BeforeToolSelection', { llm_request: request }, ['llm_request']],
    ['SessionStart', { source: 'compress', model_name: 'm' }, ['source']],
    ['SessionEnd', { reason: 'exit', total_tokens: 5, duration_ms: 5 }, ['reason']],
    ['PreCompress', { trigger: 'auto' }, ['trigger']],
    ['Notification', { notification_type: 'ToolPermission', message: 'm', details: { a: 1 } }, ['notification_type', 'message', 'details']],
  ];

  test.each(events)('%s is passed as Gemini CLI passes it, and what the host adds of its own', async (eventName, input, reported) => {
    await withGemini(hooksOf(eventName, 'cat > seen.json'), async (scene) => {
      await scene.handler.fire(eventName, { ...input, original_request_name: 'o', of_the_host: 1 });
      const fields = seen(scene);
      expect(Object.keys(fields).sort()).toEqual([...base, ...reported, 'of_the_host', 'original_request_name'].sort());
      for (const name of reported) expect(fields[name]).toEqual(input[name]);
      expect(fields).toMatchObject({ session_id: 's1', hook_event_name: eventName });
      // stdin was one document, with nothing after it.
      expect(scene.read('seen.json')).toMatch(/\}$/);
    });
  });

  test.each([
    ['search', { server_name: 'gh' }],
    ['mcp__gh__search', { server_name: 'gh' }],
    ['mcp_gh_search', { server_name: 'gh' }],
    ['mcp__gh__search', undefined],
  ])('the tool %s of the server %j has the name that Gemini CLI gives it', async (toolName, mcpContext) => {
    await withGemini(hooksOf('BeforeTool', 'cat > seen.json'), async (scene) => {
      await scene.handler.fireBeforeToolEvent(toolName, {}, mcpContext);
      expect(seen(scene)['tool_name']).toBe('mcp_gh_search');
      expect(seen(scene)['mcp_context']).toEqual(mcpContext);
    });
  });
});

describe('named tools', () => {
  const tools = { bash: { as: 'run_shell_command', keys: { cmd: 'command' } } };

  test("a guard for run_shell_command is asked of the agent's own shell, and what it writes gets there", async () => {
    const matcher = '^run_shell_command$';
    const command = `cat > seen.json; ${specific({ tool_input: { command: 'ls -l' } })}`;
    const settings = { BeforeTool: [groupOf(command, { matcher })] };
    await withGemini(
      settings,
      async (scene) => {
        const ran: unknown[] = [];
        const execute = (input: unknown) => {
          ran.push(input);
          return { llmContent: 'done' };
        };
        const call = { name: 'bash', input: { cmd: 'ls' }, execute };
        expect(await executeToolWithHooks(scene.client, call)).toMatchObject({ status: 'executed' });
        expect(seen(scene)).toMatchObject({ tool_name: 'run_shell_command', tool_input: { command: 'ls' } });
        expect(ran).toEqual([{ cmd: 'ls -l' }]);
      },
      { dialects: [geminiCli({ tools })] },
    );
  });

  test('a call with two commands is denied before such a guard could see the wrong one', async () => {
    await withGemini(
      { BeforeTool: [groupOf('true', { matcher: 'run_shell_command' })] },
      async ({ handler }) => {
        const { verdict } = await handler.fireBeforeToolEvent('bash', { cmd: 'rm -r /', command: 'ls' });
        expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('are two names of one argument') });
      },
      { dialects: [geminiCli({ tools })] },
    );
  });
});

describe('closed redactors', () => {
  const settings = (event: string, command: string) => [
    { hooks: { [event]: [{ hooks: [{ type: 'command', name: 'redact', command, onError: 'block' }] }] } },
  ];

  test.each(['exit 1', 'kill -9 $$', 'exec no-such-program-anywhere'])(
    'a redactor that fails closed takes the result away, as one that denies does: %s',
    async (command) => {
      await withEndingHooks({ settings: settings('AfterTool', command), dialect: 'gemini-cli' }, async ({ hooks }) => {
        const done = await executeToolWithHooks(createHookClient(hooks), {
          name: 'read_file',
          input: { file_path: 'a' },
          execute: async () => ({ llmContent: 'SECRET', returnDisplay: 'SECRET' }),
        });
        expect(JSON.stringify(done.result)).not.toContain('SECRET');
        expect(done.after?.verdict).toMatchObject({ kind: 'deny', by: ['gemini-cli/settings/AfterTool/redact'] });
      });
    },
  );

  test('what a model answered is taken away likewise', async () => {
    await withEndingHooks({ settings: settings('AfterModel', 'exit 1'), dialect: 'gemini-cli' }, async ({ handler }) => {
      const result = await handler.fireAfterModelEvent({ model: 'm', messages: [] }, { text: 'SECRET' });
      expect(JSON.stringify(result.finalOutput)).not.toContain('SECRET');
      expect(result.verdict.kind).toBe('deny');
    });
  });

  test('an answer on stderr that was cut off is a failure, as one on stdout is', async () => {
    const command = `node -e "process.stderr.write(' '.repeat(3e6) + JSON.stringify({ decision: 'deny' }))"`;
    await withEndingHooks({ settings: settings('BeforeTool', command), dialect: 'gemini-cli' }, async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('write_file', { a: 1 });
      expect(result.outcomes[0]).toMatchObject({ status: 'failed', failedClosed: true });
      expect(result.verdict.kind).toBe('deny');
    });
  });
});
