import { copilot } from '@tenterhook/dialects';
import { outcomeAt, says } from '../../support/fire-hooks.js';
import { withPlaces } from '../../support/places.js';
import {
  after,
  deeds,
  failed,
  fire,
  hooksOf,
  type Moment,
  mcp,
  prompt,
  seen,
  settingsWith,
  shell,
  specificOf,
  start,
  stop,
  warningsOf,
  withCopilot,
  write,
} from './copilot-hooks.js';

/** Returns what a hook of this key reads. */
async function stdinOf([eventName, input]: Moment, key: string, options: object = {}): Promise<Record<string, unknown>> {
  return withCopilot(
    hooksOf(key, 'cat > seen.json'),
    async (scene) => {
      await scene.handler.fire(eventName, input);
      return seen(scene);
    },
    { copilot: options },
  );
}

test('15. the spelling of the key decides which of the two forms a hook reads', async () => {
  expect(await stdinOf(shell, 'preToolUse')).toEqual({
    sessionId: 's1',
    timestamp: expect.any(Number),
    cwd: expect.any(String),
    toolName: 'bash',
    toolArgs: { command: 'npm test' },
  });
  expect(await stdinOf(shell, 'PreToolUse')).toEqual({
    hook_event_name: 'PreToolUse',
    session_id: 's1',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    cwd: expect.any(String),
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
  });
});

test.each<[key: string, moment: Moment, fields: object]>([
  ['postToolUse', after, { toolName: 'bash', toolResult: { resultType: 'success', textResultForLlm: 'ok' } }],
  ['PostToolUse', after, { tool_name: 'Bash', tool_result: { result_type: 'success', text_result_for_llm: 'ok' } }],
  ['postToolUseFailure', failed, { toolName: 'bash', error: 'broken' }],
  ['PostToolUseFailure', failed, { tool_name: 'Bash', error: 'broken' }],
  ['preMcpToolCall', mcp, { serverName: 'gh', toolName: 'search', arguments: { q: 'x' }, _meta: {} }],
  ['userPromptSubmitted', prompt, { prompt: 'fix it' }],
  ['UserPromptSubmit', prompt, { prompt: 'fix it', hook_event_name: 'UserPromptSubmit' }],
  ['agentStop', stop, { stopReason: 'end_turn', stop_hook_active: false }],
  ['Stop', stop, { stop_reason: 'end_turn', stop_hook_active: false }],
  ['sessionStart', start, { source: 'startup' }],
  ['SessionStart', ['SessionStart', { source: 'compress' }], { source: 'new' }],
  ['sessionEnd', ['SessionEnd', { reason: 'exit' }], { reason: 'user_exit' }],
  ['SessionEnd', ['SessionEnd', { reason: 'logout' }], { reason: 'complete' }],
  ['preCompact', ['PreCompress', { trigger: 'auto' }], { trigger: 'auto', customInstructions: '' }],
  ['PreCompact', ['PreCompress', { trigger: 'auto' }], { trigger: 'auto', custom_instructions: '' }],
  [
    'Notification',
    ['Notification', { notification_type: 'ToolPermission', message: 'm', details: {} }],
    { sessionId: 's1', hook_event_name: 'Notification', message: 'm', notification_type: 'permission_prompt' },
  ],
  ['PermissionRequest', ['PermissionRequest', shell[1]], { sessionId: 's1', toolName: 'bash', toolInput: { command: 'npm test' } }],
  ['subagentStart', ['SubagentStart', { agent_type: 'explore' }], { agentName: 'explore' }],
  [
    'subagentStop',
    ['SubagentStop', { agent_type: 'explore', agent_id: 'a1', last_assistant_message: 'x' }],
    { agentName: 'explore', agentId: 'a1', response: 'x' },
  ],
  [
    'SubagentStop',
    ['SubagentStop', { agent_type: 'explore', agent_id: 'a1', last_assistant_message: 'x' }],
    { agent_name: 'explore', agent_id: 'a1', last_assistant_message: 'x' },
  ],
  ['userPromptTransformed', ['UserPromptTransformed', { prompt: 'p', transformed_prompt: 'q' }], { prompt: 'p', transformedPrompt: 'q' }],
  [
    'errorOccurred',
    ['ErrorOccurred', { error: { message: 'm', name: 'E' }, error_context: 'system', recoverable: false }],
    { error: { message: 'm', name: 'E' }, errorContext: 'system', recoverable: false },
  ],
  ['postResult', ['PostResult', {}], { sessionId: 's1' }],
  ['prePRDescription', ['PrePRDescription', {}], { sessionId: 's1' }],
])('the stdin of %s has the fields of Copilot', async (key, moment, fields) => {
  expect(await stdinOf(moment, key)).toMatchObject(fields);
});

test('16. a file with both spellings runs its hooks twice for one call', async () => {
  await withCopilot({ ...hooksOf('preToolUse', 'true'), ...hooksOf('PreToolUse', 'true') }, async ({ handler }) => {
    expect(deeds(await handler.fire(...shell))).toEqual(['succeeded', 'succeeded']);
  });
});

const powershell: Moment = ['BeforeTool', { tool_name: 'powershell', tool_input: { command: 'ls' } }];

test.each<[key: string, matcher: string, moment: Moment, runs: boolean]>([
  ['preToolUse', 'bash', shell, true],
  ['preToolUse', 'ba', shell, false],
  ['preToolUse', 'Bash', shell, false],
  ['preToolUse', 'bash|edit', shell, true],
  ['preToolUse', 'bash', powershell, false],
  ['preToolUse', 'powershell', powershell, true],
  ['preToolUse', 'powershell', shell, true],
  ['PreToolUse', 'powershell', shell, true],
  ['preToolUse', 'bash', write, false],
  ['preToolUse', 'mcp_gh_.*', mcp, true],
  ['preToolUse', 'str_replace_editor', ['BeforeTool', { tool_name: 'replace', tool_input: {} }], true],
  ['PreToolUse', 'Bash', shell, true],
  ['PreToolUse', 'Bash', powershell, true],
  ['PreToolUse', 'bash', shell, true],
  ['PreToolUse', 'Bas', shell, false],
  ['PreToolUse', 'Edit|Write', write, true],
  ['PreToolUse', 'Wr.*', write, true],
  ['PreToolUse', 'cr.*', write, false],
  ['PreToolUse', '**', write, true],
  ['PreToolUse', 'Task', ['BeforeTool', { tool_name: 'invoke_agent', tool_input: {} }], true],
  ['preMcpToolCall', 'mcp_gh_search', mcp, true],
])('17. the matcher of %s: %s', async (key, matcher, moment, runs) => {
  const result = await fire(moment, key, { command: 'true', matcher });
  expect([key, matcher, deeds(result)]).toEqual([key, matcher, [runs ? 'succeeded' : 'skipped: matcher']]);
});

test('17. a guard of Bash reads this name for PowerShell too', async () => {
  expect(await stdinOf(powershell, 'PreToolUse')).toMatchObject({ tool_name: 'Bash' });
  expect(await stdinOf(powershell, 'preToolUse')).toMatchObject({ toolName: 'powershell' });
});

test('36. a write under a Pascal key has the name of Claude Code, and the keys of Copilot', async () => {
  expect(await stdinOf(write, 'PreToolUse')).toMatchObject({ tool_name: 'Write', tool_input: { path: '/srv/a.txt', file_text: 'x' } });
  expect(await stdinOf(write, 'preToolUse')).toMatchObject({ toolName: 'create', toolArgs: { path: '/srv/a.txt', file_text: 'x' } });
});

test('a hook writes arguments under the keys of Copilot, and the tool gets its own', async () => {
  const answer = says({ modifiedArgs: { path: '/srv/b.txt', file_text: 'y' } });
  expect(specificOf(await fire(write, 'preToolUse', answer))).toMatchObject({ tool_input: { file_path: '/srv/b.txt', content: 'y' } });
});

test('the result decides which of the two events after a tool fires, and a tool of no server fires no event of MCP', async () => {
  const hooks = { ...hooksOf('postToolUse', 'true'), ...hooksOf('postToolUseFailure', 'true'), ...hooksOf('preMcpToolCall', 'true') };
  await withCopilot(hooks, async ({ handler }) => {
    expect(deeds(await handler.fire(...after))).toEqual(['succeeded', 'skipped: condition']);
    expect(deeds(await handler.fire(...failed))).toEqual(['skipped: condition', 'succeeded']);
    expect(deeds(await handler.fire(...shell))).toEqual(['skipped: condition']);
  });
});

test.each<[key: string, matcher: string, moment: Moment, runs: boolean]>([
  ['preCompact', 'auto', ['PreCompress', { trigger: 'auto' }], true],
  ['preCompact', 'man', ['PreCompress', { trigger: 'manual' }], false],
  ['notification', 'permission_prompt', ['Notification', { notification_type: 'ToolPermission', message: 'm', details: {} }], true],
  ['subagentStop', 'explore', ['SubagentStop', { agent_type: 'explore' }], true],
])('the matcher of %s is compared with the whole value: %s', async (key, matcher, moment, runs) => {
  expect(deeds(await fire(moment, key, { command: 'true', matcher }))).toEqual([runs ? 'succeeded' : 'skipped: matcher']);
});

test('26. context of two sessionStart hooks is joined by a blank line, and text is nothing', async () => {
  const said = (text: string) => says({ additionalContext: text });
  expect(specificOf(await fire(start, 'sessionStart', [said('one'), said('two'), 'echo text']))['additionalContext']).toBe('one\n\ntwo');
});

test('34. VS Code ignores matchers, and its hooks read fields of both forms', async () => {
  const vscode = { product: 'vscode' } as const;
  expect(deeds(await fire(write, 'PreToolUse', { command: 'true', matcher: 'Bash' }, vscode))).toEqual(['succeeded']);
  const before = await stdinOf(shell, 'PreToolUse', vscode);
  expect(before).toMatchObject({
    sessionId: 's1',
    session_id: 's1',
    hookEventName: 'PreToolUse',
    hook_event_name: 'PreToolUse',
    transcript_path: '',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_use_id: expect.any(String),
  });
  expect(await stdinOf(after, 'PostToolUse', vscode)).toMatchObject({ tool_response: 'ok', tool_use_id: before['tool_use_id'] });
});

test('hooks receive the variables of Copilot, and their own last', async () => {
  await withPlaces(async (places) => {
    const shown = ['COPILOT_CLI', 'COPILOT_PROJECT_DIR', 'CLAUDE_PROJECT_DIR', 'COPILOT_HOOK_DIR', 'TRACEPARENT', 'L', 'P'];
    const command = `printf '%s\\n' ${shown.map((name) => `"$${name}"`).join(' ')} > shown.txt`;
    const entry = { command, env: { L: '1', P: '{{project_dir}}/x' } };
    places.write('project/.github/hooks/a.json', settingsWith(hooksOf('preToolUse', entry)));
    places.write('project/src/x', '');
    await places.discover(
      async ({ handler }) => {
        const result = await handler.fire(shell[0], { ...shell[1], cwd: places.at('project/src'), traceparent: '00-1-2-01' });
        expect(warningsOf(outcomeAt(result, 0))).toBe('');
        const { project } = places;
        const lines = ['1', project, project, `${project}/.github/hooks`, '00-1-2-01', '1', `${project}/x`];
        // Hooks start in the project, wherever the agent works.
        expect(places.read('project/shown.txt')).toBe(`${lines.join('\n')}\n`);
      },
      { dialects: [copilot({ managedFolder: places.at('etc') })] },
    );
  });
});
