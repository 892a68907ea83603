import { cursor } from '@tenterhook/dialects';
import type { CreateHooksOptions } from 'tenterhook';
import { says } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';
import { runCli } from '../../support/run-cli.js';
import { type CursorOptions, deeds, fire, hooksOf, settingsWith, shell, start, stop, withCursor, write } from './cursor-hooks.js';

const projectFile = 'project/.cursor/hooks.json';
const userFile = 'home/.cursor/hooks.json';

function discovering(places: Places): CreateHooksOptions {
  return { dialects: [cursor({ managedFile: places.at('etc/hooks.json') })] };
}

test('the files of the administrator, the project and the user are found in this order, with comments', async () => {
  await withPlaces(async (places) => {
    places.write('etc/hooks.json', settingsWith(hooksOf('preToolUse', ': managed')));
    places.write(
      projectFile,
      '{\n  // "//" in a text does not begin a comment\n  "version": 1,\n  "hooks": { "preToolUse": [\n    { "command": "echo https://x # project" }] } }',
    );
    places.write(userFile, settingsWith(hooksOf('preToolUse', ': user')));
    await places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toEqual([]);
      const { outcomes } = await handler.fire(...shell);
      expect(outcomes.map(({ source, status }) => [source, status])).toEqual([
        ['managed', 'succeeded'],
        ['project', 'blocked'],
        ['user', 'succeeded'],
      ]);
      expect(hooks.hooks.BeforeTool.map(({ line }) => line)).toEqual([1, 5, 1]);
    }, discovering(places));
  });
});

test('17. an invalid matcher is a diagnostic, and the other hooks run', async () => {
  const hooks = hooksOf('preToolUse', [{ command: 'exit 2', matcher: '[' }, 'true']);
  await withCursor(hooks, async ({ hooks: system, handler }) => {
    expect(system.diagnostics).toMatchObject([{ code: 'invalid_matcher', path: 'hooks.preToolUse[0].matcher' }]);
    expect(deeds(await handler.fire(...shell))).toEqual(['skipped: invalid', 'succeeded']);
  });
});

test('18. an unknown event is an error that says what Cursor does, and the other hooks load', async () => {
  await withCursor({ ...hooksOf('preToolUse', 'true'), PreToolUse: [], beforeShel: [] }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics.map(({ code, path, message, remedy }) => [code, path, message, remedy])).toEqual([
      [
        'unknown_event',
        'hooks.PreToolUse',
        'Unknown event "PreToolUse"; its hooks never run, and Cursor itself rejects the whole file.',
        'Did you mean "preToolUse"?',
      ],
      ['unknown_event', 'hooks.beforeShel', expect.stringContaining('rejects the whole file'), expect.any(String)],
    ]);
    expect(deeds(await handler.fire(...shell))).toEqual(['succeeded']);
  });
});

test('19. a command with a URL loads and runs', async () => {
  expect(deeds(await fire(shell, 'preToolUse', ': https://example.org/x'))).toEqual(['succeeded']);
});

test('20. another version is an error that names it, and nothing of the file runs; a missing one is a note', async () => {
  const hooks = hooksOf('preToolUse', [{ command: 'true' }, { command: 'true # closed', failClosed: true }]);
  await withCursor(
    {},
    async ({ hooks: system, handler }) => {
      expect(system.diagnostics).toMatchObject([{ code: 'invalid_document', severity: 'error', message: expect.stringContaining('is 2') }]);
      const result = await handler.fire(...shell);
      expect([deeds(result), result.verdict.kind]).toEqual([['skipped: invalid', 'skipped: invalid'], 'deny']);
    },
    { settings: { version: 2, hooks } },
  );
  await withCursor(
    {},
    async ({ hooks: system, handler }) => {
      expect(system.diagnostics).toMatchObject([{ code: 'invalid_field', severity: 'note' }]);
      expect(deeds(await handler.fire(...shell))).toEqual(['succeeded']);
    },
    { settings: { hooks: hooksOf('preToolUse', 'true') } },
  );
});

test('31. a command that two files have runs once, and a blank at its end makes it another one', async () => {
  await withPlaces(async (places) => {
    const counts = 'echo run >> "$HOME"/runs';
    places.write(projectFile, settingsWith(hooksOf('preToolUse', counts)));
    places.write(userFile, settingsWith(hooksOf('preToolUse', [counts, `${counts} `])));
    await places.discover(async ({ handler }) => {
      expect(deeds(await handler.fire(...shell))).toEqual(['succeeded', 'skipped: duplicate', 'succeeded']);
      expect(places.read('home/runs')).toBe('run\nrun\n');
    }, discovering(places));
  });
});

test.each(['./guard.sh', 'sh guard.sh', 'sh guard', '. ./guard.sh', 'cat | sh ./guard.sh', 'FILE=guard.sh; sh "$FILE"'])(
  '31. a relative script of two files is two scripts, so both run: %s',
  async (command) => {
    for (const denying of ['project', 'home/.cursor']) {
      await withPlaces(async (places) => {
        for (const folder of ['project', 'home/.cursor'])
          for (const name of ['guard', 'guard.sh'])
            places.write(
              `${folder}/${name}`,
              `#!/bin/sh\ncat > /dev/null\n${folder === denying ? 'echo no >&2; exit 2' : 'exit 0'}\n`,
              0o755,
            );
        for (const file of [projectFile, userFile]) places.write(file, settingsWith(hooksOf('preToolUse', command)));
        await places.discover(async ({ handler }) => {
          const result = await handler.fire(...shell);
          expect([denying, result.verdict.reason, result.outcomes.length]).toEqual([denying, 'no', 2]);
        }, discovering(places));
      });
    }
  },
);

test('32. a hook of the user starts in ~/.cursor, and one of the project in the project, wherever the agent works', async () => {
  await withPlaces(async (places) => {
    for (const file of [projectFile, userFile]) places.write(file, settingsWith(hooksOf('preToolUse', `pwd > here # ${file}`)));
    places.write('project/src/x', '');
    await places.discover(async ({ handler }) => {
      await handler.fire(shell[0], { ...shell[1], cwd: places.at('project/src') });
      expect([places.read('project/here'), places.read('home/.cursor/here')]).toEqual([
        `${places.project}\n`,
        `${places.at('home/.cursor')}\n`,
      ]);
    }, discovering(places));
  });
});

test('32. the file of the user starts its hooks in ~/.cursor also if the command line names it', async () => {
  await withPlaces(async (places) => {
    places.write('home/.cursor/guard.sh', '#!/bin/sh\ncat > /dev/null\necho no >&2\nexit 2\n', 0o755);
    places.write('project/guard.sh', '#!/bin/sh\ncat > /dev/null\n', 0o755);
    const file = places.write(userFile, settingsWith(hooksOf('preToolUse', './guard.sh')));
    const args = ['fire', 'preToolUse', '--settings', file, '--input', '{"tool_name":"Shell","tool_input":{"command":"ls"}}', '--json'];
    const { stdout } = await runCli(args, { cwd: places.project, home: places.home });
    expect(JSON.parse(stdout).output.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });
});

test('33. in a project that is not trusted its hooks are skipped, and those of the user run', async () => {
  await withPlaces(async (places) => {
    for (const file of [projectFile, userFile]) places.write(file, settingsWith(hooksOf('preToolUse', `: ${file}`)));
    const trust = { mode: 'store', directory: places.at('state') } as const;
    await places.discover(async ({ handler }) => expect(deeds(await handler.fire(...shell))).toEqual(['skipped: untrusted', 'succeeded']), {
      ...discovering(places),
      trust,
    });
  });
});

test('33. an accepted hook of the project runs, wherever the agent works', async () => {
  await withPlaces(async (places) => {
    places.write('project/guard.sh', '#!/bin/sh\necho no >&2\nexit 2\n', 0o755);
    places.write('project/src/x', '');
    places.write(projectFile, settingsWith(hooksOf('preToolUse', './guard.sh')));
    const trust = { mode: 'store', directory: places.at('state') } as const;
    await places.discover(
      async ({ hooks, handler }) => {
        for (const { pin } of hooks.trust.requests()) await hooks.trust.accept(pin);
        const result = await handler.fire(shell[0], { ...shell[1], cwd: places.at('project/src') });
        expect([deeds(result), result.verdict.reason]).toEqual([['blocked'], 'no']);
      },
      { ...discovering(places), trust },
    );
  });
});

test('34. a prompt needs a callback of the host, and the other hooks run without it', async () => {
  const hooks = hooksOf('preToolUse', [{ type: 'prompt', prompt: 'May it?' }, { command: 'true' }]);
  await withCursor(hooks, async ({ hooks: system, handler }) => {
    expect(system.diagnostics).toMatchObject([{ code: 'unknown_type' }]);
    expect(deeds(await handler.fire(...shell))).toEqual(['skipped: invalid', 'succeeded']);
  });
  const callbacks = { prompt: async () => ({ ok: false, reason: 'no' }) };
  await withCursor(
    hooks,
    async ({ handler }) => expect((await handler.fire(...shell)).verdict).toMatchObject({ kind: 'deny', reason: 'no' }),
    {
      callbacks,
    },
  );
});

test('a group, a hook without a command, wrong fields and fields of other agents are reported, and the siblings load', async () => {
  const entries = [
    { matcher: 'Shell', hooks: [{ command: 'exit 2' }] },
    { type: 'http', url: 'https://x' },
    { cmd: 'exit 2' },
    { command: 'echo "{}"', failClosed: 'yes', loop_limit: 3, timeout: '5s' },
    { command: 'true # b', if: 'Bash(rm *)' },
  ];
  await withCursor(hooksOf('preToolUse', entries), async ({ hooks, handler }) => {
    expect(hooks.diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['misplaced_hooks', 'hooks.preToolUse[0]'],
      ['unknown_type', 'hooks.preToolUse[1].type'],
      ['missing_command', 'hooks.preToolUse[2]'],
      ['invalid_field', 'hooks.preToolUse[3].failClosed'],
      ['invalid_field', 'hooks.preToolUse[3].loop_limit'],
      ['invalid_timeout', 'hooks.preToolUse[3].timeout'],
      ['invalid_field', 'hooks.preToolUse[4].if'],
    ]);
    expect(deeds(await handler.fire(...write))).toEqual([
      'skipped: invalid',
      'skipped: invalid',
      'skipped: invalid',
      'succeeded',
      'succeeded',
    ]);
  });
});

test.each([
  ['in a group', { matcher: 'Shell', hooks: [{ command: 'true', failClosed: true }] }],
  ['in a list', [{ command: 'true', failClosed: true }]],
  ['of an unknown type', { type: 'http', url: 'https://x', failClosed: true }],
])('an invalid hook with failClosed denies: %s', async (_, entry) => {
  await withCursor({ preToolUse: [entry] }, async ({ handler }) => {
    const result = await handler.fire(...shell);
    expect([deeds(result), result.verdict.kind]).toEqual([['skipped: invalid'], 'deny']);
  });
});

test.each(['true', 1, null])('failClosed of the wrong type counts as true, with an error: %j', async (failClosed) => {
  await withCursor(hooksOf('preToolUse', { command: 'exit 1', failClosed }), async ({ handler, hooks }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', severity: 'error', path: 'hooks.preToolUse[0].failClosed' }]);
    expect((await handler.fire(...shell)).verdict.kind).toBe('deny');
  });
});

test('fields with which a failure denies in other formats are reported, with the field of this format', async () => {
  await withCursor(hooksOf('preToolUse', { command: 'true', onError: 'block' }), async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', remedy: 'Write "failClosed": true.' }]);
  });
});

test('a matcher on an event without a value is ignored with a warning', async () => {
  await withCursor(hooksOf('sessionEnd', 'true', { matcher: 'x' }), async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'matcher_ignored', severity: 'warning' }]);
  });
});

test('files in other places are reported, and the command line reads the format by path and by name', async () => {
  await withPlaces(async (places) => {
    places.write('project/.cursor/settings.json', settingsWith(hooksOf('preToolUse', 'exit 2')));
    await places.discover(async ({ hooks }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'unread_file', file: places.at('project/.cursor/settings.json') }]);
    }, discovering(places));
    places.write(projectFile, settingsWith(hooksOf('beforeShellExecution', 'echo no >&2; exit 2')));
    const at = { cwd: places.project, home: places.home };
    const input = ['--input', '{"tool_name":"run_shell_command","tool_input":{"command":"ls"}}', '--json'];
    const byPath = await runCli(['fire', 'BeforeTool', '--settings', '.cursor/hooks.json', ...input], at);
    expect(JSON.parse(byPath.stdout).output.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    const shown = ['--input', '{"command":"ls"}', '--json'];
    const byName = await runCli(['fire', 'beforeShellExecution', '--dialect', 'cursor', '--settings', '.cursor/hooks.json', ...shown], at);
    expect(JSON.parse(byName.stdout).output.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });
});

test('the hooks of a plugin are found and receive its directory', async () => {
  await withPlaces(async (places) => {
    places.write('plugin/.cursor-plugin/plugin.json', { name: 'fmt', version: '2.0.0' });
    places.write('plugin/hooks/hooks-cursor.json', settingsWith(hooksOf('preToolUse', 'echo "$CURSOR_PLUGIN_ROOT" > root.txt')));
    const options = { extensions: [{ name: 'fmt', directory: places.at('plugin') }] } as object;
    await places.discover(
      async ({ handler, read }) => {
        expect((await handler.fire(...shell)).outcomes.map(({ source, status }) => [source, status])).toEqual([
          ['plugin:fmt', 'succeeded'],
        ]);
        expect(read('root.txt')).toBe(`${places.at('plugin')}\n`);
      },
      { ...discovering(places), ...options },
    );
  });
});

test('28. the variables of a project do not reach the hooks of the user, which do reach those of the project', async () => {
  await withPlaces(async (places) => {
    const writes = (level: string) => ({
      ...hooksOf('sessionStart', says({ env: { [`FROM_${level}`]: 'set', LEVEL: level } })),
      ...hooksOf('stop', `printf '%s %s %s' "$LEVEL" "$FROM_project" "$FROM_user" > ${level}.txt`),
    });
    places.write(projectFile, settingsWith(writes('project')));
    places.write(userFile, settingsWith(writes('user')));
    await places.discover(async ({ handler }) => {
      await handler.fire(...start);
      await handler.fire(...stop);
    }, discovering(places));
    expect(places.read('home/.cursor/user.txt')).toBe('user  set');
    expect(places.read('project/project.txt')).toMatch(/ set set$/);
  });
});

test('hooks that look at the content of a file are reported, unless the agent passes it', async () => {
  const hooks = hooksOf('beforeReadFile', ['./secrets.sh', './names.sh']);
  const codes = (own: CursorOptions) =>
    withCursor(hooks, async (scene) => scene.hooks.diagnostics.map(({ code }) => code), { cursor: own });
  expect(await codes({})).toEqual(['unsent_field']);
  expect(await codes({ passesContent: true })).toEqual([]);
});

test.each([
  [{ tools: 7 }, 'tools'],
  [{ model: 1 }, 'model'],
  [{ version: '' }, 'version'],
  [{ userEmail: 1 }, 'userEmail'],
  [{ managedFile: 'a.json' }, 'managedFile'],
  [{ ask: 'maybe' }, 'ask'],
  [{ passesContent: 'yes' }, 'passesContent'],
  [{ aks: 'deny' }, 'aks'],
])('the options %j are refused', (options, named) => {
  expect(() => cursor(options as object)).toThrow(named);
});
