import { execFileSync } from 'node:child_process';
import { runAgentTurnWithHooks } from '@tenterhook/agent';
import { withEnvironment } from '../../support/environment.js';
import { until } from '../../support/until.js';
import { command, deeds, fireClaude, hooksOf, preToolUse, seen, specific, specificOf, withClaude } from './claude-hooks.js';
import { moment } from './moments.js';

/** Rules of the public reference that no other test of this folder is about. `reference.json` lists all rules, each with its test. */

/** Fields that Claude Code sends only at times, by event. */
const optional: readonly [event: string, fields: Readonly<Record<string, unknown>>][] = [
  ['PreToolUse', { mcp_server: { name: 'gh' }, prompt_id: 'p1', effort: { level: 'high' }, agent_id: 'a1', agent_type: 'Explore' }],
  ['PostToolUse', { mcp_server: { name: 'gh' }, duration_ms: 12 }],
  ['PostToolUseFailure', { is_interrupt: true, duration_ms: 12 }],
  ['UserPromptSubmit', { source: 'loop_wakeup', session_title: 't', scratchpad_dir: '/tmp/s' }],
  ['Stop', { background_tasks: [{ id: 'b1' }], session_crons: [{ id: 'c1' }] }],
  ['SessionStart', { model: 'large', agent_type: 'Plan', session_title: 't', seconds_since_last_response: 3, context_tokens: 10 }],
  ['SessionStart', { prompt_cache_likely_expired: true, estimated_cache_write_usd: 0.2 }],
  ['PreCompact', { custom_instructions: 'Keep names.' }],
  ['Notification', { title: 'Claude Code' }],
  ['PermissionRequest', { permission_suggestions: [{ type: 'setMode', mode: 'plan' }], mcp_server: { name: 'gh' } }],
  ['UserPromptExpansion', { command_source: 'plugin' }],
  ['SubagentStop', { background_tasks: [], session_crons: [], last_assistant_message: 'Done.' }],
  ['Elicitation', { mode: 'url', url: 'https://example.org/', elicitation_id: 'e1' }],
  ['InstructionsLoaded', { globs: ['*.ts'], trigger_file_path: '/srv/a.ts', parent_file_path: '/srv/CLAUDE.md' }],
];

test.each(optional)('a hook of %s reads these fields if the agent sends them: %j', async (event, fields) => {
  const [, eventName, input] = moment(event);
  await withClaude(hooksOf(event, 'cat > seen.json'), async (scene) => {
    await scene.handler.fire(eventName, { ...input, ...fields });
    expect(seen(scene)).toMatchObject(fields);
  });
});

test('variables of the environment that only the agent knows are those of the agent', async () => {
  const own = { CLAUDE_CODE_REMOTE: 'true', CLAUDE_CODE_BRIDGE_SESSION_ID: 'b-1' };
  await withEnvironment(own, () =>
    withClaude(preToolUse('printf %s "$CLAUDE_CODE_REMOTE $CLAUDE_CODE_BRIDGE_SESSION_ID" > variables'), async ({ handler, read }) => {
      await handler.fireBeforeToolEvent('run_shell_command', { command: 'ls' });
      expect(read('variables')).toBe('true b-1');
    }),
  );
});

test.each(['addRules', 'replaceRules', 'removeRules', 'setMode', 'addDirectories', 'removeDirectories'])(
  'the agent receives %s in updatedPermissions, with any destination',
  async (type) => {
    const updatedPermissions = ['session', 'localSettings', 'projectSettings', 'userSettings'].map((destination) => ({
      type,
      destination,
    }));
    const decision = { behavior: 'allow', updatedPermissions };
    const result = await fireClaude(moment('PermissionRequest'), specific('PermissionRequest', { decision }));
    expect(specificOf(result)['updatedPermissions']).toEqual(updatedPermissions);
  },
);

test.each(['SubagentStop', 'TaskCreated', 'TaskCompleted', 'TeammateIdle', 'PostToolBatch', 'UserPromptExpansion'])(
  'continue false stops the agent on %s, too',
  async (event) => {
    const result = await fireClaude(moment(event), `echo '{"continue":false,"stopReason":"Budget spent."}'`);
    expect(result.verdict).toMatchObject({ kind: 'none', stop: true, stopReason: 'Budget spent.' });
  },
);

test.each(['strictPluginOnlyCustomization', 'prependPlugins', 'appendPlugins'])('the policy %s is a note, and hooks run', async (key) => {
  const settings = { hooks: preToolUse('exit 2'), [key]: key === 'strictPluginOnlyCustomization' ? true : ['p'] };
  await withClaude(
    {},
    async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ severity: 'note', path: key }]);
      expect(deeds(await handler.fireBeforeToolEvent('run_shell_command', { command: 'ls' }))).toEqual(['blocked']);
    },
    { settings },
  );
});

test('asyncRewake is async: the agent does not wait, and the exit code 2 is in the message of its end', async () => {
  await withClaude(preToolUse(command('echo "Tests fail." >&2; exit 2', { asyncRewake: true })), async ({ handler, progress }) => {
    expect(deeds(await handler.fireBeforeToolEvent('run_shell_command', { command: 'ls' }))).toEqual(['detached']);
    const ended = () => progress.find((message) => message.kind === 'hook-finished' && message.late === true);
    await until('the hook has ended', () => ended() !== undefined);
    expect(ended()).toMatchObject({ outcome: { exitCode: 2, stderr: expect.stringContaining('Tests fail.') } });
  });
});

test('fields that only show something, or that have no effect here, cause no warning', async () => {
  const prompt = { type: 'prompt', prompt: 'Is this safe?', model: 'small', continueOnBlock: true, statusMessage: 'Asking' };
  const hooks = preToolUse([{ command: 'true', statusMessage: 'Checking', shell: 'bash' }, prompt]);
  await withClaude(
    {},
    async ({ hooks: system, handler }) => {
      expect(system.diagnostics).toEqual([]);
      expect(deeds(await handler.fireBeforeToolEvent('run_shell_command', { command: 'ls' }))).toEqual(['succeeded', 'succeeded']);
    },
    { settings: { hooks }, callbacks: { prompt: () => ({ ok: true }) } },
  );
});

test('the agent reads the statusMessage of a hook in the list of hooks', async () => {
  await withClaude(preToolUse(command('true', { statusMessage: 'Checking the command' })), async ({ hooks }) => {
    expect(hooks.list('BeforeTool')).toMatchObject([{ state: 'active', hook: { description: 'Checking the command' } }]);
  });
});

test('a hook has a session of its own, and therefore no terminal', async () => {
  const sessionOf = (pid: number) => execFileSync('ps', ['-o', 'sid=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  await withClaude(preToolUse('ps -o sid= -p $$ > session'), async ({ handler, read }) => {
    await handler.fireBeforeToolEvent('run_shell_command', { command: 'ls' });
    expect(read('session')?.trim()).toMatch(/^\d+$/);
    expect(read('session')?.trim()).not.toBe(sessionOf(process.pid));
  });
});

test('CLAUDE_CODE_STOP_HOOK_BLOCK_CAP changes nothing: eight blocks in a row are obeyed', async () => {
  await withEnvironment({ CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2' }, () =>
    withClaude(hooksOf('Stop', 'echo again >&2; exit 2'), async ({ client }) => {
      const turn = await runAgentTurnWithHooks(client, { prompt: 'p', respond: () => 'answer' });
      expect(turn).toMatchObject({ status: 'completed', turns: 9 });
    }),
  );
});
