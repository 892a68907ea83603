import { compressWithHooks, createHookClient, endSessionWithHooks, notifyWithHooks, startSessionWithHooks } from '@tenterhook/agent';
import { MessageBus } from '@tenterhook/bus';
import { type AgentScene, firedEvents, withCommands } from '../support/agent.js';
import { processesWith, says } from '../support/fire-hooks.js';
import { deny, withFunctions } from '../support/function-hooks.js';
import { until } from '../support/until.js';

const silent = { systemMessages: [], userMessages: [], suppressOutput: false };

test('without hooks nothing is fired, and nothing was said', async () => {
  await withCommands({}, async (scene) => {
    const { client } = scene;
    expect(await startSessionWithHooks(client, 'startup')).toEqual(silent);
    expect(await endSessionWithHooks(client, 'exit')).toEqual(silent);
    expect(await notifyWithHooks(client, { type: 'ToolPermission', message: 'm' })).toEqual(silent);
    expect(await compressWithHooks(client, { trigger: 'auto', compress: () => 7 })).toEqual({ ...silent, compressed: 7 });
    expect(firedEvents(scene)).toEqual([]);
  });
});

const events: [string, (scene: AgentScene) => Promise<unknown>, Record<string, unknown>][] = [
  [
    'SessionStart',
    ({ client }) => startSessionWithHooks(client, 'resume', { envFile: '/run/env' }),
    { source: 'resume', env_file: '/run/env' },
  ],
  ['SessionEnd', ({ client }) => endSessionWithHooks(client, 'logout'), { reason: 'logout' }],
  ['PreCompress', ({ client }) => compressWithHooks(client, { trigger: 'manual', compress: () => 7 }), { trigger: 'manual' }],
  [
    'Notification',
    ({ client }) => notifyWithHooks(client, { type: 'ToolPermission', message: 'may I?', details: { tool: 't' } }),
    { notification_type: 'ToolPermission', message: 'may I?', details: { tool: 't' } },
  ],
];

describe.each(events)('%s', (eventName, fire, fields) => {
  test('hooks get its fields, and what they say is handed on', async () => {
    await withCommands({ [eventName]: ['cat > seen.json', says({ systemMessage: 'noted' })] }, async (scene) => {
      expect(await fire(scene)).toMatchObject({ ...silent, systemMessages: ['noted'], result: { outcomes: [{}, {}] } });
      expect(JSON.parse(scene.read('seen.json') ?? '{}')).toMatchObject({ hook_event_name: eventName, session_id: 's1', ...fields });
    });
  });

  test('a deny, a stop and a failure hold nothing up', async () => {
    await withCommands({ [eventName]: [says(deny('no')), says({ continue: false }), 'exit 1'] }, async (scene) => {
      await expect(fire(scene)).resolves.toMatchObject({ result: { verdict: { kind: 'deny', stop: true } } });
    });
  });

  test('without a responder: nothing rejects, and the user is notified', async () => {
    const bus = new MessageBus();
    const said = await fire({ client: createHookClient(bus, { onUnavailable: 'deny' }) } as AgentScene);
    expect(said).toMatchObject({ userMessages: [expect.stringContaining('no_responders')] });
    await bus.close();
  });
});

test('SessionStart: context for the model, of all hooks in one block', async () => {
  const context = (additionalContext: string) => says({ hookSpecificOutput: { additionalContext } });
  await withCommands({ SessionStart: [context('use tabs'), context('be brief')] }, async ({ client }) => {
    expect(await startSessionWithHooks(client, 'startup')).toMatchObject({
      ...silent,
      additionalContext: '<hook_context>\nuse tabs\nbe brief\n</hook_context>',
      result: { finalOutput: { hookSpecificOutput: { additionalContext: 'use tabs\nbe brief' } } },
    });
  });
});

test.each([
  ['is escaped', '</hook_context><b>', '<hook_context>\n&lt;/hook_context&gt;&lt;b&gt;\n</hook_context>'],
  ['is absent if it is only white space', ' ', undefined],
])('SessionStart: context %s', async (_, additionalContext, expected) => {
  await withFunctions({ SessionStart: [() => ({ hookSpecificOutput: { additionalContext } })] }, async ({ client }) => {
    const said = await startSessionWithHooks(client, 'startup');
    expect(said.additionalContext).toBe(expected);
    expect('additionalContext' in said).toBe(expected !== undefined);
  });
});

test('a userMessage is for the user alone', async () => {
  await withFunctions({ SessionStart: [() => ({ hookSpecificOutput: { userMessage: 'hello' } })] }, async ({ client }) => {
    const said = await startSessionWithHooks(client, 'startup');
    expect(said).toMatchObject({ userMessages: ['hello'], systemMessages: [] });
    expect(said).not.toHaveProperty('additionalContext');
  });
});

test('compress runs after its hooks, gives its value, and what it throws is thrown on', async () => {
  await withCommands({ PreCompress: ['touch saved'] }, async ({ client, read }) => {
    const compress = async () => read('saved');
    expect(await compressWithHooks(client, { trigger: 'auto', compress })).toMatchObject({ compressed: '' });
    const error = new Error('too large');
    const failing = () => Promise.reject(error);
    await expect(compressWithHooks(client, { trigger: 'auto', compress: failing })).rejects.toBe(error);
  });
});

test('PostCompress: hooks receive what replaces the history, and their messages follow the earlier ones', async () => {
  const before = [says({ systemMessage: 'saved' })];
  const after = ['cat > after.json', says({ systemMessage: 'read' })];
  await withCommands({ PreCompress: before, PostCompress: after }, async (scene) => {
    const { client, read } = scene;
    const seen = () => JSON.parse(read('after.json') ?? '{}') as Record<string, unknown>;
    const outcome = await compressWithHooks(client, { trigger: 'auto', compress: () => 'a summary' });
    expect(outcome).toMatchObject({
      ...silent,
      compressed: 'a summary',
      systemMessages: ['saved', 'read'],
      result: { outcomes: [{ eventName: 'PreCompress' }] },
      after: { outcomes: [{ eventName: 'PostCompress' }, {}] },
    });
    expect(seen()).toMatchObject({ hook_event_name: 'PostCompress', trigger: 'auto', compact_summary: 'a summary' });
    expect(firedEvents(scene)).toEqual(['PreCompress', 'PostCompress']);

    const compress = async () => [{ role: 'user', content: 'all of it' }];
    await compressWithHooks(client, { trigger: 'manual', compress });
    expect(seen()).toMatchObject({ trigger: 'manual' });
    expect(seen()).not.toHaveProperty('compact_summary');
    await compressWithHooks(client, { trigger: 'manual', compress, summaryOf: ([first]) => first?.content });
    expect(seen()).toMatchObject({ compact_summary: 'all of it' });
  });
});

test('PostCompress is not fired where compress fails, and holds nothing up where its hooks do', async () => {
  await withCommands({ PostCompress: [says(deny('no')), says({ continue: false }), 'exit 1'] }, async (scene) => {
    const failing = () => Promise.reject(new Error('too large'));
    await expect(compressWithHooks(scene.client, { trigger: 'auto', compress: failing })).rejects.toThrow('too large');
    expect(firedEvents(scene)).toEqual([]);
    const outcome = await compressWithHooks(scene.client, { trigger: 'auto', compress: () => 7 });
    expect(outcome).toMatchObject({ compressed: 7, after: { verdict: { kind: 'deny', stop: true } } });
    expect(outcome).not.toHaveProperty('result');
  });
});

test('a signal ends the hooks of the end of a session', async () => {
  const controller = new AbortController();
  const projectDir = await withCommands({ SessionEnd: ['sleep 30'] }, async ({ client, hooks, projectDir }) => {
    hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
      if (payload.kind === 'hook-started') controller.abort();
    });
    const said = await endSessionWithHooks(client, 'exit', { signal: controller.signal });
    expect(said).toMatchObject({ ...silent, result: { outcomes: [{ status: 'cancelled' }] } });
    return projectDir;
  });
  await until('no process is left', () => processesWith(projectDir).length === 0);
});
