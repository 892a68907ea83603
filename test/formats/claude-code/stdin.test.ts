import { executeToolWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../../support/agent.js';
import { groupOf, hooksOf, type Moment, seen, withClaude } from './claude-hooks.js';
import { hostMoments, moment } from './moments.js';

/** Events that Claude Code passes without `permission_mode`. */
const withoutMode: readonly string[] = ['SessionStart', 'SessionEnd', 'Notification', 'PreCompact', 'PostCompact', 'ConfigChange', 'Setup'];

/** Returns what the only hook of an event receives, without the fields that every hook receives. These are compared here. */
async function givenTo([event, eventName, input]: Moment): Promise<Record<string, unknown>> {
  return withClaude(hooksOf(event, 'cat > seen.json'), async (scene) => {
    await scene.handler.fire(eventName, input);
    const { session_id, transcript_path, cwd, permission_mode, hook_event_name, ...rest } = seen(scene);
    expect({ session_id, transcript_path, cwd, permission_mode, hook_event_name }).toEqual({
      session_id: 's1',
      transcript_path: '',
      cwd: scene.projectDir,
      permission_mode: withoutMode.includes(event) ? undefined : 'default',
      hook_event_name: event,
    });
    return rest;
  });
}

const id = expect.stringMatching(/^\S+$/);

test('claude §4 stdin: the call of README §10, to the letter', async () => {
  await withClaude(hooksOf('PreToolUse', 'cat > seen.json'), async ({ handler, projectDir, read }) => {
    await handler.fire('BeforeTool', {
      transcript_path: '/srv/t.jsonl',
      tool_name: 'run_shell_command',
      tool_input: { command: 'npm test', description: 'run tests' },
      tool_use_id: 't1',
    });
    const expected = {
      session_id: 's1',
      transcript_path: '/srv/t.jsonl',
      cwd: projectDir,
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'npm test', description: 'run tests' },
      tool_use_id: 't1',
    };
    expect(read('seen.json')?.trim()).toBe(JSON.stringify(expected));
  });
});

test('claude §4 stdin: it is one JSON object, then the end of the file', async () => {
  await withClaude(hooksOf('Stop', 'cat > seen.json; echo end >> ended'), async (scene) => {
    await scene.handler.fireAfterAgentEvent('p', 'r');
    expect(scene.read('ended')).toBe('end\n');
    expect(scene.read('seen.json')?.trim().split('\n')).toHaveLength(1);
  });
});

test('claude §4 stdin: PreToolUse', async () => {
  expect(await givenTo(moment('PreToolUse'))).toEqual({ tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: id });
});

test('claude §4 stdin: PostToolUse', async () => {
  const [, , own] = moment('PostToolUse');
  const tool_response = { llmContent: [{ text: 'ok' }], returnDisplay: 'ok', exit_code: 0 };
  expect(await givenTo(['PostToolUse', 'AfterTool', { ...own, tool_response, tool_use_id: 't1', duration_ms: 12 }])).toEqual({
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_response: { ...tool_response, stdout: 'ok', stderr: '', interrupted: false, isImage: false, exitCode: 0 },
    tool_use_id: 't1',
    duration_ms: 12,
  });
});

test.each([
  ['a message', { message: 'no such file' }, 'no such file', 'no such file'],
  ['a text', 'no such file', undefined, 'no such file'],
  ['a part of the output', 'no such file', 'cat: no such file', 'cat: no such file'],
  ['more than the output', 'cat: no such file', 'no such file', 'cat: no such file'],
  ['beside the output', { message: 'exit code 1' }, '1 test failed', 'exit code 1\n1 test failed'],
  ['beside an output in parts', 'exit code 1', [{ text: 'FAIL a' }, { text: 'FAIL b' }], 'exit code 1\nFAIL a\nFAIL b'],
  ['beside an output without text', 'exit code 1', { failed: 2 }, 'exit code 1\n{"failed":2}'],
])('claude §4 stdin: PostToolUseFailure, where the error is %s', async (_, error, llmContent, reported) => {
  const [, , own] = moment('PostToolUseFailure');
  const input = { ...own, tool_response: { llmContent, error }, tool_use_id: 't1', duration_ms: 12 };
  expect(await givenTo(['PostToolUseFailure', 'AfterTool', input])).toEqual({
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_use_id: 't1',
    error: reported,
    duration_ms: 12,
  });
});

test('claude §4 stdin: UserPromptSubmit', async () => {
  expect(await givenTo(moment('UserPromptSubmit'))).toEqual({ prompt: 'fix it' });
});

test('claude §4 stdin: Stop', async () => {
  expect(await givenTo(moment('Stop'))).toEqual({ stop_hook_active: false, last_assistant_message: 'done' });
});

test.each([
  ['startup', 'startup'],
  ['resume', 'resume'],
  ['clear', 'clear'],
  ['compress', 'compact'],
  ['fork', 'fork'],
])('claude §4 stdin: SessionStart, whose source %s is %s', async (source, reported) => {
  expect(await givenTo(['SessionStart', 'SessionStart', { source }])).toEqual({ source: reported });
});

test('claude §4 stdin: the model that a session begins with', async () => {
  const given = await givenTo(['SessionStart', 'SessionStart', { source: 'startup', model_name: 'm-1', model_provider: 'x' }]);
  expect(given).toEqual({ source: 'startup', model: 'm-1' });
});

test.each([
  ['exit', 'other'],
  ['clear', 'clear'],
  ['resume', 'resume'],
  ['logout', 'logout'],
  ['prompt_input_exit', 'prompt_input_exit'],
  ['other', 'other'],
])('claude §4 stdin: SessionEnd, whose reason %s is %s', async (reason, reported) => {
  expect(await givenTo(['SessionEnd', 'SessionEnd', { reason, total_tokens: 7 }])).toEqual({ reason: reported });
});

test('claude §4 stdin: PreCompact', async () => {
  expect(await givenTo(moment('PreCompact'))).toEqual({ trigger: 'auto', custom_instructions: '' });
  const said = ['PreCompact', 'PreCompress', { trigger: 'manual', custom_instructions: 'keep names' }] as const;
  expect(await givenTo(said)).toEqual({ trigger: 'manual', custom_instructions: 'keep names' });
});

test('claude §4 stdin: Notification', async () => {
  expect(await givenTo(moment('Notification'))).toEqual({ message: 'May I?', notification_type: 'permission_prompt' });
  const idle = ['Notification', 'Notification', { notification_type: 'idle_prompt', message: 'm', title: 't', details: { a: 1 } }] as const;
  expect(await givenTo(idle)).toEqual({ message: 'm', title: 't', notification_type: 'idle_prompt' });
});

test.each(hostMoments)('claude §4 stdin: %s, whose fields are those that the host publishes', async (...each) => {
  expect(await givenTo(each)).toEqual(each[2]);
});

test('claude §4 stdin: the tool of a permission prompt has the name and the keys of the product, and no id', async () => {
  const input = { tool_name: 'replace', tool_input: { absolute_path: '/srv/a.ts', old_string: 'a', new_string: 'b' } };
  expect(await givenTo(['PermissionRequest', 'PermissionRequest', input])).toEqual({
    tool_name: 'Edit',
    tool_input: { file_path: '/srv/a.ts', old_string: 'a', new_string: 'b' },
  });
});

test.each(withoutMode)('claude §4 stdin: %s has a permission_mode only if its event has one', async (event) => {
  const [, eventName, input] = moment(event);
  await withClaude(hooksOf(event, 'cat > seen.json'), async (scene) => {
    await scene.handler.fire(eventName, input);
    expect(seen(scene)).not.toHaveProperty('permission_mode');
    await scene.handler.fire(eventName, { ...input, permission_mode: 'plan' });
    expect(seen(scene)).toMatchObject({ permission_mode: 'plan' });
    await scene.handler.fire(eventName, { ...input, permission_mode: 7 });
    expect(seen(scene)).not.toHaveProperty('permission_mode');
  });
});

test('claude §4 stdin: what the host adds to every event passes, and a mode that is not a text is the default', async () => {
  const more = { prompt_id: 'p1', effort: { level: 'high' }, agent_id: 'a1', agent_type: 'reviewer' };
  await withClaude(hooksOf('UserPromptSubmit', 'cat > seen.json'), async (scene) => {
    await scene.handler.fire('BeforeAgent', { prompt: 'p', permission_mode: 'plan', ...more });
    expect(seen(scene)).toMatchObject({ ...more, permission_mode: 'plan' });
    await scene.handler.fire('BeforeAgent', { prompt: 'p', permission_mode: 7 });
    expect(seen(scene)).toMatchObject({ permission_mode: 'default' });
  });
});

test.each<[Moment, Record<string, unknown>]>([
  [moment('UserPromptSubmit'), { source: 'loop_wakeup', session_title: 't' }],
  [moment('Stop'), { background_tasks: [], session_crons: [] }],
  [moment('PostToolUseFailure'), { is_interrupt: true }],
  [moment('SessionStart'), { agent_type: 'reviewer', session_title: 't', seconds_since_last_response: 3, context_tokens: 10 }],
])('claude §4 stdin: optional fields that the host publishes pass: %j %j', async ([event, eventName, input], more) => {
  await withClaude(hooksOf(event, 'cat > seen.json'), async (scene) => {
    await scene.handler.fire(eventName, { ...input, ...more });
    expect(seen(scene)).toMatchObject(more);
  });
});

test('claude §4 stdin: a hook does not get the fields of other formats', async () => {
  const input = { prompt: 'fix it', prompt_response: 'done', stop_hook_active: false, recent_tools: ['x'], approval: 'ask' };
  const given = await givenTo(['Stop', 'AfterAgent', input]);
  expect(given).toEqual({ stop_hook_active: false, last_assistant_message: 'done' });
});

test('claude §4 stdin: a tool call has one id, the same before and after the tool, and another call has another', async () => {
  const hooks = {
    PreToolUse: [groupOf('cat >> before.jsonl; echo >> before.jsonl')],
    PostToolUse: [groupOf('cat >> after.jsonl; echo >> after.jsonl')],
  };
  await withClaude(hooks, async ({ client, read }) => {
    for (const command of ['ls', 'ls']) {
      await executeToolWithHooks(client, { name: 'run_shell_command', input: { command }, ...recordingTool() });
    }
    const idsIn = (file: string) =>
      (read(file) ?? '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).tool_use_id);
    const ids = idsIn('before.jsonl');
    expect(ids).toEqual([id, id]);
    expect(idsIn('after.jsonl')).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
  });
});

test('claude §4 stdin: where the host publishes no id, the events of one call have the same', async () => {
  const hooks = { PreToolUse: [groupOf('cat > before.json')], PostToolUse: [groupOf('cat > after.json')] };
  await withClaude(hooks, async (scene) => {
    await scene.handler.fireBeforeToolEvent('read_file', { path: 'a.txt' });
    await scene.handler.fireAfterToolEvent('read_file', { path: 'a.txt' }, { llmContent: 'x' });
    const before = seen(scene, 'before.json')['tool_use_id'];
    expect(before).toEqual(id);
    expect(seen(scene, 'after.json')['tool_use_id']).toBe(before);
  });
});
