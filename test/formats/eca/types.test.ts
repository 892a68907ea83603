import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  acceptPromptWithHooks,
  endSessionWithHooks,
  executeToolWithHooks,
  runAgentTurnWithHooks,
  startSessionWithHooks,
} from '@tenterhook/agent';
import type { HookEventHandler } from '@tenterhook/engine';
import type { HookEventName } from '@tenterhook/protocol';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, says, warningCodes } from '../../support/fire-hooks.js';
import { blockOf, saysEverything, shellCall, withEcaAgent } from './eca-agent.js';
import { contextOf, deeds, hookOf, idOf, seen, withEca } from './eca-hooks.js';

describe('types', () => {
  const failed = { llmContent: 'no such file', error: { message: 'no such file' } };
  const fine = { llmContent: 'hi' };

  test.each([
    ['startup', false],
    ['resume', true],
    ['clear', false],
    ['fork', true],
  ])('a session that begins with %s: resumed is %s', async (source, resumed) => {
    await withEca({ greet: hookOf('chatStart', 'cat > seen.json') }, async (scene) => {
      await scene.handler.fire('SessionStart', { source });
      expect(seen(scene)).toMatchObject({ hook_type: 'chatStart', resumed });
    });
  });

  test('the context of a chatStart hook reaches the result', async () => {
    await withEca({ greet: hookOf('chatStart', says({ additionalContext: 'today' })) }, async ({ handler }) => {
      const result = await handler.fireSessionStartEvent('startup');
      expect(contextOf(result)).toBe('today');
      expect(outcomeAt(result, 0)).toMatchObject({ hookId: idOf('greet', 'SessionStart'), status: 'succeeded', warnings: [] });
    });
  });

  const moments: [type: string, eventName: HookEventName, input: Record<string, unknown>][] = [
    ['sessionStart', 'HostStart', {}],
    ['sessionEnd', 'HostEnd', {}],
    ['chatStart', 'SessionStart', { source: 'startup' }],
    ['chatEnd', 'SessionEnd', { reason: 'exit' }],
    ['preRequest', 'BeforeAgent', { prompt: 'p' }],
    ['postRequest', 'AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }],
    ['preToolCall', 'BeforeTool', { tool_name: 'read_file', tool_input: {} }],
    ['postToolCall', 'AfterTool', { tool_name: 'read_file', tool_input: {}, tool_response: fine }],
    ['subagentStart', 'SubagentStart', { agent_type: 'explore' }],
    ['subagentPostRequest', 'SubagentStop', { agent_type: 'explore' }],
    ['preCompact', 'PreCompress', { trigger: 'auto' }],
    ['postCompact', 'PostCompress', { trigger: 'auto' }],
  ];
  const without: [eventName: HookEventName, input: Record<string, unknown>][] = [
    ['BeforeModel', { llm_request: {} }],
    ['AfterModel', { llm_request: {}, llm_response: {} }],
    ['BeforeToolSelection', { llm_request: {} }],
    ['Notification', { notification_type: 'Idle', message: 'm', details: {} }],
  ];

  test('the hooks of each type run on their event and on no other', async () => {
    const hooks = Object.fromEntries(moments.map(([type]) => [type, hookOf(type, `echo ${type} >> ran`)]));
    await withEca(hooks, async ({ hooks: system, handler, read }) => {
      for (const [type, eventName, input] of moments) {
        expect(deeds(await handler.fire(eventName, input))).toEqual([[type, 'succeeded']]);
      }
      for (const [eventName, input] of without) {
        expect(system.has(eventName)).toBe(false);
        expect((await handler.fire(eventName, input)).outcomes).toEqual([]);
      }
      expect(read('ran')).toBe(moments.map(([type]) => `${type}\n`).join(''));
    });
  });

  const read = (handler: HookEventHandler, response: Record<string, unknown>) =>
    handler.fireAfterToolEvent('read_file', { path: 'a.txt' }, response);

  test.each([{}, { runOnError: false }])('a postToolCall hook with %j does not run after a failed tool', async (fields) => {
    await withEca({ log: hookOf('postToolCall', 'cat > seen.json', fields) }, async (scene) => {
      expect(deeds(await read(scene.handler, failed))).toEqual([['log', 'skipped', 'condition']]);
      expect(scene.read('seen.json')).toBeUndefined();
      expect(deeds(await read(scene.handler, fine))).toEqual([['log', 'succeeded']]);
      expect(seen(scene)).toMatchObject({ error: false });
    });
  });

  test('with runOnError it runs, and receives the error', async () => {
    await withEca({ log: hookOf('postToolCall', 'cat > seen.json', { runOnError: true }) }, async (scene) => {
      expect(deeds(await read(scene.handler, failed))).toEqual([['log', 'succeeded']]);
      expect(seen(scene)).toMatchObject({ error: true, tool_response: failed });
      expect(deeds(await read(scene.handler, fine))).toEqual([['log', 'succeeded']]);
      expect(seen(scene)).toMatchObject({ error: false, tool_response: fine });
    });
  });

  test('a success after a failure of the same tool is another matter, and the other way round', async () => {
    await withEca({ log: hookOf('postToolCall', 'true') }, async ({ handler }) => {
      const reported = [fine, failed, fine, failed].map(async (response) => deeds(await read(handler, response))[0]?.[1]);
      expect(await Promise.all(reported)).toEqual(['succeeded', 'skipped', 'succeeded', 'skipped']);
    });
  });

  test('the context of a postToolCall hook reaches the result, and the result of the tool is untouched', async () => {
    await withEca({ note: hookOf('postToolCall', says({ additionalContext: 'C' })) }, async ({ handler }) => {
      const result = await read(handler, fine);
      expect(contextOf(result)).toBe('C');
      expect(result.changes).toEqual([]);
      expect(result.finalOutput?.hookSpecificOutput).not.toHaveProperty('updatedToolOutput');
      expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
    });
  });
});

describe('types in an agent', () => {
  type Neighbours = [before: string, after: string | undefined];

  describe('when hooks of a type run', () => {
    const moments: [type: string, where: Neighbours[]][] = [
      ['sessionStart', [['the server starts', 'a chat begins']]],
      ['sessionEnd', [['the server shuts down', undefined]]],
      [
        'chatStart',
        [
          ['a chat begins', 'a chat is resumed'],
          ['a chat is resumed', 'the user asks'],
        ],
      ],
      ['chatEnd', [['the chat is deleted', 'the server shuts down']]],
      ['preRequest', [['the user asks', 'the model is asked']]],
      ['postRequest', [['the model answers', 'the chat is deleted']]],
      ['preToolCall', [['the model is asked', 'the tool runs']]],
      ['postToolCall', [['the tool runs', 'the model answers']]],
    ];
    let log: readonly string[] = [];

    beforeAll(async () => {
      const hooks = Object.fromEntries(moments.map(([type]) => [type, hookOf(type, `echo ${type} >> log`)]));
      log = await withEcaAgent(hooks, async ({ client, handler, projectDir, read }) => {
        const happens = (what: string) => appendFileSync(join(projectDir, 'log'), `${what}\n`);
        const execute = () => {
          happens('the tool runs');
          return { llmContent: 'done' };
        };
        const respond = async () => {
          happens('the model is asked');
          await executeToolWithHooks(client, { ...shellCall, execute });
          happens('the model answers');
          return 'answer';
        };
        happens('the server starts');
        await handler.fire('HostStart', {});
        happens('a chat begins');
        await startSessionWithHooks(client, 'startup');
        happens('a chat is resumed');
        await startSessionWithHooks(client, 'resume');
        happens('the user asks');
        await runAgentTurnWithHooks(client, { prompt: 'p', respond });
        happens('the chat is deleted');
        await endSessionWithHooks(client, 'exit');
        happens('the server shuts down');
        await handler.fire('HostEnd', {});
        return (read('log') ?? '').trim().split('\n');
      });
    });

    test.each(moments)('%s runs between what happens before and after it, and at no other time', (type, where) => {
      const found = log.flatMap((entry, index) => (entry === type ? [[log[index - 1], log[index + 1]]] : []));
      expect(found).toEqual(where);
    });
  });

  describe('what hooks of a type can change', () => {
    test.each([
      ['sessionStart', 'HostStart', {}],
      ['sessionEnd', 'HostEnd', {}],
      ['chatEnd', 'SessionEnd', { reason: 'exit' }],
    ] as const)('%s: nothing, with a warning for each field', async (type, eventName, input) => {
      const hooks = { a: hookOf(type, saysEverything), b: hookOf(type, 'echo text'), c: hookOf(type, 'exit 2') };
      await withEcaAgent(hooks, async ({ handler }) => {
        const result = await handler.fire(eventName, input);
        expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
        expect(result.finalOutput?.hookSpecificOutput).toBeUndefined();
        expect(result.changes).toEqual([]);
        const effects = result.outcomes.map((outcome) => [outcome.status, warningCodes(outcome)]);
        expect(effects).toEqual([
          ['succeeded', ['no_effect', 'no_effect', 'no_effect', 'no_effect']],
          ['succeeded', ['no_effect']],
          ['succeeded', ['no_effect']],
        ]);
      });
    });

    test('chatStart: its context goes into the conversation, and it has no other say', async () => {
      await withEcaAgent({ a: hookOf('chatStart', saysEverything) }, async ({ client }) => {
        const { additionalContext, result } = await startSessionWithHooks(client, 'startup');
        expect(additionalContext).toBe(blockOf('context'));
        expect(result?.verdict.kind).toBe('none');
      });
    });

    test('preRequest: it rewrites the prompt, and adds context', async () => {
      const hooks = { a: hookOf('preRequest', says({ replacedPrompt: 'rewritten', additionalContext: 'context' })) };
      await withEcaAgent(hooks, async ({ client }) => {
        expect(await acceptPromptWithHooks(client, { prompt: 'p' })).toMatchObject({
          status: 'accepted',
          prompt: 'rewritten',
          promptForModel: `rewritten\n\n${blockOf('context')}`,
        });
      });
    });

    test('preRequest: it stops the request', async () => {
      const prompts: string[] = [];
      const respond = (prompt: string) => {
        prompts.push(prompt);
        return 'answer';
      };
      await withEcaAgent({ a: hookOf('preRequest', says({ continue: false, stopReason: 'enough' })) }, async ({ client }) => {
        expect(await runAgentTurnWithHooks(client, { prompt: 'p', respond })).toMatchObject({ status: 'stopped', stopReason: 'enough' });
      });
      expect(prompts).toEqual([]);
    });

    test('postRequest: without followUp and exit code 2 nothing, the turn ends with the answer of the agent', async () => {
      const hooks = { a: hookOf('postRequest', saysEverything), b: hookOf('postRequest', 'echo text'), c: hookOf('postRequest', 'exit 1') };
      await withEcaAgent(hooks, async ({ client }) => {
        const turn = await runAgentTurnWithHooks(client, { prompt: 'p', respond: () => 'answer' });
        expect(turn).toMatchObject({
          status: 'completed',
          prompt: 'p',
          response: 'answer',
          turns: 1,
          systemMessages: [],
          userMessages: [],
        });
        expect(turn.after?.finalOutput?.hookSpecificOutput).toBeUndefined();
      });
    });

    test('preToolCall: it changes the arguments', async () => {
      const tool = recordingTool();
      await withEcaAgent({ a: hookOf('preToolCall', says({ updatedInput: { timeout: 5 } })) }, async ({ client }) => {
        await executeToolWithHooks(client, { ...shellCall, ...tool });
      });
      expect(tool.calls).toEqual([{ command: 'ls', timeout: 5 }]);
    });

    test.each([
      ['ask', 'allow', 0],
      ['allow', 'ask', 1],
      ['allow', 'allow', 0],
      ['ask', 'ask', 1],
    ] as const)('preToolCall: the host would %s, the hook says %s, and the user is asked %d times', async (approval, opinion, times) => {
      const asked: string[] = [];
      const ask = ({ subject }: { subject: string }) => {
        asked.push(subject);
        return 'allow' as const;
      };
      await withEcaAgent({ a: hookOf('preToolCall', says({ approval: opinion })) }, async ({ client }) => {
        const { status } = await executeToolWithHooks(client, { ...shellCall, ...recordingTool(), approval, ask });
        expect(status).toBe('executed');
      });
      expect(asked).toHaveLength(times);
    });

    // ECA's page does not limit what an allow overrides. Here a deny of the host is not overridden: otherwise a hook of a repository could
    // allow what its user has denied.
    test('preToolCall: settled, no hook allows what the host denies', async () => {
      const tool = recordingTool();
      await withEcaAgent({ a: hookOf('preToolCall', says({ approval: 'allow' })) }, async ({ client }) => {
        expect(await executeToolWithHooks(client, { ...shellCall, ...tool, approval: 'deny' })).toMatchObject({ status: 'blocked' });
      });
      expect(tool.calls).toEqual([]);
    });

    test('preToolCall: it rejects the call', async () => {
      const tool = recordingTool();
      await withEcaAgent({ a: hookOf('preToolCall', says({ approval: 'deny', additionalContext: 'no' })) }, async ({ client }) => {
        const outcome = await executeToolWithHooks(client, { ...shellCall, ...tool });
        expect(outcome).toMatchObject({ status: 'blocked', reason: 'no', result: { llmContent: 'no' } });
      });
      expect(tool.calls).toEqual([]);
    });

    test('postToolCall: its context is what the model reads next, behind the result', async () => {
      await withEcaAgent({ a: hookOf('postToolCall', says({ additionalContext: 'lint: 3 warnings' })) }, async ({ client }) => {
        const { result } = await executeToolWithHooks(client, { ...shellCall, ...recordingTool() });
        expect(result.llmContent).toBe(`done\n\n${blockOf('lint: 3 warnings')}`);
      });
    });
  });
});
