import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  acceptPromptWithHooks,
  endSessionWithHooks,
  executeToolWithHooks,
  runAgentTurnWithHooks,
  startSessionWithHooks,
} from '@tenterhook/agent';
import { hookOf } from '../eca-acceptance/eca-hooks.js';
import { recordingTool } from '../support/agent.js';
import { says, warningCodes } from '../support/fire-hooks.js';
import { blockOf, saysEverything, shellCall, withEcaAgent } from './eca-agent.js';

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
  ] as const)('%s: nothing, and a warning for each field says so', async (type, eventName, input) => {
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

  test('postRequest: nothing, the turn ends with the answer of the agent', async () => {
    const hooks = { a: hookOf('postRequest', saysEverything), b: hookOf('postRequest', 'echo text'), c: hookOf('postRequest', 'exit 2') };
    await withEcaAgent(hooks, async ({ client }) => {
      const turn = await runAgentTurnWithHooks(client, { prompt: 'p', respond: () => 'answer' });
      expect(turn).toMatchObject({ status: 'completed', prompt: 'p', response: 'answer', turns: 1, systemMessages: [], userMessages: [] });
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

  // The page sets no bound to an override. What the host denies is denied all the same: else a hook of a repository could open what its user closed.
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
