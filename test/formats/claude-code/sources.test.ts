import { executeToolWithHooks } from '@tenterhook/agent';
import type { CreateHooksOptions } from 'tenterhook';
import { recordingTool, withClient } from '../../support/agent.js';
import { withEnvironment } from '../../support/environment.js';
import { says, settingsOf, withEndingHooks } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';
import {
  callBash,
  command,
  deeds,
  type HookGroups,
  hooksOf,
  idOf,
  permission,
  preToolUse,
  seen,
  specific,
  specificOf,
  withClaude,
} from './claude-hooks.js';
import { moment } from './moments.js';

describe('sources', () => {
  const [projectFile, localFile, userFile] = [
    'project/.claude/settings.json',
    'project/.claude/settings.local.json',
    'home/.claude/settings.json',
  ];
  const log = preToolUse('echo ran >> "$CLAUDE_PROJECT_DIR/ran"');
  const plugin = (hooks: object): CreateHooksOptions => ({ extensions: [{ name: 'p', hooks, dialect: 'claude-code' }] });

  test('the same command in user and project settings runs once, and the other one names it', async () => {
    await withPlaces(async (places) => {
      places.write(projectFile, { hooks: log });
      places.write(userFile, { hooks: log });
      await places.discover(async ({ handler, read }) => {
        const kept = idOf('0.0', 'BeforeTool', 'project');
        expect((await callBash(handler)).outcomes).toMatchObject([
          { hookId: kept, source: 'project', status: 'succeeded' },
          { source: 'user', status: 'skipped', skipReason: 'duplicate', duplicateOf: kept },
        ]);
        expect(read('ran')).toBe('ran\n');
      });
    });
  });

  test('the same from a plugin is a hook of its own: two runs', async () => {
    await withPlaces(async (places) => {
      places.write(userFile, { hooks: log });
      await places.discover(async ({ handler, read }) => {
        expect((await callBash(handler)).outcomes).toMatchObject([
          { source: 'user', status: 'succeeded' },
          { source: 'plugin:p', status: 'succeeded' },
        ]);
        expect(read('ran')).toBe('ran\nran\n');
      }, plugin(log));
    });
  });

  test('claude §3: handlers that differ are two hooks, although their command is the same', async () => {
    await withPlaces(async (places) => {
      places.write(projectFile, { hooks: preToolUse(command('echo ran >> ran', { if: 'Bash(npm *)' })) });
      places.write(userFile, { hooks: preToolUse(command('echo ran >> ran', { shell: 'bash' })) });
      await places.discover(async ({ handler }) => expect(deeds(await callBash(handler))).toEqual(['succeeded', 'succeeded']));
    });
  });

  test('claude §1: the files of the project, of its owner and of the user are found, with no switch, and add up in that order', async () => {
    await withPlaces(async (places) => {
      const note = (text: string) => ({ model: 'opus', hooks: hooksOf('UserPromptSubmit', `echo ${text}`) });
      const files = [
        places.write(projectFile, note('project')),
        places.write(localFile, note('local')),
        places.write(userFile, note('user')),
      ];
      await places.discover(async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toEqual([]);
        const found = hooks.files.filter(({ dialect, state }) => dialect === 'claude-code' && state === 'read');
        expect(found).toMatchObject(['project', 'local', 'user'].map((source, index) => ({ file: files[index], source })));
        const result = await handler.fireBeforeAgentEvent('p');
        expect(result.outcomes.map(({ source }) => source)).toEqual(['project', 'local', 'user']);
        expect(specificOf(result)['additionalContext']).toBe('project\nlocal\nuser');
        expect(hooks.hooks.BeforeAgent).toMatchObject(files.map((file) => ({ dialect: 'claude-code', file, line: expect.any(Number) })));
      });
    });
  });

  test('claude §1: $CLAUDE_CONFIG_DIR is where the file of the user is, in place of ~/.claude', async () => {
    await withPlaces(async (places) => {
      places.write(userFile, { hooks: hooksOf('UserPromptSubmit', 'echo home') });
      places.write('elsewhere/settings.json', { hooks: hooksOf('UserPromptSubmit', 'echo elsewhere') });
      const said = () => places.discover(async ({ handler }) => specificOf(await handler.fireBeforeAgentEvent('p'))['additionalContext']);
      expect(await withEnvironment({ CLAUDE_CONFIG_DIR: places.at('elsewhere') }, said)).toBe('elsewhere');
      expect(await withEnvironment({ CLAUDE_CONFIG_DIR: undefined }, said)).toBe('home');
    });
  });

  const guard = ['#!/usr/bin/env bash', 'input=$(cat)', 'case "$input" in *"rm -rf"*) echo "no rm" >&2; exit 2;; esac'].join('\n');

  /** Writes the example of Claude Code's documentation: a script of the project, with quotes around the variable. */
  function writeGuard(places: Places): void {
    places.write('project/.claude/hooks/guard.sh', guard, 0o755);
    const handler = command('"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', { timeout: 10, onFailure: 'block' });
    places.write(projectFile, {
      disableAllHooks: false,
      hooks: {
        ...preToolUse(handler, { matcher: 'Bash' }),
        ...hooksOf('Stop', command('[ -e tested ] || { echo run the tests >&2; exit 2; }')),
      },
    });
  }

  test('claude §1: a script of the project guards the host, from an unmodified settings file', async () => {
    await withPlaces(async (places) => {
      writeGuard(places);
      await places.discover(async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toEqual([]);
        expect((await callBash(handler, 'ls')).verdict.kind).toBe('none');
        expect((await callBash(handler, 'rm -rf /')).verdict).toMatchObject({ kind: 'deny', reason: 'no rm' });
        expect((await handler.fireAfterAgentEvent('p', 'r')).verdict).toMatchObject({ kind: 'deny', reason: 'run the tests' });
      });
    });
  });

  test('claude §1: hooks of a project that is not trusted are skipped, and those of the user run', async () => {
    await withPlaces(async (places) => {
      places.write(projectFile, { hooks: preToolUse('touch ran') });
      places.write(localFile, { hooks: preToolUse('touch ran-locally') });
      places.write(userFile, { hooks: preToolUse('true') });
      const isTrusted = (source: string) => source === 'user';
      await places.discover(
        async ({ handler, read }) => {
          expect(deeds(await callBash(handler))).toEqual(['skipped: untrusted', 'skipped: untrusted', 'succeeded']);
          expect([read('ran'), read('ran-locally')]).toEqual([undefined, undefined]);
        },
        { isTrusted },
      );
    });
  });

  test('claude §1: hooks/hooks.json of a plugin may have a description, and is read with its lines', async () => {
    await withPlaces(async (places) => {
      const text = `{\n  "description": "guards",\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [\n        { "type": "command", "command": "exit 2" } ] } ] } }\n`;
      const file = places.write('plugins/p/hooks/hooks.json', text);
      const extensions = [{ name: 'p', directory: places.at('plugins/p') }];
      await places.discover(
        async ({ hooks, handler }) => {
          expect(hooks.diagnostics).toEqual([]);
          expect(hooks.hooks.BeforeTool).toMatchObject([{ dialect: 'claude-code', source: 'plugin:p', file, line: 6 }]);
          expect((await callBash(handler)).verdict).toMatchObject({ kind: 'deny', by: [idOf('0.0', 'BeforeTool', 'plugin:p')] });
        },
        { extensions },
      );
    });
  });

  test('claude §1: hooks may be in the manifest of a plugin', async () => {
    await withPlaces(async (places) => {
      const manifest = places.write('plugins/p/.claude-plugin/plugin.json', { name: 'p', version: '1.0.0', hooks: preToolUse('exit 2') });
      const extensions = [{ name: 'p', directory: places.at('plugins/p') }];
      await places.discover(
        async ({ hooks, handler }) => {
          expect(hooks.diagnostics).toEqual([]);
          expect(hooks.hooks.BeforeTool).toMatchObject([{ source: 'plugin:p', file: manifest, line: 1 }]);
          expect((await callBash(handler)).verdict.kind).toBe('deny');
        },
        { extensions },
      );
    });
  });

  test('claude §1: one group of handlers may mix types, and what cannot run is a diagnostic each', async () => {
    const handlers = [command('true'), { type: 'telepathy', thought: 'x' }, { type: 'command' }, { type: 'http' }, 'exit 2'];
    await withClaude(preToolUse(handlers), async ({ hooks, handler }) => {
      const paths = hooks.diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ path }) => path?.replace(/(?<=hooks\[\d\]).*/, ''));
      expect(paths).toEqual([1, 2, 3].map((index) => `hooks.PreToolUse[0].hooks[${index}]`));
      expect(deeds(await callBash(handler))).toEqual(['succeeded', 'skipped: invalid', 'skipped: invalid', 'skipped: invalid', 'blocked']);
    });
  });

  test.each([
    ['BeforeTool', 'PreToolUse'],
    ['preToolUse', 'PreToolUse'],
    ['PreTooluse', 'PreToolUse'],
    ['SubagentStopp', 'SubagentStop'],
  ])('claude §1: the event %s is a diagnostic whose remedy is %s, and the others run', async (event, meant) => {
    await withClaude({ ...hooksOf(event, 'exit 2'), ...preToolUse('true') }, async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([
        {
          code: 'unknown_event',
          severity: 'error',
          path: `hooks.${event}`,
          remedy: expect.stringContaining(meant),
          dialect: 'claude-code',
        },
      ]);
      expect(deeds(await callBash(handler)).at(-1)).toBe('succeeded');
    });
  });

  test('claude §1: settings that are given are recognised by their events, beside those of LLxprt', async () => {
    const own = { hooks: preToolUse(specific('PreToolUse', { additionalContext: 'claude' })) };
    await withEndingHooks({ settings: [own, settingsOf('BeforeTool', ['echo llxprt'])] }, async ({ hooks, handler }) => {
      expect(hooks.diagnostics.filter(({ severity }) => severity !== 'note')).toEqual([]);
      const result = await callBash(handler);
      expect(result.outcomes.map(({ dialect, source }) => [dialect, source])).toEqual([
        ['llxprt', 'settings:2'],
        ['claude-code', 'settings:1'],
      ]);
      expect(result.finalOutput).toMatchObject({ systemMessage: 'llxprt', hookSpecificOutput: { additionalContext: 'claude' } });
    });
  });
});

describe('front matter', () => {
  /** Hooks from the front matter of a skill or of a subagent, which the host passes. */
  function fromFrontMatter(frontMatterOf: 'skill' | 'subagent', hooks: HookGroups): CreateHooksOptions {
    const extensions: NonNullable<CreateHooksOptions['extensions']> = [{ name: 'reviewer', hooks, dialect: 'claude-code', frontMatterOf }];
    return { settings: {}, extensions };
  }

  const [, subagentStop, stopInput] = moment('SubagentStop');

  test('claude §1 once: in the front matter of a skill a hook runs once in a session', async () => {
    const hooks = preToolUse(command('echo ran >> ran', { once: true }));
    await withClaude(
      {},
      async ({ hooks: system, handler, read }) => {
        expect(system.diagnostics).toEqual([]);
        expect(deeds(await callBash(handler))).toEqual(['succeeded']);
        expect(deeds(await callBash(handler))).toEqual(['skipped: once']);
        expect(deeds(await callBash(handler))).toEqual(['skipped: once']);
        expect(read('ran')).toBe('ran\n');
      },
      fromFrontMatter('skill', hooks),
    );
  });

  test('claude §1 once: it has not run where its matcher did not fit', async () => {
    const hooks = preToolUse(command('true', { once: true }), { matcher: 'Bash' });
    await withClaude(
      {},
      async ({ handler }) => {
        expect(deeds(await handler.fireBeforeToolEvent('read_file', {}))).toEqual(['skipped: matcher']);
        expect(deeds(await callBash(handler))).toEqual(['succeeded']);
        expect(deeds(await callBash(handler))).toEqual(['skipped: once']);
      },
      fromFrontMatter('skill', hooks),
    );
  });

  test('claude §1 once: in settings it has no effect', async () => {
    await withClaude(preToolUse(command('true', { once: true })), async ({ hooks, handler }) => {
      expect(hooks.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(deeds(await callBash(handler))).toEqual(['succeeded']);
      expect(deeds(await callBash(handler))).toEqual(['succeeded']);
    });
  });

  test('claude §1 subagent: Stop in its front matter means SubagentStop', async () => {
    await withClaude(
      {},
      async ({ hooks: system, handler, read }) => {
        expect(system.has('AfterAgent')).toBe(false);
        expect(system.has('SubagentStop')).toBe(true);
        expect((await handler.fireAfterAgentEvent('p', 'r')).outcomes).toEqual([]);
        const result = await handler.fire(subagentStop, stopInput);
        expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'not yet' });
        expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ hook_event_name: 'SubagentStop', agent_type: 'reviewer' });
      },
      fromFrontMatter('subagent', hooksOf('Stop', 'cat > seen.json; echo not yet >&2; exit 2')),
    );
  });

  test('claude §1 subagent: in the front matter of a skill Stop is Stop', async () => {
    await withClaude(
      {},
      async ({ hooks: system, handler }) => {
        expect(system.has('SubagentStop')).toBe(false);
        expect((await handler.fireAfterAgentEvent('p', 'r')).verdict.kind).toBe('deny');
      },
      fromFrontMatter('skill', hooksOf('Stop', 'exit 2')),
    );
  });

  test('claude §1 subagent: its other hooks are what they are, while the host says that it runs', async () => {
    await withClaude(
      {},
      async ({ hooks: system, handler }) => {
        expect((await callBash(handler)).verdict.kind).toBe('deny');
        await system.extensions.remove('reviewer');
        expect((await callBash(handler)).outcomes).toEqual([]);
        expect((await handler.fire(subagentStop, stopInput)).outcomes).toEqual([]);
      },
      fromFrontMatter('subagent', { ...preToolUse('exit 2'), ...hooksOf('Stop', 'exit 2') }),
    );
  });

  test('claude §1 skill: its hooks run until the host says that it has ended', async () => {
    await withClaude(
      {},
      async ({ hooks: system, handler }) => {
        expect((await callBash(handler)).verdict.kind).toBe('deny');
        await system.extensions.remove('reviewer');
        expect((await callBash(handler)).outcomes).toEqual([]);
      },
      fromFrontMatter('skill', preToolUse('exit 2')),
    );
  });

  test('claude §3: the same command in settings and in a skill are two hooks', async () => {
    const same = preToolUse('echo ran >> ran');
    await withClaude(
      {},
      async ({ handler, read }) => {
        expect(deeds(await callBash(handler))).toEqual(['succeeded', 'succeeded']);
        expect(read('ran')).toBe('ran\nran\n');
      },
      { ...fromFrontMatter('skill', same), settings: { hooks: same } },
    );
  });
});

describe('mixed', () => {
  const inLlxprt = (text: string, fields: object = {}) => ({
    tools: { enableHooks: true },
    ...settingsOf('BeforeTool', [{ command: text, ...fields }]),
  });
  const inEca = (text: string) => ({ hooks: { guard: { type: 'preToolCall', actions: [{ type: 'shell', shell: text }] } } });
  const inGemini = (text: string) => ({ hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: text }] }] } });
  const [llxprtFile, claudeFile, ecaFile] = ['project/.llxprt/settings.json', 'project/.claude/settings.json', 'project/.eca/config.json'];

  test('claude README §10: one call, each hook receives it in its own format, from the files of four agents and no option', async () => {
    await withPlaces(async (places) => {
      const files = [
        places.write(llxprtFile, inLlxprt('cat > llxprt.json')),
        places.write(claudeFile, { hooks: preToolUse('cat > claude.json') }),
        places.write('project/.gemini/settings.json', inGemini('cat > gemini.json')),
        places.write(ecaFile, inEca('cat > eca.json')),
      ];
      await places.discover(async (scene) => {
        expect(scene.hooks.diagnostics).toEqual([]);
        expect((await callBash(scene.handler)).outcomes).toMatchObject(
          ['llxprt', 'claude-code', 'gemini-cli', 'eca'].map((dialect) => ({ dialect, status: 'succeeded' })),
        );
        expect(seen(scene, 'llxprt.json')).toMatchObject({ hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' });
        expect(seen(scene, 'claude.json')).toMatchObject({ hook_event_name: 'PreToolUse', tool_name: 'Bash' });
        expect(seen(scene, 'gemini.json')).toMatchObject({ hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' });
        expect(seen(scene, 'eca.json')).toMatchObject({ hook_type: 'preToolCall', tool_name: 'shell_command' });
        for (const one of ['llxprt.json', 'claude.json', 'gemini.json', 'eca.json'])
          expect(seen(scene, one)['tool_input']).toEqual({ command: 'npm test' });
        const explained = scene.hooks.explain('BeforeTool', { tool_name: 'run_shell_command', tool_input: {} }).hooks;
        expect(explained).toMatchObject(files.map((file) => ({ file, line: expect.any(Number), wouldRun: true })));
      });
    });
  });

  test('claude §3: a deny ends the plan, and the hooks of the next agent do not run', async () => {
    await withPlaces(async (places) => {
      places.write(llxprtFile, inLlxprt(says({ decision: 'allow' })));
      places.write(claudeFile, { hooks: preToolUse('echo no >&2; exit 2') });
      places.write(ecaFile, inEca('touch ran'));
      await places.discover(async ({ handler, read }) => {
        const result = await callBash(handler);
        expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
        expect(deeds(result)).toEqual(['succeeded', 'blocked', 'skipped: chain-ended']);
        expect(read('ran')).toBeUndefined();
      });
    });
  });

  test('claude §3: what the hook of one agent rewrote is what the next one sees, and a condition is asked about that', async () => {
    await withPlaces(async (places) => {
      places.write(llxprtFile, inLlxprt(says({ hookSpecificOutput: { tool_input: { command: 'git push o' } } }), { recheck: false }));
      const rewrites = `cat > claude.json; ${specific('PreToolUse', { updatedInput: { command: 'git push mine' } })}`;
      places.write(claudeFile, { hooks: preToolUse([command(rewrites, { if: 'Bash(git push *)' })]) });
      places.write(ecaFile, inEca('cat > eca.json'));
      await places.discover(async (scene) => {
        const result = await callBash(scene.handler);
        expect(deeds(result)).toEqual(['succeeded', 'succeeded', 'succeeded']);
        expect(seen(scene, 'claude.json')['tool_input']).toEqual({ command: 'git push o' });
        expect(seen(scene, 'eca.json')['tool_input']).toEqual({ command: 'git push mine' });
        expect(specificOf(result)['tool_input']).toEqual({ command: 'git push mine' });
      });
    });
  });

  test('claude §3: a guard whose condition held of the call as it was runs also when another hook has rewritten the call', async () => {
    await withPlaces(async (places) => {
      places.write(llxprtFile, inLlxprt(says({ hookSpecificOutput: { tool_input: { command: 'true' } } })));
      places.write(claudeFile, { hooks: preToolUse(command('exit 2', { if: 'Bash(npm *)' }), { matcher: 'Bash' }) });
      await places.discover(async ({ handler }) => expect((await callBash(handler)).verdict.kind).toBe('deny'));
    });
  });

  test('claude README §10: the host speaks canonical events only, and is blocked by a matcher on Bash', async () => {
    const own = { hooks: preToolUse(permission('deny', { permissionDecisionReason: 'no' }), { matcher: 'Bash' }) };
    await withClient({ settings: [own] }, async ({ client }) => {
      const tool = recordingTool();
      const call = await executeToolWithHooks(client, { name: 'run_shell_command', input: { command: 'npm test' }, ...tool });
      expect(call).toMatchObject({ status: 'blocked', reason: 'no' });
      expect(tool.calls).toEqual([]);
    });
  });
});
