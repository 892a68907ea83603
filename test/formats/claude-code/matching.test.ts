import { homedir } from 'node:os';
import { join } from 'node:path';
import { claudeCode } from '@tenterhook/dialects';
import { outcomeAt } from '../../support/fire-hooks.js';
import { withPlaces } from '../../support/places.js';
import { callBash, command, deeds, fireClaude, groupOf, hooksOf, idOf, type Moment, preToolUse, withClaude } from './claude-hooks.js';
import { moment } from './moments.js';

describe('matchers', () => {
  /** Tests whether a hook of PreToolUse with this matcher runs for a tool of the host. */
  async function runsFor(matcher: string, tool_name: string, server_name?: string): Promise<boolean> {
    const input = { tool_name, tool_input: {}, ...(server_name === undefined ? {} : { mcp_context: { server_name } }) };
    return runs(['PreToolUse', 'BeforeTool', input], matcher);
  }

  async function runs(of: Moment, matcher: string): Promise<boolean> {
    const [done] = deeds(await fireClaude(of, 'true', { matcher }));
    expect(['succeeded', 'skipped: matcher']).toContain(done);
    return done === 'succeeded';
  }

  test.each<[matcher: string, tool: string, expected: boolean]>([
    ['Edit|Write', 'replace', true],
    ['Edit|Write', 'write_file', true],
    ['Edit|Write', 'Edit', true],
    ['Edit|Write', 'NotebookEdit', false],
    ['Edit', 'NotebookEdit', false],
    ['Edit.*', 'NotebookEdit', true],
    ['Edit.*', 'replace', true],
    ['Edit, Write', 'replace', true],
    ['Edit, Write', 'write_file', true],
    ['Edit, Write', 'NotebookEdit', false],
    ['Edit , Write|Read', 'read_file', true],
    ['^Notebook', 'NotebookEdit', true],
    ['^Edit$', 'NotebookEdit', false],
    ['Write|^Notebook', 'NotebookEdit', true],
  ])('the matcher %j and the tool %s: %s', async (matcher, tool, expected) => {
    expect(await runsFor(matcher, tool)).toBe(expected);
  });

  test.each<[matcher: string, tool: string, server: string, expected: boolean]>([
    ['mcp__gh__.*', 'search', 'gh', true],
    ['mcp__gh__.*', 'create_issue', 'gh', true],
    ['mcp__gh__.*', 'search', 'docs', false],
    ['mcp__.*__search', 'search', 'docs', true],
    ['mcp__gh__search', 'search', 'gh', true],
    ['mcp__gh__search', 'search_all', 'gh', false],
    ['mcp__gh', 'search', 'gh', false],
    ['search', 'search', 'gh', false],
  ])('the matcher %j, the tool %s of the server %s: %s', async (matcher, tool, server, expected) => {
    expect(await runsFor(matcher, tool, server)).toBe(expected);
  });

  test.each(['*', ''])('claude §2: the matcher %j fits every tool', async (matcher) => {
    for (const tool of ['run_shell_command', 'anything else']) expect(await runsFor(matcher, tool)).toBe(true);
  });

  test('claude §2: names and patterns are case-sensitive, and a name is the whole name', async () => {
    expect(await runsFor('bash', 'run_shell_command')).toBe(false);
    expect(await runsFor('(bash)', 'run_shell_command')).toBe(false);
    expect(await runsFor('Bas', 'run_shell_command')).toBe(false);
    expect(await runsFor('(Bas)', 'run_shell_command')).toBe(true);
    expect(await runsFor('my-tool', 'my-tool')).toBe(true);
  });

  test('claude §2: a subagent has two names, and a matcher may say either', async () => {
    expect(await runsFor('Task', 'invoke_agent')).toBe(true);
    expect(await runsFor('Agent', 'invoke_agent')).toBe(true);
  });

  test('a matcher that cannot be read is a diagnostic, and the other group blocks', async () => {
    const hooks = { PreToolUse: [groupOf('true', { matcher: '[' }), groupOf('echo no >&2; exit 2')] };
    await withClaude(hooks, async ({ hooks: system, handler }) => {
      expect(system.diagnostics).toMatchObject([
        { code: 'invalid_matcher', severity: 'error', path: 'hooks.PreToolUse[0].matcher', dialect: 'claude-code' },
      ]);
      const result = await callBash(handler);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [idOf('1.0')] });
      expect(deeds(result)).toEqual(['skipped: invalid', 'blocked']);
    });
  });

  test('claude §2: in a handler it is not read, and that is said', async () => {
    await withClaude(preToolUse(command('true', { matcher: 'Edit' })), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ path: 'hooks.PreToolUse[0].hooks[0].matcher', remedy: expect.any(String) }]);
      expect(deeds(await callBash(handler))).toEqual(['succeeded']);
    });
  });

  test.each(['(?=rm)Bash', '(a)\\1'])('claude §2: what the linear-time engine does not have is a diagnostic: %s', async (matcher) => {
    await withClaude(preToolUse('exit 2', { matcher }), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_matcher', remedy: expect.any(String) }]);
      expect(deeds(await callBash(handler))).toEqual(['skipped: invalid']);
    });
  });

  test('claude §2: a matcher that is not a text is a diagnostic, and the other groups run', async () => {
    const hooks = { PreToolUse: [groupOf('true', { matcher: { tool: 'Bash' } }), groupOf('exit 2')] };
    await withClaude(hooks, async ({ hooks: system, handler }) => {
      expect(system.diagnostics).toMatchObject([{ code: 'invalid_matcher', path: 'hooks.PreToolUse[0].matcher' }]);
      expect(deeds(await callBash(handler))).toEqual(['skipped: invalid', 'blocked']);
    });
  });

  test.each(['UserPromptSubmit', 'Stop', 'PostToolBatch'])('a matcher on %s is a load warning, and the hook runs', async (event) => {
    const [, eventName, input] = moment(event);
    await withClaude(hooksOf(event, 'true', { matcher: 'Bash' }), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'matcher_ignored', severity: 'warning', path: `hooks.${event}[0].matcher` }]);
      expect(deeds(await handler.fire(eventName, input))).toEqual(['succeeded']);
    });
  });

  test.each(['', '*'])('the matcher %j there says nothing, and no warning is due', async (matcher) => {
    await withClaude(hooksOf('UserPromptSubmit', 'true', { matcher }), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toEqual([]);
      expect(deeds(await handler.fireBeforeAgentEvent('p'))).toEqual(['succeeded']);
    });
  });

  test('a session that begins after a compression is "compact" to hooks and to matchers', async () => {
    const hooks = { SessionStart: [groupOf('cat > seen.json', { matcher: 'compact' }), groupOf('true', { matcher: 'compress' })] };
    await withClaude(hooks, async ({ handler, read }) => {
      expect(deeds(await handler.fireSessionStartEvent('compress'))).toEqual(['succeeded', 'skipped: matcher']);
      expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ hook_event_name: 'SessionStart', source: 'compact' });
      expect(deeds(await handler.fireSessionStartEvent('startup'))).toEqual(['skipped: matcher', 'skipped: matcher']);
    });
  });

  const subjects: [event: string, input: Record<string, unknown>, fits: string, other: string][] = [
    ['SessionStart', { source: 'startup' }, 'startup|resume', 'resume'],
    ['SessionEnd', { reason: 'exit' }, 'other', 'exit'],
    ['SessionEnd', { reason: 'logout' }, 'logout', 'other'],
    ['PreCompact', { trigger: 'manual' }, 'manual', 'auto'],
    ['PostCompact', { trigger: 'auto', compact_summary: 's' }, 'auto', 'manual'],
    ['Setup', { trigger: 'init' }, 'init', 'maintenance'],
    ['Notification', { notification_type: 'ToolPermission', message: 'm', details: {} }, 'permission_prompt', 'idle_prompt'],
    ['Notification', { notification_type: 'idle_prompt', message: 'm', details: {} }, 'idle_prompt', 'permission_prompt'],
    ['SubagentStart', { agent_id: 'a', agent_type: 'reviewer' }, 'reviewer', 'review'],
    ['StopFailure', { error: 'rate_limit' }, 'rate_limit|server_error', 'rate'],
    ['Elicitation', { mcp_server_name: 'gh', message: 'm' }, 'gh', 'docs'],
    ['ElicitationResult', { mcp_server_name: 'gh', action: 'accept' }, 'gh', 'docs'],
    ['PermissionRequest', { tool_name: 'run_shell_command', tool_input: {} }, 'Bash', 'Edit'],
    ['PermissionDenied', { tool_name: 'run_shell_command', tool_input: {}, reason: 'r' }, 'Bash', 'Edit'],
  ];

  test.each(subjects)('claude §2: the matcher of %s looks at %j: %s fits, %s does not', async (event, input, fits, other) => {
    const [, eventName] = moment(event);
    expect(await runs([event, eventName, input], fits)).toBe(true);
    expect(await runs([event, eventName, input], other)).toBe(false);
  });

  test.each<[matcher: string, file: string, expected: boolean]>([
    ['.envrc', '/srv/app/.envrc', true],
    ['.env|.envrc', '/srv/app/.envrc', true],
    ['.envrc', '/srv/app/xenvrc', false],
    ['.*', '/srv/app/.envrc', false],
    ['a+b.txt', '/srv/a+b.txt', true],
    ['a, b', '/srv/a, b', true],
  ])('claude §2: FileChanged takes names of files at "|" and no pattern: %j and %s: %s', async (matcher, file_path, expected) => {
    expect(await runs(['FileChanged', 'FileChanged', { file_path, event: 'change' }], matcher)).toBe(expected);
  });

  test('claude §2: explain says why a hook would run, or not', async () => {
    const hooks = { PreToolUse: [groupOf('true', { matcher: 'Bash' }), groupOf('true # b', { matcher: 'Edit' })] };
    await withClaude(hooks, async ({ hooks: system, handler }) => {
      expect(system.explain('BeforeTool', { tool_name: 'run_shell_command', tool_input: {} }).hooks).toMatchObject([
        { hookId: idOf('0.0'), wouldRun: true, matcher: 'Bash', reason: expect.stringContaining('Bash') },
        { hookId: idOf('1.0'), wouldRun: false, skipReason: 'matcher', reason: expect.stringContaining('Edit') },
      ]);
      expect(outcomeAt(await callBash(handler), 1)).toMatchObject({ status: 'skipped', skipReason: 'matcher' });
    });
  });
});

describe('conditions', () => {
  const shell = (line: string): Moment => ['PreToolUse', 'BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: line } }];

  /** Tests whether a hook with this condition runs. */
  async function runs(rule: string, [event, eventName, input]: Moment): Promise<boolean> {
    return withClaude(hooksOf(event, command('true', { if: rule })), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toEqual([]);
      const [done] = deeds(await handler.fire(eventName, input));
      expect(['succeeded', 'skipped: condition']).toContain(done);
      return done === 'succeeded';
    });
  }

  const push = 'Bash(git push *)';

  test.each([
    ['cd x && git push o', true],
    ['git push o', true],
    ['git status', false],
  ])('the condition "Bash(git push *)" and the command %j: %s', async (line, expected) => {
    expect(await runs(push, shell(line))).toBe(expected);
  });

  test('on a Stop hook the hook never runs, with a load diagnostic', async () => {
    await withClaude(hooksOf('Stop', [command('exit 2', { if: push }), 'true']), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ path: 'hooks.Stop[0].hooks[0].if', message: expect.stringContaining('Stop') }]);
      const result = await handler.fireAfterAgentEvent('p', 'r');
      expect(deeds(result)).toEqual(['skipped: condition', 'succeeded']);
      expect(result.verdict.kind).toBe('none');
    });
  });

  test.each(['SessionStart', 'UserPromptSubmit', 'PostToolBatch', 'SubagentStop'])(
    'claude §2 if: it is for events of one tool, and %s is not one',
    async (event) => {
      const [, eventName, input] = moment(event);
      await withClaude(hooksOf(event, command('true', { if: 'Bash' })), async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toMatchObject([{ path: `hooks.${event}[0].hooks[0].if` }]);
        expect(deeds(await handler.fire(eventName, input))).toEqual(['skipped: condition']);
      });
    },
  );

  test.each(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest', 'PermissionDenied'])(
    'claude §2 if: it counts on %s',
    async (event) => {
      const [, eventName, own] = moment(event);
      const input = { ...own, tool_name: 'run_shell_command', tool_input: { command: 'git push o' } };
      expect(await runs(push, [event, eventName, input])).toBe(true);
      expect(await runs('Bash(npm *)', [event, eventName, input])).toBe(false);
    },
  );

  test.each([
    'git status; git push o',
    'git status && git push o',
    'git status || git push o',
    'git status | git push o',
    'git push o & wait',
    'git status\ngit push o',
    '(cd x; git push o)',
    'if true; then git push o; fi',
    'echo $(git push o)',
    'echo "$(git push o)"',
    'echo `git push o`',
    'x=$(git push o)',
    'git  push   o',
    'git push "o r"',
    "git 'push' o",
  ])('claude §2 if: every part of a compound command is tested: %j', async (line) => {
    expect(await runs(push, shell(line))).toBe(true);
  });

  test.each([
    'FOO=1 git push o',
    'sudo git push o',
    'env -i git push o',
    '/usr/bin/git push o',
    'bash -c "git push o"',
    'git push o > log 2>&1',
    'git push "$REMOTE"',
    '$GIT push o',
    '\\git push o',
    '{git,push,o}',
    '/usr/bin/gi? push o',
    "git pu''sh o",
    'eval "git push o"',
  ])('claude §2 if: a command is found however it is written: %j', async (line) => {
    expect(await runs(push, shell(line))).toBe(true);
  });

  test.each([
    "echo 'git push o'",
    'echo "git push o"',
    'echo "a && git push o"',
    "echo '$(git push o)'",
    'echo a # git push o',
    'git stash push o',
    'ls *.js',
    'git p* o',
    '[ -e git ] && echo push',
    'echo {git,push}',
    'echo git push o',
  ])('claude §2 if: what is quoted, or stands elsewhere, is not a command: %j', async (line) => {
    expect(await runs(push, shell(line))).toBe(false);
  });

  test.each(['echo "unterminated', "echo 'unterminated", 'echo $(git status', 'echo `git status'])(
    'claude §2 if: a command that cannot be read runs the hook: %j',
    async (line) => {
      expect(await runs(push, shell(line))).toBe(true);
    },
  );

  test.each<[rule: string, line: string, expected: boolean]>([
    [push, 'echo $(date)', true],
    [push, 'npm run $TASK', true],
    [push, 'echo "`date`"', true],
    [push, 'for f in *; do echo $f; done', true],
    ['Bash(git push:*)', 'ls > "$LOG"', true],
    [push, "echo '$(date)'", false],
    ['Bash(git *)', 'echo $(date)', false],
    ['Bash(git:*)', 'npm run $TASK', false],
    ['Bash(git *)', '$TOOL git push', true],
  ])(
    'a rule with more than the name of a command fits lines with a variable or a substitution: %s and %j: %s',
    async (rule, line, expected) => {
      expect(await runs(rule, shell(line))).toBe(expected);
    },
  );

  test.each(['noglob git push o', 'nocorrect git push o', 'sudo noglob git push o'])('%j pushes', async (line) => {
    expect(await runs(push, shell(line))).toBe(true);
    expect(await runs('Bash(git *)', shell(line))).toBe(true);
  });

  test('a command line of more than ten thousand characters is not read, so every hook runs for it', async () => {
    expect(await runs('Bash(git *)', shell(`: ${'a'.repeat(9_998)}`))).toBe(false);
    expect(await runs('Bash(git *)', shell(`: ${'a'.repeat(9_999)}`))).toBe(true);
  });

  test('a rule with too many stars is reported with its place, and its hook runs without it', async () => {
    await withPlaces(async ({ write, at, discover }) => {
      const text = `{ "hooks": { "PreToolUse": [ { "hooks": [\n{ "command": "exit 2",\n"if": "Bash(${'*a'.repeat(11)})" } ] } ] } }`;
      write('project/.claude/settings.json', text);
      await discover(async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toMatchObject([
          {
            code: 'invalid_condition',
            severity: 'error',
            file: at('project/.claude/settings.json'),
            line: 3,
            message: expect.stringContaining('has 11 stars, and a rule may have at most 10'),
            remedy: expect.any(String),
          },
        ]);
        expect((await callBash(handler, 'ls')).verdict.kind).toBe('deny');
      });
    });
  });

  test.each<[ignoreCase: boolean | undefined, expected: boolean]>([
    [true, true],
    [false, false],
    [undefined, process.platform === 'darwin' || process.platform === 'win32'],
  ])('with ignoreCase %s, paths and names of commands are compared without regard to case: %s', async (ignoreCase, expected) => {
    const dialects = [claudeCode(ignoreCase === undefined ? {} : { ignoreCase })];
    const handlers = [command('true', { if: 'Read(secrets/**)' }), command('true # b', { if: 'Bash(rm *)' })];
    await withClaude(
      preToolUse(handlers),
      async ({ handler }) => {
        const ran = [expected ? 'succeeded' : 'skipped: condition', 'skipped: condition'];
        expect(deeds(await handler.fireBeforeToolEvent('read_file', { file_path: 'SECRETS/a' }))).toEqual(ran);
        expect(deeds(await callBash(handler, 'RM -rf x'))).toEqual(ran.toReversed());
      },
      { dialects },
    );
  });

  test('ignoreCase must be true or false', () => {
    expect(() => claudeCode({ ignoreCase: 'yes' as unknown as boolean })).toThrow(/ignoreCase/);
  });

  test('claude §2 if: an exact command, and one without a specifier', async () => {
    expect(await runs('Bash(npm test)', shell('npm test'))).toBe(true);
    expect(await runs('Bash(npm test)', shell('npm test -- -w'))).toBe(false);
    for (const rule of ['Bash(npm run test:*)', 'Bash(npm run test *)']) {
      for (const line of ['npm run test', 'npm run test -- -w']) expect(await runs(rule, shell(line))).toBe(true);
      // `test:unit` is the name of another script, and not an argument of this one.
      expect(await runs(rule, shell('npm run test:unit'))).toBe(false);
    }
    expect(await runs('Bash(rm:*)', shell('rmdir x'))).toBe(false);
    expect(await runs('Bash(rm*)', shell('rmdir x'))).toBe(true);
    for (const rule of ['Bash', 'Bash(*)']) expect(await runs(rule, shell('anything'))).toBe(true);
    expect(await runs('Edit', shell('anything'))).toBe(false);
  });

  const file = (tool_name: string, path: string): Moment => ['PreToolUse', 'BeforeTool', { tool_name, tool_input: { file_path: path } }];

  test.each<[rule: string, tool: string, path: string, expected: boolean]>([
    ['Edit(src/**)', 'replace', 'src/a.ts', true],
    ['Edit(src/**)', 'replace', 'src/deep/er/a.ts', true],
    ['Edit(src/**)', 'replace', './src/../src/a.ts', true],
    ['Edit(src/**)', 'replace', 'docs/a.md', false],
    ['Edit(src/**)', 'replace', 'src/../docs/a.md', false],
    ['Edit(src/**)', 'read_file', 'src/a.ts', false],
    ['Edit(*.ts)', 'replace', 'src/a.ts', true],
    ['Write(src/**)', 'write_file', 'src/a.ts', true],
    ['Read(./.env)', 'read_file', '.env', true],
    ['Read(./.env)', 'read_file', './.env', true],
    ['Read(./.env)', 'read_file', 'src/.env', false],
    ['Read(./.env)', 'read_file', '.envrc', false],
    ['Read', 'read_file', 'anything', true],
  ])('claude §2 if: %s and %s of %s: %s', async (rule, tool, path, expected) => {
    expect(await runs(rule, file(tool, path))).toBe(expected);
  });

  test('claude §2 if: a path of the disk, of the home directory and of the project', async () => {
    const fits = (rule: string, path: string) => runs(rule, file('replace', path));
    expect(await fits('Edit(//etc/**)', '/etc/passwd')).toBe(true);
    expect(await fits('Edit(//etc/**)', 'etc/passwd')).toBe(false);
    expect(await fits('Edit(/src/**)', 'src/a.ts')).toBe(true);
    expect(await fits('Edit(/src/**)', '/src/a.ts')).toBe(false);
    expect(await fits('Edit(~/notes/**)', join(homedir(), 'notes/a.md'))).toBe(true);
  });

  test('claude §2 if: the path is one of the project, whether the host says it absolute or not', async () => {
    await withClaude(preToolUse(command('true', { if: 'Edit(src/**)' })), async ({ handler, projectDir }) => {
      const edit = (path: string) => handler.fireBeforeToolEvent('replace', { path, old_string: 'a', new_string: 'b' });
      expect(deeds(await edit(`${projectDir}/src/a.ts`))).toEqual(['succeeded']);
      expect(deeds(await edit('/elsewhere/src/a.ts'))).toEqual(['skipped: condition']);
    });
  });

  const mcp = (tool: string, server: string): Moment => [
    'PreToolUse',
    'BeforeTool',
    { tool_name: tool, tool_input: {}, mcp_context: { server_name: server } },
  ];

  test.each<[rule: string, tool: string, server: string, expected: boolean]>([
    ['mcp__gh__search', 'search', 'gh', true],
    ['mcp__gh__search', 'create', 'gh', false],
    ['mcp__gh', 'search', 'gh', true],
    ['mcp__gh__*', 'search', 'gh', true],
    ['mcp__gh', 'search', 'gh2', false],
    ['mcp__gh__*', 'search', 'docs', false],
  ])('claude §2 if: %s and the tool %s of the server %s: %s', async (rule, tool, server, expected) => {
    expect(await runs(rule, mcp(tool, server))).toBe(expected);
  });

  test.each<[unknown, string]>([
    [7, 'no text'],
    ['Bash(git push *', 'not closed'],
  ])('claude §2 if: %j is a diagnostic, because it is %s', async (rule) => {
    await withClaude(preToolUse([command('true', { if: rule }), 'exit 2']), async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ path: 'hooks.PreToolUse[0].hooks[0].if', remedy: expect.any(String) }]);
      const result = await handler.fire('BeforeTool', shell('git status')[2]);
      expect(result.verdict.kind).toBe('deny');
    });
  });

  test('claude §2 if: it is asked beside the matcher, and both must hold', async () => {
    const fields = { matcher: 'Edit|Bash' };
    await withClaude(preToolUse(command('true', { if: push }), fields), async ({ handler }) => {
      expect(deeds(await handler.fire('BeforeTool', shell('git push o')[2]))).toEqual(['succeeded']);
      expect(deeds(await handler.fireBeforeToolEvent('replace', { file_path: 'a' }))).toEqual(['skipped: condition']);
      expect(deeds(await handler.fireBeforeToolEvent('read_file', { file_path: 'a' }))).toEqual(['skipped: matcher']);
    });
  });

  test('claude §2 if: explain names the condition', async () => {
    await withClaude(preToolUse(command('true', { if: push })), async ({ hooks }) => {
      const [, , input] = shell('git status');
      expect(hooks.explain('BeforeTool', input).hooks).toMatchObject([
        { wouldRun: false, skipReason: 'condition', reason: expect.stringContaining(push) },
      ]);
    });
  });
});
