import { copilot } from '@tenterhook/dialects';
import type { DialectContext } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { withEnvironment } from '../../support/environment.js';
import { outcomeAt } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';
import { runCli } from '../../support/run-cli.js';
import { withServer } from '../claude-code/http-server.js';
import { after, deeds, fire, hooksOf, seen, settingsWith, shell, start, warningsOf, withCopilot, write } from './copilot-hooks.js';

const projectFile = 'project/.github/hooks/guards.json';
const userFile = 'home/.copilot/hooks/own.json';
const denies = 'echo no >&2; exit 2';

function discovering(places: Places): CreateHooksOptions {
  return { dialects: [copilot({ managedFolder: places.at('etc') })] };
}

test('the files of the administrator, the user and the project are found, and their hooks run in this order', async () => {
  await withPlaces(async (places) => {
    const files = [
      'etc/policy.json',
      userFile,
      'home/.copilot/settings.json',
      'project/.github/hooks/a.json',
      'project/.github/hooks/b.json',
      'project/.github/copilot/settings.json',
      'project/.github/copilot/settings.local.json',
    ];
    for (const file of files) places.write(file, settingsWith(hooksOf('preToolUse', `: ${file}`)));
    places.write('project/.github/hooks/README.md', 'no settings');
    await places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toEqual([]);
      const { outcomes } = await handler.fire(...shell);
      expect(outcomes.map(({ file, source, status }) => [file, source, status])).toEqual(
        files.map((file, index) => [
          places.at(file),
          ['managed', 'user', 'user', 'project', 'project', 'project', 'local'][index],
          'succeeded',
        ]),
      );
    }, discovering(places));
  });
});

test('COPILOT_HOME moves the files of the user', async () => {
  await withPlaces(
    async (places) => {
      places.write('elsewhere/hooks/own.json', settingsWith(hooksOf('preToolUse', denies)));
      await places.discover(async ({ handler }) => expect((await handler.fire(...shell)).verdict.kind).toBe('deny'), discovering(places));
    },
    (places) => ({ COPILOT_HOME: places.at('elsewhere') }),
  );
});

test('groups as in Claude Code are read under either spelling', async () => {
  const group = { matcher: 'bash', hooks: [{ type: 'command', command: denies, timeout: 10 }, { command: 'true' }] };
  for (const key of ['preToolUse', 'PreToolUse']) {
    await withCopilot({ [key]: [group, { type: 'command', command: 'true' }] }, async ({ handler, hooks }) => {
      expect(hooks.diagnostics).toEqual([]);
      expect(deeds(await handler.fire(...write))).toEqual(['skipped: matcher', 'skipped: matcher', 'succeeded']);
      expect((await handler.fire(...shell)).verdict).toMatchObject({ kind: 'deny', by: [`copilot/settings/BeforeTool/${key}.0.0`] });
    });
  }
});

test('18. an invalid matcher is a diagnostic, the hook is skipped, and its siblings run', async () => {
  const hooks = hooksOf('preToolUse', { command: denies, matcher: '[' }, 'true');
  await withCopilot(hooks, async ({ hooks: system, handler }) => {
    expect(system.diagnostics).toMatchObject([{ code: 'invalid_matcher', path: 'hooks.preToolUse[0].matcher' }]);
    expect(deeds(await handler.fire(...shell))).toEqual(['skipped: invalid', 'succeeded']);
  });
});

test.each(['*', ''])('39. the matcher %j of a camel key is a diagnostic, and the hook is skipped', async (matcher) => {
  await withCopilot(hooksOf('preToolUse', { command: 'true', matcher }), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_matcher' }]);
    expect(deeds(await handler.fire(...shell))).toEqual(['skipped: invalid']);
  });
});

test('26. a prompt needs a host that submits it, and runs only at the start of a session', async () => {
  const entry = { type: 'prompt', prompt: 'Read the notes.' };
  await withCopilot({ ...hooksOf('sessionStart', entry), ...hooksOf('preToolUse', entry) }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics.map(({ code, path }) => [code, path]).sort()).toEqual([
      ['unknown_type', 'hooks.preToolUse[0].type'],
      ['unknown_type', expect.stringContaining('hooks.sessionStart[0]')],
    ]);
    expect(deeds(await handler.fire(...start))).toEqual(['skipped: invalid']);
  });
  const submitted: unknown[] = [];
  const callbacks = { prompt: async ({ data }: { readonly data: unknown }) => submitted.push(data) };
  await withCopilot(
    hooksOf('sessionStart', entry),
    async ({ handler }) => expect(deeds(await handler.fire(...start))).toEqual(['succeeded']),
    {
      callbacks: callbacks as never,
    },
  );
  expect(submitted).toEqual([{ prompt: 'Read the notes.' }]);
});

const machine = (platform: string, environment: DialectContext['environment'] = {}): DialectContext => ({
  projectDir: '/srv/app',
  home: '/home/u',
  environment,
  platform,
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
});
const parsedOn = (platform: string, entry: object, options: object = {}, environment: DialectContext['environment'] = {}) => {
  const document = { source: 'settings', value: settingsWith({ preToolUse: [entry] }), locate: () => undefined };
  const { hooks, diagnostics } = copilot(options).parse(document, machine(platform, environment));
  return { action: hooks[0]?.action, cwd: hooks[0]?.cwd, skip: hooks[0]?.skip?.skipReason, codes: diagnostics.map(({ code }) => code) };
};

test('27. command is for every system; bash alone does not run on Windows, which a diagnostic says', () => {
  const both = { bash: 'b', powershell: 'p' };
  expect(parsedOn('linux', both).action).toMatchObject({ command: 'b' });
  // The shell of Windows is PowerShell. The spawner starts it by its absolute path.
  expect(parsedOn('win32', both).action).toEqual({ kind: 'command', command: 'p' });
  expect(parsedOn('linux', { command: 'c' }).action).toMatchObject({ command: 'c' });
  expect(parsedOn('win32', { command: 'c' }).action).toEqual({ kind: 'command', command: 'c' });
  expect(parsedOn('win32', { bash: 'b' })).toMatchObject({ skip: 'invalid', codes: ['missing_command'] });
  expect(parsedOn('linux', { powershell: 'p' })).toMatchObject({ skip: 'invalid', codes: ['missing_command'] });
  expect(parsedOn('linux', { command: 'c', linux: 'l' }, { product: 'vscode' }).action).toMatchObject({ command: 'l' });
});

test('28. exec and args run without a shell', async () => {
  const args = ['-e', 'process.stderr.write(process.argv[1]); process.exit(2)', '$HOME'];
  expect((await fire(shell, 'preToolUse', { exec: process.execPath, args })).verdict).toMatchObject({ kind: 'deny', reason: '$HOME' });
});

test('a hook starts in its cwd, which is relative to the project', async () => {
  expect(parsedOn('linux', { command: 'c', cwd: 'sub' }).cwd).toBe('/srv/app/sub');
  expect(parsedOn('linux', { command: 'c', cwd: '{{project_dir}}/x' }).cwd).toBe('/srv/app/x');
  expect(parsedOn('linux', { command: '{{project_dir}}/guard.sh' }).action).toMatchObject({ command: '/srv/app/guard.sh' });
});

test('29. a request that decides about a tool needs https, and a failing server is a warning', async () => {
  const entry = { type: 'http', url: 'http://audit.example/hook' };
  expect(parsedOn('linux', entry)).toMatchObject({ skip: 'invalid', codes: ['invalid_hook'] });
  expect(parsedOn('linux', { ...entry, url: 'https://audit.example/hook' })).toMatchObject({ skip: undefined, codes: [] });
  expect(parsedOn('linux', entry, {}, { COPILOT_HOOK_ALLOW_HTTP_AUTH_HOOKS: '1' }).codes).toEqual([]);
  for (const [answer, kind] of [
    [{ status: 500, body: 'broken' }, 'none'],
    [{ body: JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: 'no' }) }, 'deny'],
  ] as const) {
    await withEnvironment({ COPILOT_HOOK_ALLOW_LOCALHOST: '1' }, () =>
      withServer(answer, async ({ url, posted }) => {
        const hook = { type: 'http', url: `${url}/hook`, headers: { 'X-Token': '$TOKEN' }, allowedEnvVars: ['TOKEN'] };
        const result = await fire(shell, 'preToolUse', hook);
        expect([result.verdict.kind, posted.length]).toEqual([kind, 1]);
        if (kind === 'none') expect(warningsOf(outcomeAt(result, 0))).toContain('500');
      }),
    );
  }
});

test('30. disableAllHooks switches off the hooks of its own file, and explain lists them', async () => {
  await withPlaces(async (places) => {
    places.write('project/.github/hooks/a.json', { ...settingsWith(hooksOf('preToolUse', denies)), disableAllHooks: true });
    places.write('project/.github/hooks/b.json', settingsWith(hooksOf('preToolUse', 'true')));
    await places.discover(async ({ hooks, handler }) => {
      expect(deeds(await handler.fire(...shell))).toEqual(['skipped: disabled', 'succeeded']);
      expect(hooks.explain('BeforeTool', shell[1]).hooks.map(({ wouldRun, skipReason }) => [wouldRun, skipReason])).toEqual([
        [false, 'disabled'],
        [true, undefined],
      ]);
    }, discovering(places));
  });
});

test('30. in the settings of the user it switches off all hooks of Copilot up to this level', async () => {
  await withPlaces(async (places) => {
    places.write('home/.copilot/settings.json', { disableAllHooks: true });
    places.write('etc/policy.json', settingsWith(hooksOf('preToolUse', 'true')));
    places.write(projectFile, settingsWith(hooksOf('preToolUse', denies)));
    await places.discover(async ({ handler }) => {
      const { outcomes } = await handler.fire(...shell);
      expect(outcomes.filter(({ status }) => status === 'succeeded').map(({ source }) => source)).toEqual(['managed']);
    }, discovering(places));
  });
});

test('31. a bad entry is a diagnostic, and the others run', async () => {
  const entries = ['no object', { type: 'htp', url: 'https://x' }, { cmd: 'x' }, { command: 'true', timeoutSec: 0 }, { command: denies }];
  await withCopilot({ preToolUse: entries }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics.map(({ code }) => code)).toEqual(['invalid_hook', 'unknown_type', 'missing_command', 'invalid_timeout']);
    const result = await handler.fire(...shell);
    expect([deeds(result), result.verdict.kind]).toEqual([
      ['skipped: invalid', 'skipped: invalid', 'skipped: invalid', 'succeeded', 'blocked'],
      'deny',
    ]);
  });
});

test('an unknown key is an error with the right name, and a matcher without a value is ignored', async () => {
  await withCopilot({ preToolUs: [], ...hooksOf('sessionEnd', { command: 'true', matcher: 'x' }) }, async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([
      { code: 'unknown_event', remedy: expect.stringContaining('preToolUse') },
      { code: 'matcher_ignored' },
    ]);
  });
});

test('32. a policy that other users can write is not obeyed, and a diagnostic says why', async () => {
  await withPlaces(async (places) => {
    places.write('etc/policy.json', settingsWith(hooksOf('preToolUse', 'true')), 0o666);
    await places.discover(
      async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toMatchObject([{ code: 'writable_by_others', file: places.at('etc/policy.json') }]);
        expect(deeds(await handler.fire(...shell))).toEqual(['skipped: untrusted']);
      },
      { ...discovering(places), trust: { mode: 'store', directory: places.at('state') } },
    );
  });
});

test('33. in a folder that is not trusted, hooks of the repository are skipped, and those of the user run', async () => {
  await withPlaces(async (places) => {
    for (const file of [projectFile, userFile]) places.write(file, settingsWith(hooksOf('preToolUse', `: ${file}`)));
    const trust = { mode: 'store', directory: places.at('state') } as const;
    await places.discover(async ({ handler }) => expect(deeds(await handler.fire(...shell))).toEqual(['succeeded', 'skipped: untrusted']), {
      ...discovering(places),
      trust,
    });
  });
});

test('35. a file of Claude Code is read by the rules of Pascal keys', async () => {
  await withPlaces(async (places) => {
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: `cat > seen.json; ${denies}` }] }] };
    const file = places.write('project/.claude/settings.json', { hooks });
    await places.discover(
      async (scene) => {
        const result = await scene.handler.fire(...shell);
        expect([result.verdict.kind, result.outcomes[0]?.dialect]).toEqual(['deny', 'copilot']);
        expect(seen(scene)).toMatchObject({ hook_event_name: 'PreToolUse', tool_name: 'Bash', timestamp: expect.any(String) });
      },
      { settings: [file], dialect: 'copilot' },
    );
  });
});

test('38. a comment is a diagnostic, because Copilot drops the file; here its hooks load', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, `// guards\n${JSON.stringify(settingsWith(hooksOf('preToolUse', denies)))}`);
    await places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_document', severity: 'warning' }]);
      expect((await handler.fire(...shell)).verdict.kind).toBe('deny');
    }, discovering(places));
  });
});

test('switches and versions that Tenterhook does not know are reported', async () => {
  const settings = { version: 2, disabledHooks: ['x'], hooks: hooksOf('postToolUse', 'true') };
  await withCopilot(
    {},
    async ({ hooks, handler }) => {
      expect(hooks.diagnostics.map(({ code, path }) => [code, path])).toEqual([
        ['invalid_field', 'version'],
        ['ineffective_switch', 'disabledHooks'],
      ]);
      expect(deeds(await handler.fire(...after))).toEqual(['succeeded']);
    },
    { settings },
  );
  await withCopilot({}, async ({ hooks }) => expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field' }]), {
    settings: { disableAllHooks: 'yes', hooks: {} },
  });
});

test('files in other places are reported, and the command line reads the format by path and by name', async () => {
  await withPlaces(async (places) => {
    places.write('project/.github/hooks.json', settingsWith(hooksOf('preToolUse', denies)));
    await places.discover(async ({ hooks }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'unread_file', file: places.at('project/.github/hooks.json') }]);
    }, discovering(places));
    places.write(projectFile, settingsWith(hooksOf('preToolUse', denies)));
    const at = { cwd: places.project, home: places.home };
    const input = ['--input', '{"tool_name":"run_shell_command","tool_input":{"command":"ls"}}', '--json'];
    const byPath = await runCli(['fire', 'BeforeTool', '--settings', '.github/hooks/guards.json', ...input], at);
    expect(JSON.parse(byPath.stdout).output.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    const shown = ['--input', '{"toolName":"bash","toolArgs":"{\\"command\\":\\"ls\\"}"}', '--json'];
    const byName = await runCli(['fire', 'preToolUse', '--dialect', 'copilot', '--settings', '.github/hooks/guards.json', ...shown], at);
    expect(JSON.parse(byName.stdout).output.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });
});

test('the hooks of a plugin are found and receive its directory', async () => {
  await withPlaces(async (places) => {
    places.write(
      'plugin/hooks.json',
      settingsWith(hooksOf('preToolUse', 'echo "$COPILOT_PLUGIN_ROOT $PLUGIN_ROOT $CLAUDE_PLUGIN_ROOT" > root.txt')),
    );
    const options = { extensions: [{ name: 'fmt', directory: places.at('plugin') }] } as object;
    await places.discover(
      async ({ handler, read }) => {
        expect((await handler.fire(...shell)).outcomes.map(({ source, status }) => [source, status])).toEqual([
          ['plugin:fmt', 'succeeded'],
        ]);
        const root = places.at('plugin');
        expect(read('root.txt')).toBe(`${root} ${root} ${root}\n`);
      },
      { ...discovering(places), ...options },
    );
  });
});

test('onError, recheck and mode are read, and fields of other agents are reported', async () => {
  const hook = { command: 'exit 1', onError: 'block' };
  expect((await fire(after, 'postToolUse', hook)).verdict.kind).toBe('deny');
  await withCopilot(hooksOf('preToolUse', { command: 'true', failClosed: true }), async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', remedy: 'Write "onError": "block".' }]);
  });
});

test('an answer of a request is read as that of a command', async () => {
  await withServer({ body: JSON.stringify({ additionalContext: 'note' }) }, async ({ url }) => {
    const result = await withCopilot(hooksOf('postToolUse', { url }), ({ handler }) => handler.fire(...after), {
      http: { allowPrivateAddresses: true },
    });
    expect(result.finalOutput?.hookSpecificOutput).toMatchObject({ additionalContext: 'note' });
  });
});

test.each([
  [{ tools: 7 }, 'tools'],
  [{ product: 'other' }, 'product'],
  [{ ask: 'none' }, 'ask'],
  [{ managedFolder: 'a' }, 'managedFolder'],
  [{ aks: 'deny' }, 'aks'],
])('the options %j are refused', (options, named) => {
  expect(() => copilot(options as object)).toThrow(named);
});

test('29. only a URL whose host is this machine is a request to this machine', () => {
  const allowed = { COPILOT_HOOK_ALLOW_LOCALHOST: '1' };
  const on = (url: string) => parsedOn('linux', { type: 'http', url }, {}, allowed);
  for (const url of ['http://localhost:80/x', 'http://LOCALHOST', 'http://127.0.0.2', 'http://[::1]:1/', 'http://user@localhost/']) {
    expect([url, on(url)]).toMatchObject([url, { skip: undefined, codes: [], action: { callsThisMachine: true } }]);
  }
  for (const url of ['http://localhost:x@evil.example/', 'http://127.0.0.1:80@evil.example', 'http://localhost.evil.example/']) {
    expect([url, on(url).skip, on(url).codes]).toEqual([url, 'invalid', ['invalid_hook']]);
  }
});

test('the project directory is filled in as it is, whatever characters it has', () => {
  const document = { source: 'settings', value: settingsWith(hooksOf('preToolUse', '{{project_dir}}/x')), locate: () => undefined };
  for (const projectDir of ['/srv/$&', '/srv/$$', "/srv/$'"]) {
    const { hooks } = copilot().parse(document, { ...machine('linux'), projectDir });
    expect(hooks[0]?.action).toMatchObject({ command: `${projectDir}/x` });
  }
});

test('fields of hooks in a group, and a second matcher, are ignored with a warning', async () => {
  const hook = { type: 'command', command: 'true', matcher: 'edit' };
  const same = { ...hook, matcher: 'bash' };
  const group = { matcher: 'bash', onError: 'block', timeoutSec: 5, command: 'true', comment: 'note', hooks: [hook, same] };
  await withCopilot({ preToolUse: [group] }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics.map(({ code, severity, path }) => `${code} ${severity} ${path}`).sort()).toEqual([
      'invalid_field warning hooks.preToolUse[0].command',
      'invalid_field warning hooks.preToolUse[0].hooks[0].matcher',
      'invalid_field warning hooks.preToolUse[0].onError',
      'invalid_field warning hooks.preToolUse[0].timeoutSec',
    ]);
    expect(deeds(await handler.fire(...shell))).toEqual(['succeeded', 'succeeded']);
  });
});

test('a policy that crashes after a tool removes the result, and a hook of the project does not', async () => {
  await withPlaces(async (places) => {
    places.write('etc/policy.json', settingsWith(hooksOf('postToolUse', 'exit 1')));
    await places.discover(async ({ handler }) => {
      const { verdict, outcomes, finalOutput } = await handler.fire(...after);
      expect([verdict.kind, outcomes[0]?.failedClosed]).toEqual(['deny', true]);
      expect(JSON.stringify(finalOutput?.hookSpecificOutput)).toContain('could not do its work');
    }, discovering(places));
  });
  await withPlaces(async (places) => {
    places.write(projectFile, settingsWith(hooksOf('postToolUse', 'exit 1')));
    await places.discover(async ({ handler }) => expect((await handler.fire(...after)).verdict.kind).toBe('none'), discovering(places));
  });
});
