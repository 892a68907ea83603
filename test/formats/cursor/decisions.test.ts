import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { executeToolWithHooks } from '@tenterhook/agent';
import { cursor } from '@tenterhook/dialects';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, processesWith, says, warningCodes } from '../../support/fire-hooks.js';
import { withPlaces } from '../../support/places.js';
import { until } from '../../support/until.js';
import {
  after,
  afterMcp,
  deeds,
  fire,
  hooksOf,
  mcp,
  prompt,
  read,
  seen,
  settingsWith,
  shell,
  specificOf,
  start,
  stop,
  warningsOf,
  withCursor,
  write,
} from './cursor-hooks.js';

const before = 'beforeShellExecution';

/** Calls a shell command with hooks, and returns the arguments that the tool received. */
async function calledWith(hooks: Readonly<Record<string, unknown>>) {
  return withCursor(hooks, async ({ client }) => {
    const tool = recordingTool();
    const result = await executeToolWithHooks(client, {
      name: 'run_shell_command',
      input: { command: 'npm test', description: 'd' },
      ...tool,
    });
    return { status: result.status, calls: tool.calls, result };
  });
}

test.each(['true', 'echo', 'echo "{}"'])('1. exit 0 without output is not an opinion: %s', async (command) => {
  const result = await fire(shell, before, command);
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  expect(outcomeAt(result, 0)).toMatchObject({ dialect: 'cursor', status: 'succeeded', warnings: [] });
});

test('2. a deny has the message for the agent as its reason, and the other message goes to the user', async () => {
  const result = await fire(shell, before, says({ permission: 'deny', agent_message: 'no', user_message: 'u' }));
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(outcomeAt(result, 0).output?.hookSpecificOutput).toEqual({ userMessage: 'u' });
  const short = await fire(shell, before, says({ permission: 'deny', user_message: 'u' }));
  expect(short.verdict).toMatchObject({ kind: 'deny', reason: 'u' });
});

test('3. exit 2 denies with stderr as its reason', async () => {
  expect((await fire(shell, before, 'echo no >&2; exit 2')).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect((await fire(shell, before, 'exit 2')).verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('exit code 2') });
});

test.each([
  ['exit 1', 'exit code 1'],
  ['no-such-command-here', 'no-such-command-here'],
])('4. %s is a failure, and with failClosed a deny that names the hook', async (command, cause) => {
  const open = await fire(shell, before, command);
  expect([deeds(open), open.verdict.kind]).toEqual([['failed'], 'none']);
  expect(warningsOf(outcomeAt(open, 0))).toContain(cause);
  const closed = await fire(shell, before, { command, failClosed: true });
  expect(closed.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('failClosed: true') });
});

test('4. the warning of a failure names the setting that blocks', async () => {
  expect(warningsOf(outcomeAt(await fire(shell, before, 'kill -KILL $$'), 0))).toContain('To block instead, set "failClosed": true.');
});

test.each([false, true])('5. a timeout is in seconds, and no process is left; failClosed: %s', async (failClosed) => {
  const mark = `cursor-timeout-${failClosed}`;
  const result = await fire(shell, before, { command: `MARK=${mark} sleep 9; echo x`, timeout: 1, failClosed });
  expect(deeds(result)).toEqual(['timed-out']);
  expect(result.verdict.kind).toBe(failClosed ? 'deny' : 'none');
  await until('the processes have ended', () => processesWith(mark).length === 0);
});

test('6. text denies on an event with a permission, because Cursor denies there', async () => {
  const result = await fire(shell, before, 'echo ok');
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('Print {} for no decision') });
});

test('7. a permission that does not exist denies, and a warning names the field', async () => {
  const result = await fire(shell, before, says({ permission: 'maybe' }));
  expect(result.verdict.kind).toBe('deny');
  expect(warningsOf(outcomeAt(result, 0))).toMatch(/^wrong_type: permission has an invalid value: "maybe"/);
  expect((await fire(shell, before, says({ permission: 'allow', user_message: 7 }))).verdict.kind).toBe('deny');
});

test('8. text after a tool is a failed run that blocks nothing', async () => {
  const result = await fire(after, 'postToolUse', 'echo ok');
  expect([deeds(result), result.verdict.kind]).toEqual([['failed'], 'none']);
  expect(warningsOf(outcomeAt(result, 0))).toContain('Print {} for no decision');
});

test('9. an ask asks the user on events of shell and MCP, and without a user it denies', async () => {
  const asks = says({ permission: 'ask', user_message: 'sure?' });
  expect((await fire(shell, before, asks)).verdict).toMatchObject({ kind: 'ask', reason: 'sure?' });
  expect((await fire(mcp, 'beforeMCPExecution', asks)).verdict.kind).toBe('ask');
  expect((await calledWith(hooksOf(before, asks))).status).toBe('blocked');
});

test.each([
  ['deny', 'deny'],
  ['ask', 'ask'],
  ['none', 'none'],
] as const)('10. an ask on preToolUse with the setting %s is %s, with a warning', async (ask, kind) => {
  const result = await fire(shell, 'preToolUse', says({ permission: 'ask', agent_message: 'sure?' }), { ask });
  expect(result.verdict.kind).toBe(kind);
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['unsupported_ask']);
});

test('10. without the setting an ask denies', async () => {
  expect((await fire(shell, 'preToolUse', says({ permission: 'ask' }))).verdict.kind).toBe('deny');
  expect((await fire(read, 'beforeReadFile', says({ permission: 'ask' }))).verdict.kind).toBe('deny');
});

test('11. the hooks of two events of one call give one verdict, and both are outcomes', async () => {
  const hooks = {
    ...hooksOf('preToolUse', says({ permission: 'allow' })),
    ...hooksOf(before, says({ permission: 'deny', agent_message: 'no' })),
  };
  await withCursor(hooks, async ({ handler, hooks: system }) => {
    const result = await handler.fire(...shell);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: ['cursor/settings/BeforeTool/beforeShellExecution.0'] });
    expect(deeds(result)).toEqual(['succeeded', 'blocked']);
    expect(system.explain('BeforeTool', shell[1]).hooks.map(({ stage }) => stage)).toEqual([1, 1]);
  });
});

test('12. a deny wins over an ask, and an ask over an allow', async () => {
  const said = (permission: string) => says({ permission });
  expect((await fire(shell, before, [said('deny'), said('ask')])).verdict.kind).toBe('deny');
  expect((await fire(shell, before, [said('ask'), said('allow')])).verdict.kind).toBe('ask');
});

test('13. updated_input replaces all arguments on preToolUse, and is a warning elsewhere', async () => {
  const rewrite = says({ updated_input: { command: 'ls' } });
  expect((await calledWith(hooksOf('preToolUse', rewrite))).calls).toEqual([{ command: 'ls' }]);
  const elsewhere = await fire(shell, before, rewrite);
  expect([elsewhere.changes, warningCodes(outcomeAt(elsewhere, 0))]).toEqual([[], ['rewrite_ignored']]);
  expect(specificOf(await fire(write, 'preToolUse', says({ updated_input: { file_path: '/srv/b.txt', content: 'y' } })))).toMatchObject({
    tool_input: { file_path: '/srv/b.txt', content: 'y' },
  });
});

test('21. a rejected prompt is a deny with the message for the user', async () => {
  const result = await fire(prompt, 'beforeSubmitPrompt', says({ continue: false, user_message: 'no secrets' }));
  expect(result.verdict).toMatchObject({ kind: 'deny', stop: false, reason: 'no secrets' });
});

test('22. additional_context of beforeSubmitPrompt is context', async () => {
  expect(specificOf(await fire(prompt, 'beforeSubmitPrompt', says({ additional_context: 'note' })))).toMatchObject({
    additionalContext: 'note',
  });
});

test.each([
  [undefined, 5],
  [1, 1],
  [null, 7],
])('23. followup_message lets the agent go on, at most loop_limit times in a row: %s', async (limit, most) => {
  const hook = {
    command: `cat >> seen; ${says({ followup_message: 'run tests' })}`,
    ...(limit === undefined ? {} : { loop_limit: limit }),
  };
  await withCursor(hooksOf('stop', hook), async (scene) => {
    let answers = 0;
    const respond = async () => {
      answers += 1;
      return `answer ${answers}`;
    };
    const { runAgentTurnWithHooks } = await import('@tenterhook/agent');
    const turn = await runAgentTurnWithHooks(scene.client, { prompt: 'go', respond });
    expect(turn.status).toBe('completed');
    expect(answers).toBe(limit === null ? 9 : most + 1);
    expect(scene.read('seen')).toContain(`"loop_count":${Math.min(most, 5)}`);
  });
});

test('23. of an agent that does not count, only the first answer has the count 0', async () => {
  const again = [stop[0], { ...stop[1], stop_hook_active: true }] as const;
  const hook = { command: says({ followup_message: 'run tests' }), loop_limit: 1 };
  expect((await fire(stop, 'stop', hook)).verdict).toMatchObject({ kind: 'deny', reason: 'run tests' });
  const refused = await fire(again, 'stop', hook);
  expect([refused.verdict.kind, warningCodes(outcomeAt(refused, 0))]).toEqual(['none', ['decision_ignored']]);
});

test.each([
  ['24. stop', stop, 'stop'],
  ['29. sessionStart', start, 'sessionStart'],
] as const)('%s: a permission has no effect, with a warning', async (_, moment, event) => {
  const result = await fire(moment, event, says({ permission: 'deny' }));
  expect([result.verdict.kind, warningCodes(outcomeAt(result, 0))]).toEqual(['none', ['no_effect']]);
});

test('28. sessionStart sets variables for later hooks of the session, until it ends', async () => {
  const hooks = {
    ...hooksOf('sessionStart', says({ env: { A: '1', 'B=': 'x' } })),
    ...hooksOf('preToolUse', 'echo "A=$A" >> seen.txt'),
    ...hooksOf('sessionEnd', 'echo "end A=$A" >> seen.txt'),
  };
  await withCursor(hooks, async ({ handler, read: readFile }) => {
    await handler.fire(...shell);
    await handler.fire(...start);
    await handler.fire(...shell);
    await handler.fire('SessionEnd', { reason: 'exit' });
    await handler.fire(...shell);
    expect(readFile('seen.txt')).toBe('A=\nA=1\nend A=1\nA=\n');
  });
});

test('28. a variable that a process cannot have is left out, with a warning that does not show its value', async () => {
  const result = await fire(start, 'sessionStart', says({ env: { 'B=': 'secret', '': 'secret', C: 'x' } }));
  const said = warningsOf(outcomeAt(result, 0));
  expect(said).toMatch(/^no_effect: These variables are not set: "B=", ""\. /);
  expect(said).not.toContain('secret');
});

test('28. a later start replaces the variables of an earlier one, and all of them have a limit', async () => {
  const sets = `printf '{"env":{"A":"%s","BIG":"%s"}}' "$(cat value)" "$(head -c "$(cat size)" /dev/zero | tr '\\0' x)"`;
  const hooks = {
    ...hooksOf('sessionStart', sets),
    ...hooksOf('preToolUse', 'echo "$A $(printf %s "$BIG" | wc -c)" >> seen.txt; echo "{}"'),
  };
  await withCursor(hooks, async ({ handler, projectDir, read: readFile }) => {
    for (const [value, size] of [
      ['one', 40_000],
      ['two', 40_001],
      ['three', 70_000],
    ] as const) {
      writeFileSync(join(projectDir, 'value'), value);
      writeFileSync(join(projectDir, 'size'), `${size}`);
      const result = await handler.fire(...start);
      expect([value, warningCodes(outcomeAt(result, 0))]).toEqual([value, size > 65_536 ? ['no_effect'] : []]);
      await handler.fire(...shell);
    }
    expect(readFile('seen.txt')).toBe('one 40000\ntwo 40001\nthree 40001\n');
  });
});

test('28. variables reach only hooks of their session, and of the same level or a lower one', async () => {
  await withPlaces(async (places) => {
    const sets = (name: string) => hooksOf('sessionStart', says({ env: { [name]: '1' } }));
    const shows = (level: string) =>
      hooksOf('preToolUse', `echo "USER=$FROM_USER PROJECT=$FROM_PROJECT" >> "$HOME"/${level}.txt; echo "{}"`);
    places.write('project/.cursor/hooks.json', settingsWith({ ...sets('FROM_PROJECT'), ...shows('project') }));
    places.write('home/.cursor/hooks.json', settingsWith({ ...sets('FROM_USER'), ...shows('user') }));
    await places.discover(
      async ({ handler }) => {
        await handler.fire(start[0], { ...start[1], session_id: 'one' });
        for (const session_id of ['one', 'two']) await handler.fire(shell[0], { ...shell[1], session_id });
        expect(places.read('home/project.txt')).toBe('USER=1 PROJECT=1\nUSER= PROJECT=\n');
        expect(places.read('home/user.txt')).toBe('USER=1 PROJECT=\nUSER= PROJECT=\n');
      },
      { dialects: [cursor({ managedFile: places.at('etc/hooks.json') })], ...({ sessionId: undefined } as object) },
    );
  });
});

test('30. contexts of several hooks are joined by a line', async () => {
  const said = (text: string) => says({ additional_context: text });
  expect(specificOf(await fire(after, 'postToolUse', [said('one'), said('two')]))['additionalContext']).toBe('one\n\n---\n\ntwo');
});

test('36. without output, failClosed denies and says what to print', async () => {
  const result = await fire(shell, 'preToolUse', { command: 'true', failClosed: true });
  expect(result.verdict).toMatchObject({ kind: 'deny' });
  expect(warningsOf(outcomeAt(result, 0))).toContain('Print {} for no decision');
  expect((await fire(shell, 'preToolUse', { command: 'echo "{}"', failClosed: true })).verdict.kind).toBe('none');
  expect((await fire(shell, 'preToolUse', 'true')).verdict.kind).toBe('none');
});

test('38. a context that Cursor would drop is passed on, with a warning', async () => {
  const command = `printf '{"additional_context":"%s"}' "$(printf 'x%.0s' $(seq 10001))"`;
  const result = await fire(after, 'postToolUse', command);
  expect(String(specificOf(result)['additionalContext'])).toHaveLength(10_001);
  expect(warningsOf(outcomeAt(result, 0))).toContain('Cursor itself drops a context of more than 10000');
});

test('39. exit 2 rejects the prompt of beforeSubmitPrompt; on sessionStart it has no effect, with a warning', async () => {
  expect((await fire(prompt, 'beforeSubmitPrompt', 'echo no >&2; exit 2')).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  for (const command of ['echo no >&2; exit 2', says({ continue: false })]) {
    const result = await fire(start, 'sessionStart', command);
    expect([result.verdict.kind, result.verdict.stop]).toEqual(['none', false]);
    expect(warningsOf(outcomeAt(result, 0))).toContain('Cursor itself rejects the prompt');
  }
});

test('40. a deny at the end of a line of text counts, and an allow there denies', async () => {
  const inText = (object: object) => `echo 'log line ${JSON.stringify(object)}'`;
  expect((await fire(shell, before, inText({ permission: 'deny', agent_message: 'no' }))).verdict).toMatchObject({
    kind: 'deny',
    reason: 'no',
  });
  expect((await fire(shell, before, inText({ permission: 'allow' }))).verdict.kind).toBe('deny');
});

test('a new result of an MCP tool replaces it; of another tool too, with a warning', async () => {
  const redacts = says({ updated_mcp_tool_output: { content: [{ type: 'text', text: 'gone' }] } });
  const ofMcp = await fire(afterMcp, 'postToolUse', redacts);
  expect(specificOf(ofMcp)['updatedToolOutput']).toMatchObject({ llmContent: 'gone' });
  expect(warningCodes(outcomeAt(ofMcp, 0))).toEqual([]);
  const ofShell = await fire(after, 'postToolUse', says({ updated_mcp_tool_output: 'gone' }));
  expect(specificOf(ofShell)['updatedToolOutput']).toMatchObject({ llmContent: 'gone' });
  expect(warningCodes(outcomeAt(ofShell, 0))).toEqual(['no_effect']);
});

test('unknown fields are dropped, and exit 2 after a tool changes nothing; both are warnings', async () => {
  const unknown = await fire(shell, before, says({ permission: 'allow', note: 1 }));
  expect([unknown.verdict.kind, warningCodes(outcomeAt(unknown, 0))]).toEqual(['allow', ['reserved_field']]);
  const late = await fire(after, 'afterShellExecution', 'echo no >&2; exit 2');
  expect([late.verdict.kind, warningCodes(outcomeAt(late, 0))]).toEqual(['none', ['no_effect']]);
});

test('a hook reads the messages of the agent, and its message beside an allow goes to the model', async () => {
  await withCursor(hooksOf('preToolUse', `cat > seen.json; ${says({ permission: 'allow', agent_message: 'fine' })}`), async (scene) => {
    const result = await scene.handler.fire(shell[0], { ...shell[1], agent_message: 'I test.' });
    expect(seen(scene)).toMatchObject({ agent_message: 'I test.' });
    expect(specificOf(result)).toMatchObject({ additionalContext: 'fine' });
  });
});

test.each([
  [shell, before, { continue: false, user_message: 'no' }],
  [shell, 'preToolUse', { continue: false, permission: 'allow', agent_message: 'no' }],
  [prompt, 'beforeSubmitPrompt', { permission: 'deny', user_message: 'no' }],
  [prompt, 'beforeSubmitPrompt', { permission: 'ask', continue: true, user_message: 'no' }],
] as const)('a deny in the field of another event counts, with a warning: %j %s %j', async (moment, event, answer) => {
  const result = await fire(moment, event, says(answer));
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['deny_counted']);
});

test('the paths of plugins are passed on to the host', async () => {
  const result = await fire(['WorkspaceOpen', {}], 'workspaceOpen', says({ pluginPaths: ['/srv/plugin'] }));
  expect([warningCodes(outcomeAt(result, 0)), specificOf(result)]).toEqual([[], { pluginPaths: ['/srv/plugin'] }]);
});

test.each([
  ['that is cut off', 20_000_000],
  ['of which only the ends are read', 3_000_000],
])('output %s denies on an event with a permission, and is a failure on others', async (_, bytes) => {
  const prints = `cat > /dev/null; head -c ${bytes} /dev/zero | tr '\\0' x`;
  const result = await fire(shell, 'preToolUse', prints);
  expect([result.verdict.kind, warningCodes(outcomeAt(result, 0))]).toEqual(['deny', ['output_truncated']]);
  const later = await fire(after, 'postToolUse', prints);
  expect([deeds(later), later.verdict.kind]).toEqual([['failed'], 'none']);
});

test.each(['deny', 'ask'])('a model that answers with the permission %s denies', async (permission) => {
  const callbacks = { prompt: async () => JSON.stringify({ permission, agent_message: 'no' }) };
  const hooks = hooksOf('preToolUse', { type: 'prompt', prompt: 'May it?' });
  await withCursor(
    hooks,
    async ({ handler }) => {
      const result = await handler.fire(...shell);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
      expect(warningCodes(outcomeAt(result, 0))).toEqual(['deny_counted']);
    },
    { callbacks },
  );
});
