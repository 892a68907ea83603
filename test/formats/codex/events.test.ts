import { executeToolWithHooks } from '@tenterhook/agent';
import { claudeCode, codex } from '@tenterhook/dialects';
import { withClient } from '../../support/agent.js';
import { outcomeAt, processesWith, says, warningCodes, withHooks } from '../../support/fire-hooks.js';
import { until } from '../../support/until.js';
import {
  after,
  bash,
  callBash,
  deeds,
  end,
  failedRun,
  fire,
  hooksOf,
  type Moment,
  moments,
  permission,
  prompt,
  seen,
  specific,
  specificOf,
  start,
  stop,
  warningsOf,
  withCodex,
} from './codex-hooks.js';

test.each(['true', 'echo "{}"'])('15. Stop: %s is not an opinion', async (command) => {
  const result = await fire(stop, command);
  expect([deeds(result), result.verdict.kind]).toEqual([['succeeded'], 'none']);
});

test('15. Stop: text fails the run, and the warning says what to print', async () => {
  expect(failedRun(await fire(stop, 'echo ok'))).toContain('Print {} for no decision');
  expect(failedRun(await fire(moments[10] as Moment, 'echo ok'))).toContain('stdout must be JSON on SubagentStop');
});

test('16. a block on Stop lets the agent go on with the reason, and the next stdin has stop_hook_active', async () => {
  await withCodex(
    hooksOf('Stop', `input=$(cat); echo "$input" >> seen.txt; ${says({ decision: 'block', reason: 'tests fail' })}`),
    async (scene) => {
      const result = await scene.handler.fire(stop[1], stop[2]);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'tests fail' });
      await scene.handler.fire(stop[1], { ...stop[2], stop_hook_active: true });
      const [first, second] = (scene.read('seen.txt') ?? '')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect([first.stop_hook_active, second.stop_hook_active]).toEqual([false, true]);
      expect(first).toMatchObject({ hook_event_name: 'Stop', last_assistant_message: 'done' });
    },
  );
});

test('16. continue false on Stop beats the block of another hook', async () => {
  const result = await fire(stop, [says({ decision: 'block', reason: 'more' }), says({ continue: false, stopReason: 'enough' })]);
  expect(result.verdict).toMatchObject({ stop: true, stopReason: 'enough' });
});

test('17. UserPromptSubmit: text is context, and a block denies', async () => {
  const noted = await fire(prompt, 'echo note');
  expect(specificOf(noted)).toMatchObject({ additionalContext: 'note' });
  const result = await fire(prompt, says({ decision: 'block', reason: 'no' }));
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(failedRun(await fire(prompt, 'echo "[1] note"'))).toContain('begins like JSON');
  expect(warningCodes(outcomeAt(await fire(prompt, says({ decision: 'block' })), 0))).toEqual(['deny_counted']);
});

test('18. SessionStart: the texts of two hooks are context, joined by a blank line', async () => {
  const result = await fire(start, ['echo one', specific('SessionStart', { additionalContext: 'two' })]);
  expect(specificOf(result)['additionalContext']).toBe('one\n\ntwo');
});

test('19. a block on PostToolUse is a deny whose reason replaces the result, also by exit 2', async () => {
  for (const command of [says({ decision: 'block', reason: 'r' }), 'echo r >&2; exit 2']) {
    const result = await fire(after, command);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r' });
    expect(specificOf(result)['updatedToolOutput']).toMatchObject({ llmContent: 'r' });
  }
});

test('19. a failure that denies replaces the result, too', async () => {
  const result = await fire(after, { type: 'command', command: 'exit 1', onError: 'block' });
  expect(result.verdict.kind).toBe('deny');
  expect(JSON.stringify(specificOf(result)['updatedToolOutput'])).not.toContain('"ok"');
});

test('20. after a tool of the host has failed, PostToolUse runs as well', async () => {
  await withCodex(hooksOf('PostToolUse', 'cat > seen.json'), async (scene) => {
    const error = { message: 'broken' };
    await executeToolWithHooks(scene.client, {
      name: 'run_shell_command',
      input: { command: 'x' },
      execute: async () => ({ llmContent: 'broken', returnDisplay: 'broken', error }),
    });
    expect(seen(scene)).toMatchObject({ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_response: { error } });
  });
});

const hostFields = { model: 'm-1', permission_mode: 'plan', turn_id: 'u1' };
const common = { session_id: 's1', transcript_path: null, cwd: expect.any(String) };
const turn = { ...common, ...hostFields };
const { permission_mode: _mode, ...compacting } = turn;
const { turn_id: _turn, ...starting } = turn;
const call = { tool_name: 'Bash', tool_input: { command: 'npm test' } };
const callId = { tool_use_id: expect.stringMatching(/^call_[0-9a-f]{24}$/) };

test.each<[string, Record<string, unknown>]>([
  ['PreToolUse', { ...turn, ...call, ...callId }],
  ['PermissionRequest', { ...turn, ...call }],
  ['PostToolUse', { ...turn, ...call, ...callId, tool_response: { llmContent: 'ok', returnDisplay: 'ok' } }],
  ['UserPromptSubmit', { ...turn, prompt: 'fix it' }],
  ['Stop', { ...turn, stop_hook_active: false, last_assistant_message: 'done' }],
  ['SessionStart', { ...starting, source: 'startup' }],
  ['SessionEnd', { ...common, reason: 'other' }],
  ['PreCompact', { ...compacting, trigger: 'auto' }],
  ['PostCompact', { ...compacting, trigger: 'manual' }],
  ['SubagentStart', { ...turn, agent_id: 'a1', agent_type: 'explore' }],
  [
    'SubagentStop',
    {
      ...turn,
      agent_id: 'a1',
      agent_type: 'explore',
      agent_transcript_path: null,
      last_assistant_message: null,
      stop_hook_active: false,
    },
  ],
  ['Interrupt', turn],
])('32. the stdin of %s has exactly the fields of Codex', async (event, expected) => {
  const [, eventName, input] = moments.find(([name]) => name === event) as Moment;
  await withCodex(hooksOf(event, 'cat > seen.json'), async (scene) => {
    await scene.handler.fire(eventName, { ...input, ...hostFields, extra: 'of the host' });
    expect(seen(scene)).toEqual({ ...expected, hook_event_name: event });
  });
});

test('32. SessionEnd has exactly five fields, and its reason is always other', async () => {
  await withCodex(hooksOf('SessionEnd', 'cat > seen.json'), async (scene) => {
    await scene.handler.fire(end[1], { reason: 'clear' });
    expect(Object.keys(seen(scene)).sort()).toEqual(['cwd', 'hook_event_name', 'reason', 'session_id', 'transcript_path']);
    expect(seen(scene)['reason']).toBe('other');
  });
});

test('inside a subagent, hooks of turns receive it, and the id of a call is the same before and after', async () => {
  const record = { ...hooksOf('PreToolUse', 'cat > before.json'), ...hooksOf('PostToolUse', 'cat > after.json') };
  await withCodex(record, async (scene) => {
    await scene.handler.fire(bash[1], { ...bash[2], agent_id: 'a1', agent_type: 'explore' });
    await scene.handler.fire(after[1], after[2]);
    expect(seen(scene, 'before.json')).toMatchObject({ agent_id: 'a1', agent_type: 'explore' });
    expect(seen(scene, 'before.json')['tool_use_id']).toBe(seen(scene, 'after.json')['tool_use_id']);
    expect(seen(scene, 'before.json')['turn_id']).toMatch(/^turn_/);
  });
});

test('the source compress is compact, and text of other events has no effect', async () => {
  await withCodex(hooksOf('SessionStart', 'cat > seen.json', { matcher: 'compact' }), async (scene) => {
    await scene.handler.fire(start[1], { source: 'compress' });
    expect(seen(scene)['source']).toBe('compact');
  });
  for (const event of ['PostToolUse', 'PreCompact', 'Interrupt', 'SessionEnd']) {
    const result = await fire(moments.find(([name]) => name === event) as Moment, 'echo text');
    expect([event, deeds(result), specificOf(result)]).toEqual([event, ['succeeded'], {}]);
  }
});

test('31. a hook that misses its deadline has timed out, no process is left, and the tool runs', async () => {
  const hooks = { hooks: hooksOf('PreToolUse', { type: 'command', command: 'sleep 9; echo x', timeout: 1 }) };
  await withHooks({ settings: hooks, dialects: [codex()], dialect: 'codex', limits: {} }, async ({ handler, projectDir }) => {
    const result = await callBash(handler);
    expect(deeds(result)).toEqual(['timed-out']);
    expect(result.verdict.kind).toBe('none');
    expect(warningsOf(outcomeAt(result, 0))).toMatch(/^timeout: .*1000 ms|^timeout: .*1 s/);
    await until('no process is left', () => processesWith(projectDir).length === 0);
  });
});

test('34. a hook of Codex denies while a hook of Claude Code allows: deny, and both outcomes are listed', async () => {
  const claude = says({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } });
  const settings = [
    { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: claude }] }] } },
    { hooks: { ...hooksOf('PreToolUse', permission('deny', { permissionDecisionReason: 'no' })), Interrupt: [] } },
  ];
  await withClient({ settings, dialects: [claudeCode(), codex()] }, async ({ handler }) => {
    const result = await callBash(handler);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(result.outcomes.map(({ dialect, status }) => [dialect, status])).toEqual([
      ['claude-code', 'succeeded'],
      ['codex', 'blocked'],
    ]);
  });
});

test('35. hookSpecificOutput on Stop fails the run, and the agent stops', async () => {
  const printed = specific('Stop', { additionalContext: 'x' });
  expect(failedRun(await fire(stop, printed))).toContain('the key "hookSpecificOutput" is unknown on Stop');
});

test('Interrupt takes a message for the user and nothing else', async () => {
  const interrupt = moments.at(-1) as Moment;
  expect(specificOf(await fire(interrupt, says({ systemMessage: 'hi' })))).toMatchObject({ userMessage: 'hi' });
  expect(failedRun(await fire(interrupt, says({ continue: false })))).toContain('"continue": false is not supported on Interrupt');
});

test('a tool of an MCP server answers like a command, and is called with its arguments', async () => {
  const tool = { type: 'mcp_tool', server: 'guard', tool: 'check', input: { strict: true } };
  const called: unknown[] = [];
  const answers = [
    { content: [{ type: 'text', text: JSON.stringify({ decision: 'block', reason: 'no' }) }] },
    { isError: true, content: [] },
  ];
  await withCodex(
    hooksOf('PreToolUse', tool),
    async ({ handler }) => {
      expect((await callBash(handler)).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
      expect(deeds(await callBash(handler))).toEqual(['failed']);
      expect(called).toMatchObject([{ data: { server: 'guard', tool: 'check', input: { strict: true } } }, {}]);
    },
    {
      callbacks: {
        mcp_tool: async (data: unknown) => {
          called.push(data);
          return answers[called.length - 1];
        },
      },
    } as object,
  );
});

test('text and additionalContext of SubagentStart are context', async () => {
  const began = moments.find(([name]) => name === 'SubagentStart') as Moment;
  const result = await fire(began, ['echo one', specific('SubagentStart', { additionalContext: 'two' })]);
  expect(specificOf(result)['additionalContext']).toBe('one\n\ntwo');
});
