import { compressWithHooks, endSessionWithHooks, executeToolWithHooks, notifyWithHooks, startSessionWithHooks } from '@tenterhook/agent';
import { createEnvFile } from 'tenterhook';
import { recordingTool } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import { groupOf, hooksOf, seen, specific, withClaude } from './claude-hooks.js';

const call = { name: 'run_shell_command', input: { command: 'npm test' } };
const answers = (decision: Record<string, unknown>) => specific('PermissionRequest', { decision });

test('claude §4 agent: a PermissionRequest hook answers in the place of the user', async () => {
  await withClaude(hooksOf('PermissionRequest', answers({ behavior: 'allow' }), { matcher: 'Bash' }), async ({ client }) => {
    const tool = recordingTool();
    const ask = () => {
      throw new Error('nobody should be asked');
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

test('claude §4 agent: where nobody would be asked it is not fired, and exit 2 of it has no effect', async () => {
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

test('claude §4 agent: PreCompact comes before the compression, and PostCompact is told its summary', async () => {
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
