import type { CreateHooksOptions } from 'tenterhook';
import { withEnvironment } from '../support/environment.js';
import { settingsOf, withHooks } from '../support/fire-hooks.js';
import { type Places, withPlaces } from '../support/places.js';
import { callBash, command, deeds, hooksOf, idOf, preToolUse, specific, specificOf, withClaude } from './claude-hooks.js';

const [projectFile, localFile, userFile] = [
  'project/.claude/settings.json',
  'project/.claude/settings.local.json',
  'home/.claude/settings.json',
];
const log = preToolUse('echo ran >> "$CLAUDE_PROJECT_DIR/ran"');
const plugin = (hooks: object): CreateHooksOptions => ({ extensions: [{ name: 'p', hooks, dialect: 'claude-code' }] });

test('claude 21: the same command in user and project settings runs once, and the other one names it', async () => {
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

test('claude 21: the same from a plugin is a hook of its own: two runs', async () => {
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

/** The example of the format, with a script of the project and quotes around the variable. */
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

test('claude §1: hooks may stand in the manifest of a plugin', async () => {
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
      { code: 'unknown_event', severity: 'error', path: `hooks.${event}`, remedy: expect.stringContaining(meant), dialect: 'claude-code' },
    ]);
    expect(deeds(await callBash(handler)).at(-1)).toBe('succeeded');
  });
});

test('claude §1: settings that are given are recognised by their events, beside those of LLxprt', async () => {
  const own = { hooks: preToolUse(specific('PreToolUse', { additionalContext: 'claude' })) };
  await withHooks({ settings: [own, settingsOf('BeforeTool', ['echo llxprt'])] }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics.filter(({ severity }) => severity !== 'note')).toEqual([]);
    const result = await callBash(handler);
    expect(result.outcomes.map(({ dialect, source }) => [dialect, source])).toEqual([
      ['llxprt', 'settings:2'],
      ['claude-code', 'settings:1'],
    ]);
    expect(result.finalOutput).toMatchObject({ systemMessage: 'llxprt', hookSpecificOutput: { additionalContext: 'claude' } });
  });
});
