import { type AskAnswer, createHookClient, executeToolWithHooks, type Question } from '@tenterhook/agent';
import { MessageBus } from '@tenterhook/bus';
import { z } from 'zod';
import { firedEvents, recordingTool, withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import { deny, specific, withFunctions } from '../support/function-hooks.js';

const call = { name: 'write_file', input: { path: 'a.txt', text: 'hello' }, approval: 'ask' } as const;
const allows = says({ decision: 'allow' });
const writes = (tool_input: Record<string, unknown>) => says({ hookSpecificOutput: { tool_input } });

/** A user who records the questions. */
function user(answer: AskAnswer = 'allow') {
  const questions: Question[] = [];
  const ask = (question: Question): AskAnswer => {
    questions.push(question);
    return answer;
  };
  return { questions, ask };
}

test('where the user would be asked its hooks are asked first, with the call as it would be carried out', async () => {
  const [tool, { questions, ask }] = [recordingTool(), user()];
  await withCommands({ BeforeTool: [writes({ path: 'b.txt' })], PermissionRequest: ['cat > seen.json'] }, async (scene) => {
    const outcome = await executeToolWithHooks(scene.client, { ...call, ...tool, ask, mcpContext: { server_name: 's' }, toolUseId: 't1' });
    expect(outcome).toMatchObject({ status: 'executed', permission: { verdict: { kind: 'none' } } });
    expect(firedEvents(scene)).toEqual(['BeforeTool', 'PermissionRequest']);
    const seen = JSON.parse(scene.read('seen.json') ?? '{}');
    expect(seen).toMatchObject({
      hook_event_name: 'PermissionRequest',
      tool_name: 'write_file',
      tool_input: { path: 'b.txt', text: 'hello' },
      mcp_context: { server_name: 's' },
    });
    expect(seen).not.toHaveProperty('tool_use_id');
  });
  expect(questions).toMatchObject([{ eventName: 'BeforeTool', subject: 'write_file', input: { path: 'b.txt', text: 'hello' } }]);
});

test.each([
  ['runs by itself', 'allow', 'true'],
  ['was allowed by a hook', 'ask', allows],
] as const)('a call that %s is not a request for a permission', async (_, approval, before) => {
  await withCommands({ BeforeTool: [before], PermissionRequest: [says(deny('no'))] }, async (scene) => {
    expect((await executeToolWithHooks(scene.client, { ...call, ...recordingTool(), approval })).status).toBe('executed');
    expect(firedEvents(scene)).toEqual(['BeforeTool']);
  });
});

test.each([
  ['the agent', 'ask', 'true'],
  ['a hook', 'allow', says({ decision: 'ask', reason: 'sure?' })],
] as const)('an allow answers for the user whom %s would ask', async (_, approval, before) => {
  const [tool, { questions, ask }] = [recordingTool(), user('deny')];
  await withCommands({ BeforeTool: [before], PermissionRequest: [allows] }, async ({ client }) => {
    expect(await executeToolWithHooks(client, { ...call, ...tool, approval, ask })).toMatchObject({ status: 'executed' });
    // The hook decides even if no user can be asked.
    expect(await executeToolWithHooks(client, { ...call, ...tool, approval })).toMatchObject({ status: 'executed' });
  });
  expect(questions).toEqual([]);
  expect(tool.calls).toHaveLength(2);
});

test.each([
  ['a deny of the agent', { approval: 'deny' }, 'true'],
  ['a deny of a hook', { approval: 'ask' }, says(deny('no'))],
] as const)('an allow does not open %s', async (_, approval, before) => {
  const tool = recordingTool();
  await withCommands({ BeforeTool: [before], PermissionRequest: [allows] }, async ({ client }) => {
    expect((await executeToolWithHooks(client, { ...call, ...tool, ...approval })).status).toBe('blocked');
  });
  expect(tool.calls).toEqual([]);
});

test('a deny blocks, with its reason, and the user is not asked', async () => {
  const [tool, { questions, ask }] = [recordingTool(), user()];
  await withCommands({ PermissionRequest: [allows, says({ ...deny('not there'), systemMessage: 'refused' })] }, async ({ client }) => {
    const outcome = await executeToolWithHooks(client, { ...call, ...tool, ask });
    expect(outcome).toMatchObject({
      status: 'blocked',
      reason: 'not there',
      result: { llmContent: 'not there' },
      systemMessages: ['refused'],
      permission: { verdict: { kind: 'deny' } },
    });
    expect(outcome).not.toHaveProperty('before');
  });
  expect([questions, tool.calls]).toEqual([[], []]);
});

test('a stop ends the loop before the tool', async () => {
  const [tool, { questions, ask }] = [recordingTool(), user()];
  await withCommands({ PermissionRequest: [says({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
    const outcome = await executeToolWithHooks(client, { ...call, ...tool, ask });
    expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'enough' });
    expect(outcome.result.llmContent).toContain('enough');
  });
  expect([questions, tool.calls]).toEqual([[], []]);
});

test.each([
  ['silence', 'true'],
  ['text', 'echo fine'],
  ['a failure', 'exit 1'],
  ['an ask', says({ decision: 'ask', reason: 'look twice' })],
])('%s: the user is asked as before', async (_, hook) => {
  const { questions, ask } = user('deny');
  await withCommands({ PermissionRequest: [hook] }, async ({ client }) => {
    expect(await executeToolWithHooks(client, { ...call, ...recordingTool(), ask })).toMatchObject({ status: 'blocked' });
  });
  expect(questions).toHaveLength(1);
});

test('the question tells who asks: the hooks of both events', async () => {
  const asks = (reason: string) => says({ decision: 'ask', reason });
  const { questions, ask } = user();
  await withCommands({ BeforeTool: [asks('first')], PermissionRequest: [asks('second')] }, async ({ client }) => {
    await executeToolWithHooks(client, { ...call, ...recordingTool(), ask });
  });
  expect(questions).toMatchObject([
    { reason: 'first\nsecond', by: ['llxprt/settings/BeforeTool/0.0', 'llxprt/settings/PermissionRequest/0.0'] },
  ]);
});

describe('what its hooks rewrite', () => {
  test('the user is asked about it, and the tool gets it', async () => {
    const [tool, { questions, ask }] = [recordingTool(), user()];
    await withCommands({ PermissionRequest: [writes({ path: 'c.txt' })], AfterTool: ['cat > after.json'] }, async (scene) => {
      const outcome = await executeToolWithHooks(scene.client, { ...call, ...tool, ask });
      expect(outcome.input).toEqual({ path: 'c.txt', text: 'hello' });
      expect(JSON.parse(scene.read('after.json') ?? '{}').tool_input).toEqual({ path: 'c.txt', text: 'hello' });
    });
    expect(questions[0]?.input).toEqual({ path: 'c.txt', text: 'hello' });
    expect(tool.calls).toEqual([{ path: 'c.txt', text: 'hello' }]);
  });

  test('updatedInput takes the place of the input as a whole', async () => {
    const tool = recordingTool();
    const hook = () => ({ decision: 'allow' as const, ...specific({ updatedInput: { path: 'd.txt' } }) });
    await withFunctions({ PermissionRequest: [hook] }, async ({ client }) => {
      await executeToolWithHooks(client, { ...call, ...tool });
    });
    expect(tool.calls).toEqual([{ path: 'd.txt' }]);
  });

  test('it has to fit the schema, and the hook is named where it does not', async () => {
    const [tool, { questions, ask }] = [recordingTool(), user()];
    const schema = z.object({ path: z.string() });
    await withCommands({ PermissionRequest: [writes({ path: 7 })] }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, ...tool, schema, ask });
      expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('llxprt/settings/PermissionRequest/0.0') });
    });
    expect([questions, tool.calls]).toEqual([[], []]);
  });
});

test('an event that was not finished allows nothing, and the user is not asked in place of its guards', async () => {
  const { questions, ask } = user('deny');
  const hang = () => new Promise<never>(() => {});
  await withFunctions(
    { PermissionRequest: [() => ({ decision: 'allow' as const }), hang] },
    async ({ client }) => {
      expect(await executeToolWithHooks(client, { ...call, ...recordingTool(), ask })).toMatchObject({
        status: 'blocked',
        reason: expect.stringContaining('timeout'),
      });
    },
    { timeoutMs: 200 },
  );
  expect(questions).toEqual([]);
});

test('a call that is cancelled while its hooks are asked has failed', async () => {
  const controller = new AbortController();
  const tool = recordingTool();
  const aborts = () => {
    controller.abort();
    return {};
  };
  await withFunctions({ PermissionRequest: [aborts] }, async ({ client }) => {
    expect(await executeToolWithHooks(client, { ...call, ...tool, signal: controller.signal })).toMatchObject({ status: 'failed' });
  });
  expect(tool.calls).toEqual([]);
});

test('a service of an earlier version, which knows no such event, leaves the question to the user', async () => {
  const [tool, { questions, ask }] = [recordingTool(), user()];
  const bus = new MessageBus();
  bus.respond('HOOK_EXECUTION_REQUEST', async ({ correlationId, eventName }) => ({
    correlationId,
    success: false,
    error: { code: 'unsupported_event', message: `There is no event "${eventName}".` },
  }));
  const client = createHookClient({ bus, has: (eventName) => eventName === 'PermissionRequest' }, { onUnavailable: 'deny' });
  const outcome = await executeToolWithHooks(client, { ...call, ...tool, ask });
  expect(outcome.status).toBe('executed');
  expect(questions).toHaveLength(1);
  await bus.close();
});
