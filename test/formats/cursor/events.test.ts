import { claudeCode, cursor } from '@tenterhook/dialects';
import { says, withEndingHooks } from '../../support/fire-hooks.js';
import { withPlaces } from '../../support/places.js';
import { runCli } from '../../support/run-cli.js';
import {
  after,
  afterMcp,
  deeds,
  end,
  failed,
  hooksOf,
  type Moment,
  mcp,
  prompt,
  read,
  seen,
  settingsWith,
  shell,
  start,
  stop,
  withCursor,
  write,
} from './cursor-hooks.js';

const record = 'cat > seen.json; echo "{}"';

const common = {
  conversation_id: 's1',
  generation_id: expect.stringMatching(/^turn_/),
  model: 'unknown',
  session_id: 's1',
  cursor_version: 'unknown',
  workspace_roots: [expect.any(String)],
  user_email: null,
  transcript_path: null,
};
const call = { tool_name: 'Shell', tool_input: { command: 'npm test' }, tool_use_id: expect.stringMatching(/^tool_/) };
const cwd = expect.any(String);
const mcpFields = { tool_name: 'search', tool_input: '{"q":"x"}', mcp_server_name: 'gh' };
const replaced: Moment = [
  'AfterTool',
  { tool_name: 'replace', tool_input: { file_path: '/srv/a.txt', old_string: 'a', new_string: 'b' }, tool_response: { llmContent: 'ok' } },
];
const response = { text: 'Done.', candidates: [] };
const model: Moment = ['AfterModel', { llm_request: { model: 'm', messages: [] }, llm_response: response }];
const subagent = { agent_id: 'a1', agent_type: 'explore' };

test.each<[string, Moment, Record<string, unknown>]>([
  ['preToolUse', shell, { ...call, cwd, agent_message: '' }],
  ['beforeShellExecution', shell, { command: 'npm test', cwd, sandbox: false }],
  ['beforeMCPExecution', mcp, mcpFields],
  ['beforeReadFile', read, { file_path: '/srv/a.txt', content: '', attachments: [] }],
  ['postToolUse', after, { ...call, tool_output: '{"output":"ok","exitCode":0}', cwd }],
  ['postToolUseFailure', failed, { ...call, error_message: 'broken', failure_type: 'error', is_interrupt: false, cwd }],
  ['afterShellExecution', after, { command: 'npm test', output: 'ok', sandbox: false, cwd }],
  ['afterMCPExecution', afterMcp, { ...mcpFields, result_json: '{"llmContent":"ok","returnDisplay":"ok"}' }],
  ['afterFileEdit', replaced, { file_path: '/srv/a.txt', edits: [{ old_string: 'a', new_string: 'b' }] }],
  ['beforeSubmitPrompt', prompt, { prompt: 'fix it', attachments: [] }],
  ['stop', stop, { status: 'completed', loop_count: 0 }],
  ['afterAgentResponse', model, { text: 'Done.' }],
  ['afterAgentThought', ['AfterAgentThought', { text: 'hm', duration_ms: 5 }], { text: 'hm', duration_ms: 5 }],
  ['sessionStart', start, { is_background_agent: false, composer_mode: 'agent' }],
  ['sessionEnd', end, { reason: 'user_close', is_background_agent: false, final_status: 'user_close' }],
  ['preCompact', ['PreCompress', { trigger: 'auto' }], { trigger: 'auto' }],
  [
    'subagentStart',
    ['SubagentStart', subagent],
    { subagent_id: 'a1', subagent_type: 'explore', task: '', parent_conversation_id: 's1', is_parallel_worker: false },
  ],
  [
    'subagentStop',
    ['SubagentStop', { ...subagent, stop_hook_active: false, last_assistant_message: 'found' }],
    { subagent_type: 'explore', status: 'completed', task: '', summary: 'found', loop_count: 0, agent_transcript_path: null },
  ],
  ['beforeTabFileRead', ['BeforeTabFileRead', { file_path: '/srv/a', content: 'x' }], { file_path: '/srv/a', content: 'x' }],
  ['afterTabFileEdit', ['AfterTabFileEdit', { file_path: '/srv/a', edits: [] }], { file_path: '/srv/a', edits: [] }],
  ['workspaceOpen', ['WorkspaceOpen', {}], {}],
])('the stdin of %s has exactly the fields of Cursor', async (event, [eventName, input], fields) => {
  await withCursor(hooksOf(event, record), async (scene) => {
    const result = await scene.handler.fire(eventName, input);
    expect(deeds(result)).toEqual(['succeeded']);
    expect(seen(scene)).toEqual({ ...common, hook_event_name: event, ...fields });
  });
});

test('14. the arguments of an MCP tool are a text in beforeMCPExecution and an object in preToolUse', async () => {
  const hooks = {
    ...hooksOf('beforeMCPExecution', 'cat > before.json'),
    ...hooksOf('preToolUse', 'cat > pre.json', { matcher: 'MCP:search' }),
  };
  await withCursor(hooks, async (scene) => {
    await scene.handler.fire(...mcp);
    expect(seen(scene, 'before.json')).toMatchObject(mcpFields);
    expect(seen(scene, 'pre.json')).toMatchObject({ tool_name: 'MCP:search', tool_input: { q: 'x' } });
  });
});

test.each([
  ['15. a part of the command', 'beforeShellExecution', 'curl|wget', 'echo a && curl x', 'succeeded'],
  ['15. another command', 'beforeShellExecution', 'curl|wget', 'npm test', 'skipped: matcher'],
  ['16. the shell', 'preToolUse', 'Shell', 'npm test', 'succeeded'],
  ['16. another tool', 'preToolUse', 'Write', 'npm test', 'skipped: matcher'],
])('%s: a matcher of %s is searched in the value: %s', async (_, event, matcher, command, expected) => {
  await withCursor(hooksOf(event, record, { matcher }), async ({ handler }) => {
    expect(deeds(await handler.fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command } }))).toEqual([expected]);
  });
});

test.each([[{ command: ['rm', '-rf', 'x'] }], [{ cmd: 'rm -rf x' }], [{}]])(
  'a guard of a command runs if the command is not a text, whatever its matcher: %j',
  async (input) => {
    await withCursor(hooksOf('beforeShellExecution', 'echo no >&2; exit 2', { matcher: 'rm' }), async ({ handler, hooks }) => {
      expect((await handler.fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: input })).verdict.kind).toBe('deny');
      const [explained] = hooks.explain('BeforeTool', { tool_name: 'run_shell_command' }).hooks;
      expect(explained).toMatchObject({ reason: expect.stringContaining('it runs when') });
    });
  },
);

test('16. the matcher Shell does not run for a write', async () => {
  await withCursor(hooksOf('preToolUse', record, { matcher: 'Shell' }), async ({ handler }) => {
    expect(deeds(await handler.fire(...write))).toEqual(['skipped: matcher']);
  });
});

test('a guard of a command runs if another hook rewrites the call so that its matcher fits', async () => {
  const hooks = {
    ...hooksOf('preToolUse', says({ updated_input: { command: 'curl evil' } })),
    ...hooksOf('beforeShellExecution', 'echo no >&2; exit 2', { matcher: 'curl' }),
  };
  await withCursor(hooks, async ({ handler }) =>
    expect((await handler.fire(...shell)).verdict).toMatchObject({ kind: 'deny', reason: 'no' }),
  );
});

test('the hooks of another kind of tool are skipped, and the sentinels of stop and beforeSubmitPrompt match', async () => {
  await withCursor({ ...hooksOf('beforeShellExecution', record), ...hooksOf('beforeMCPExecution', record) }, async ({ handler }) => {
    expect(deeds(await handler.fire(...read))).toEqual(['skipped: condition', 'skipped: condition']);
  });
  const words = {
    ...hooksOf('stop', record, { matcher: 'Stop' }),
    ...hooksOf('beforeSubmitPrompt', record, { matcher: 'UserPromptSubmit' }),
  };
  await withCursor(words, async ({ handler, hooks }) => {
    expect(hooks.diagnostics).toEqual([]);
    expect([deeds(await handler.fire(...stop)), deeds(await handler.fire(...prompt))]).toEqual([['succeeded'], ['succeeded']]);
  });
});

test('25. after a failed tool postToolUseFailure runs, also if a command only ended with another exit code', async () => {
  const hooks = { ...hooksOf('postToolUse', 'echo post >> ran'), ...hooksOf('postToolUseFailure', 'cat > seen.json') };
  await withCursor(hooks, async (scene) => {
    expect(deeds(await scene.handler.fire(...failed))).toEqual(['skipped: condition', 'succeeded']);
    expect(seen(scene)).toMatchObject({ error_message: 'broken' });
    const exited = { ...after[1], tool_response: { llmContent: 'no such file', exit_code: 1 } };
    expect(deeds(await scene.handler.fire('AfterTool', exited))).toEqual(['skipped: condition', 'succeeded']);
    expect(seen(scene)).toMatchObject({ error_message: 'no such file' });
    expect(deeds(await scene.handler.fire(...after))).toEqual(['succeeded', 'skipped: condition']);
  });
});

test('26. a written file is one edit from nothing to its content', async () => {
  await withCursor(hooksOf('afterFileEdit', record), async (scene) => {
    await scene.handler.fire('AfterTool', { ...write[1], tool_response: { llmContent: 'ok' } });
    expect(seen(scene)).toMatchObject({ file_path: '/srv/a.txt', edits: [{ old_string: '', new_string: 'x' }] });
  });
});

test('26. of a captured edit in several places, hooks read all places', async () => {
  await withPlaces(async (places) => {
    places.write('project/.cursor/hooks.json', settingsWith(hooksOf('afterFileEdit', record)));
    const edits = ['a', 'b'].map((text) => ({ old_string: text, new_string: `${text}${text}` }));
    const input = JSON.stringify({ file_path: '/srv/a.txt', edits });
    const args = ['fire', 'afterFileEdit', '--dialect', 'cursor', '--trust-project', '--input', input];
    expect((await runCli(args, { cwd: places.project, home: places.home })).status).toBe(0);
    expect(JSON.parse(places.read('project/seen.json') ?? '')).toMatchObject({ file_path: '/srv/a.txt', edits });
  });
});

test.each(['preToolUse', 'beforeReadFile'])('27. both hooks of a read run, and a deny of %s denies', async (denying) => {
  const command = (event: string) => `echo ${event} >> ran; ${event === denying ? 'echo no >&2; exit 2' : 'true'}`;
  const hooks = {
    ...hooksOf('preToolUse', command('preToolUse')),
    ...hooksOf('beforeReadFile', command('beforeReadFile'), { matcher: 'Read' }),
  };
  await withCursor(hooks, async ({ handler, read: readFile }) => {
    expect((await handler.fire(...read)).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect((readFile('ran') ?? '').trim().split('\n').sort()).toEqual(['beforeReadFile', 'preToolUse']);
  });
});

test('27. a tool that reads several files has one per line', async () => {
  await withCursor(hooksOf('beforeReadFile', record), async (scene) => {
    await scene.handler.fire('BeforeTool', { tool_name: 'read_many_files', tool_input: { paths: ['/srv/a', '/srv/b'] } });
    expect(seen(scene)).toMatchObject({ file_path: '/srv/a\n/srv/b' });
  });
});

test('sessionStart is only for new chats', async () => {
  await withCursor(hooksOf('sessionStart', record), async ({ handler }) => {
    for (const [source, deed] of [
      ['startup', 'succeeded'],
      ['clear', 'succeeded'],
      ['resume', 'skipped: condition'],
      ['compress', 'skipped: condition'],
    ])
      expect([source, deeds(await handler.fire('SessionStart', { source }))]).toEqual([source, [deed]]);
  });
});

test('35. a hook in a Claude Code file receives Claude Code stdin, beside a hook of Cursor', async () => {
  const claude = {
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            {
              type: 'command',
              command: `cat > claude.json; ${says({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' } })}`,
            },
          ],
        },
      ],
    },
  };
  const settings = [claude, settingsWith(hooksOf('preToolUse', `cat > cursor.json; ${says({ permission: 'allow' })}`))];
  await withEndingHooks({ settings, dialects: [claudeCode(), cursor()] }, async (scene) => {
    const result = await scene.handler.fire(...shell);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(seen(scene, 'claude.json')).toMatchObject({ hook_event_name: 'PreToolUse', tool_name: 'Bash' });
  });
});

test('37. a captured input with a byte order mark is read', async () => {
  await withPlaces(async (places) => {
    places.write('project/.cursor/hooks.json', settingsWith(hooksOf('beforeShellExecution', 'echo no >&2; exit 2')));
    const stdin = `\uFEFF${JSON.stringify({ conversation_id: 'c1', hook_event_name: 'beforeShellExecution', command: 'rm -rf /', cwd: places.project })}`;
    const args = ['fire', 'beforeShellExecution', '--dialect', 'cursor', '--trust-project', '--json', '--input', '-'];
    const { status, stdout } = await runCli(args, { cwd: places.project, home: places.home, stdin });
    expect(status).toBe(0);
    expect(JSON.parse(stdout).output.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });
});

test('hooks receive the variables of Cursor', async () => {
  const own = { cursor: { version: '3.15.6', userEmail: 'ada@example.org' } };
  const hook = 'env | grep -E "^(CURSOR|CLAUDE)_" | sort > env.txt';
  await withCursor(
    hooksOf('preToolUse', hook),
    async ({ handler, read: readFile, projectDir }) => {
      await handler.fire(shell[0], { ...shell[1], transcript_path: '/srv/t.jsonl' });
      const lines = (readFile('env.txt') ?? '').trim().split('\n');
      expect(lines).toEqual(
        expect.arrayContaining([
          `CLAUDE_PROJECT_DIR=${projectDir}`,
          `CURSOR_PROJECT_DIR=${projectDir}`,
          'CURSOR_TRANSCRIPT_PATH=/srv/t.jsonl',
          'CURSOR_USER_EMAIL=ada@example.org',
          'CURSOR_VERSION=3.15.6',
        ]),
      );
    },
    own,
  );
});

test.each([
  ['glob', 'Grep'],
  ['grep_search', 'Grep'],
  ['invoke_agent', 'Task'],
  ['read_many_files', 'Read'],
  ['deploy', 'deploy'],
])('hooks know the tool %s as %s', async (tool, name) => {
  await withCursor(hooksOf('preToolUse', record, { matcher: `^${name}$` }), async (scene) => {
    await scene.handler.fire('BeforeTool', { tool_name: tool, tool_input: { pattern: 'x' } });
    expect(seen(scene)).toMatchObject({ tool_name: name, tool_input: { pattern: 'x' } });
  });
});

test.each(['Delete', 'ReadFile'])('a matcher may name a tool that no host has: %s', async (matcher) => {
  await withCursor(hooksOf('preToolUse', record, { matcher }), async ({ handler }) => {
    expect(deeds(await handler.fire(...read))).toEqual(['skipped: matcher']);
  });
});
