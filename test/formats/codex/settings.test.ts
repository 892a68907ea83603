import { codex } from '@tenterhook/dialects';
import type { HookDefinition } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { outcomeAt } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';
import { runCli } from '../../support/run-cli.js';
import { callBash, deeds, fire, groupOf, hooksOf, idOf, stop, withCodex } from './codex-hooks.js';

const projectFile = 'project/.codex/hooks.json';
const projectConfig = 'project/.codex/config.toml';
const userFile = 'home/.codex/hooks.json';
const userConfig = 'home/.codex/config.toml';

/** Options that discover the settings in these places, including the administrator's. */
function discovering(places: Places, own: Parameters<typeof codex>[0] = {}): CreateHooksOptions {
  return { dialects: [codex({ managedFile: places.at('etc/requirements.toml'), ...own })] };
}

const bypassing = (places: Places) => discovering(places, { bypassHookTrust: true });

/** Returns the lines that Codex writes after its user has reviewed these hooks. The reason of a skipped hook contains them. */
function reviewed(hooks: readonly HookDefinition[], more = ''): string {
  return hooks
    .map(({ skip }) => {
      const [, key, hash] = /\[hooks\.state\.(".*?")\] trusted_hash = (".*?")\.$/.exec(skip?.reason ?? '') ?? [];
      return `[hooks.state.${key}]\ntrusted_hash = ${hash}\n${more}`;
    })
    .join('\n');
}

const hooksToml = `[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "echo no >&2; exit 2"
timeout = 30
`;

test('hooks.json and config.toml of the project and of the user, and the requirements of the administrator are found', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { description: 'rules', hooks: hooksOf('PreToolUse', 'true') });
    places.write(userConfig, `model = "m"\n${hooksToml}`);
    places.write('etc/requirements.toml', `[hooks]\nmanaged_dir = "/srv"\n${hooksToml}`);
    await places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toEqual([]);
      const result = await callBash(handler);
      expect(result.outcomes.map(({ source, status }) => [source, status])).toEqual([
        ['project', 'succeeded'],
        ['user', 'blocked'],
        ['managed', 'blocked'],
      ]);
      expect(hooks.hooks.BeforeTool.map(({ line, timeoutMs, matcher }) => [line, timeoutMs, matcher])).toEqual([
        [1, 600_000, undefined],
        [4, 30_000, 'Bash'],
        [5, 30_000, 'Bash'],
      ]);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('no') });
    }, bypassing(places));
  });
});

test('CODEX_HOME moves the folder of the user', async () => {
  await withPlaces(
    async (places) => {
      places.write(userFile, { hooks: hooksOf('PreToolUse', 'exit 2') });
      places.write('elsewhere/hooks.json', { hooks: hooksOf('PreToolUse', 'true') });
      await places.discover(async ({ handler }) => expect(deeds(await callBash(handler))).toEqual(['succeeded']), bypassing(places));
    },
    (places) => ({ CODEX_HOME: places.at('elsewhere') }),
  );
});

test('25. a definition that was not reviewed is skipped as untrusted, and the reason has what Codex would store', async () => {
  await withPlaces(async (places) => {
    const file = places.write(projectFile, { hooks: hooksOf('PreToolUse', 'exit 2') });
    await places.discover(async ({ hooks, handler }) => {
      const result = await callBash(handler);
      expect(deeds(result)).toEqual(['skipped: untrusted']);
      expect(result.verdict.kind).toBe('none');
      const reason = hooks.hooks.BeforeTool[0]?.skip?.reason ?? '';
      expect(reason).toContain('for Codex it is untrusted: its definition was not reviewed');
      expect(reason).toMatch(/\[hooks\.state\.".*hooks\.json:pre_tool_use:0:0"\] trusted_hash = "sha256:[0-9a-f]{64}"/);
      expect(outcomeAt(result, 0).warnings.map(({ code }) => code)).toEqual(['untrusted']);
      expect(reason).toContain(file);
    }, discovering(places));
  });
});

test('25. a reviewed definition runs, and after a change of its command it is modified', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { hooks: hooksOf('PreToolUse', ['echo no >&2; exit 2', 'true']) });
    await places.discover(async ({ hooks }) => {
      places.write(userConfig, reviewed(hooks.hooks.BeforeTool.slice(0, 1)));
    }, discovering(places));
    await places.discover(async ({ hooks, handler }) => {
      expect(deeds(await callBash(handler))).toEqual(['blocked', 'skipped: untrusted']);
      places.write(projectFile, { hooks: hooksOf('PreToolUse', ['exit 2 # other', 'true']) });
      await hooks.reload();
      expect(deeds(await callBash(handler))).toEqual(['skipped: untrusted', 'skipped: untrusted']);
      expect(hooks.hooks.BeforeTool[0]?.skip?.reason).toContain('modified: its definition has changed');
    }, discovering(places));
  });
});

test('25. the review of a repository does not count, a matcher is part of the hash, and settings that are passed need no review', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { hooks: hooksOf('PreToolUse', 'true') });
    await places.discover(async ({ hooks }) => {
      places.write(projectConfig, reviewed(hooks.hooks.BeforeTool));
      places.write('reviewed.toml', reviewed(hooks.hooks.BeforeTool));
    }, discovering(places));
    await places.discover(async ({ hooks, handler }) => {
      expect(deeds(await callBash(handler))).toEqual(['skipped: untrusted']);
      expect(hooks.diagnostics).toMatchObject([{ code: 'ineffective_switch', path: 'hooks.state' }]);
    }, discovering(places));
    places.write(projectConfig, '');
    places.write(userConfig, places.read('reviewed.toml'));
    places.write(projectFile, { hooks: hooksOf('PreToolUse', 'true', { matcher: '*' }) });
    await places.discover(
      async ({ handler }) => expect(deeds(await callBash(handler))).toEqual(['skipped: untrusted']),
      discovering(places),
    );
    const given = { ...discovering(places), settings: [places.at(projectFile)] };
    await places.discover(async ({ handler }) => expect(deeds(await callBash(handler))).toEqual(['succeeded']), given);
  });
});

test('25. a link to the file leads to the key of the real file', async () => {
  await withPlaces(async (places) => {
    const real = places.write('dotfiles/hooks.json', { hooks: hooksOf('PreToolUse', 'true') });
    places.link(userFile, real);
    await places.discover(async ({ hooks }) => {
      expect(hooks.hooks.BeforeTool[0]?.skip?.reason).toContain('dotfiles/hooks.json:pre_tool_use:0:0');
      places.write(userConfig, reviewed(hooks.hooks.BeforeTool));
    }, discovering(places));
    await places.discover(async ({ handler }) => expect(deeds(await callBash(handler))).toEqual(['succeeded']), discovering(places));
  });
});

test('26. [hooks.state] switches one hook off, and the others run', async () => {
  await withPlaces(async (places) => {
    places.write(userFile, { hooks: hooksOf('PreToolUse', ['exit 2', 'true']) });
    await places.discover(async ({ hooks }) => {
      const [first, second] = hooks.hooks.BeforeTool as [HookDefinition, HookDefinition];
      places.write(userConfig, `${reviewed([first], 'enabled = false\n')}\n${reviewed([second])}`);
    }, discovering(places));
    await places.discover(async ({ hooks, handler }) => {
      expect(deeds(await callBash(handler))).toEqual(['skipped: disabled', 'succeeded']);
      expect(hooks.hooks.BeforeTool[0]?.skip?.reason).toContain(places.at(userConfig));
    }, discovering(places));
  });
});

test.each(['hooks', 'codex_hooks'])('27. features.%s = false switches all hooks off', async (name) => {
  await withPlaces(async (places) => {
    places.write(userConfig, `[features]\n${name} = false\n`);
    for (const file of [projectFile, userFile]) places.write(file, { hooks: hooksOf('PreToolUse', 'exit 2') });
    await places.discover(async ({ hooks, handler }) => {
      expect((await callBash(handler)).verdict.kind).toBe('none');
      expect((await callBash(handler)).outcomes.filter(({ status }) => status !== 'skipped')).toEqual([]);
      expect(hooks.diagnostics).toMatchObject([{ code: 'hooks_off', file: places.at(userConfig), line: 2 }]);
    }, bypassing(places));
  });
});

test('28. hooks in both files of one level are a warning, and all of them run', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { hooks: hooksOf('PreToolUse', 'true') });
    places.write(projectConfig, hooksToml);
    await places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'split_hooks', severity: 'warning', file: places.at(projectConfig) }]);
      expect(deeds(await callBash(handler))).toEqual(['succeeded', 'blocked']);
    }, bypassing(places));
  });
});

test.each(['prompt', 'agent'])('29. a hook of the type %s is reported as not supported, and its siblings run', async (type) => {
  await withCodex(hooksOf('PreToolUse', [{ type, prompt: 'May it?' }, 'true']), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'unknown_type', message: expect.stringContaining('not supported by Codex') }]);
    expect(deeds(await callBash(handler))).toEqual(['skipped: invalid', 'succeeded']);
  });
});

test('allow_managed_hooks_only of the administrator leaves only the hooks of the administrator', async () => {
  await withPlaces(async (places) => {
    places.write('etc/requirements.toml', `allow_managed_hooks_only = true\n${hooksToml}`);
    places.write(userFile, { hooks: hooksOf('PreToolUse', 'true') });
    await places.discover(async ({ handler }) => {
      const ran = (await callBash(handler)).outcomes.filter(({ status }) => status !== 'skipped');
      expect(ran.map(({ source }) => source)).toEqual(['managed']);
    }, bypassing(places));
  });
});

test('an unknown event, an empty command and an unknown type are errors that name the place, and the siblings load', async () => {
  const hooks = { ...hooksOf('PreToolUse', [{ type: 'command', command: '' }, { type: 'http' }, 'true']), BeforeTool: [], PreTolUse: [] };
  await withCodex(hooks, async ({ hooks: system, handler }) => {
    expect(system.diagnostics.map(({ code, path, remedy }) => [code, path, remedy])).toEqual([
      ['missing_command', 'hooks.PreToolUse[0].hooks[0]', 'Write "command": "path/to/script.sh".'],
      ['unknown_type', 'hooks.PreToolUse[0].hooks[1].type', 'The types are command and mcp_tool.'],
      ['unknown_event', 'hooks.BeforeTool', 'Other agents use that name; in this format it is "PreToolUse".'],
      ['unknown_event', 'hooks.PreTolUse', 'Did you mean "PreToolUse"?'],
    ]);
    expect(deeds(await callBash(handler))).toEqual(['skipped: invalid', 'skipped: invalid', 'succeeded']);
  });
});

test('timeouts are seconds under two names, and those of SessionEnd and Interrupt are cut', async () => {
  const timed = (fields: object) => ({ type: 'command', command: 'true', ...fields });
  const hooks = {
    ...hooksOf('PreToolUse', [timed({ timeout: 20 }), timed({ timeoutSec: 7 }), timed({})]),
    ...hooksOf('SessionEnd', [timed({ timeout: 10 }), timed({})]),
    ...hooksOf('Interrupt', timed({ timeout: 1 })),
  };
  await withCodex(hooks, async ({ hooks: system }) => {
    const { BeforeTool, SessionEnd, Interrupt } = system.hooks;
    expect([BeforeTool, SessionEnd, Interrupt].map((each) => each.map(({ timeoutMs }) => timeoutMs))).toEqual([
      [20_000, 7000, 600_000],
      [3000, 3000],
      [1000],
    ]);
    expect(system.diagnostics).toMatchObject([
      { code: 'invalid_timeout', severity: 'warning', message: expect.stringContaining('is cut') },
    ]);
  });
});

test('an asynchronous hook is not waited for, unless its failure denies', async () => {
  const background = { type: 'command', command: 'true', async: true };
  expect(deeds(await fire(stop, background))).toEqual(['detached']);
  expect(deeds(await fire(stop, { ...background, onError: 'block' }))).toEqual(['succeeded']);
});

test('hooks of a plugin receive its directories, under both names', async () => {
  await withPlaces(async (places) => {
    places.write('plugin/.codex-plugin/plugin.json', { name: 'fmt' });
    places.write('plugin/hooks/hooks.json', { hooks: hooksOf('PreToolUse', 'env | grep PLUGIN_ | sort > env.txt') });
    const options = { extensions: [{ name: 'fmt', directory: places.at('plugin') }] } as object;
    const own = { plugins: { fmt: { dataDirectory: places.at('data') } } };
    await places.discover(
      async ({ handler, read }) => {
        const result = await callBash(handler);
        expect(result.outcomes.map(({ source, status }) => [source, status])).toEqual([['plugin:fmt', 'succeeded']]);
        const [root, data] = [places.at('plugin'), places.at('data')];
        expect(read('env.txt')?.trim().split('\n')).toEqual([
          `CLAUDE_PLUGIN_DATA=${data}`,
          `CLAUDE_PLUGIN_ROOT=${root}`,
          `PLUGIN_DATA=${data}`,
          `PLUGIN_ROOT=${root}`,
        ]);
      },
      { ...discovering(places, own), ...options },
    );
  });
});

test('files in other places are reported, and the command line reads the format by path and by name', async () => {
  await withPlaces(async (places) => {
    places.write('project/.codex/settings.json', { hooks: hooksOf('PreToolUse', 'exit 2') });
    await places.discover(async ({ hooks }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'unread_file', file: places.at('project/.codex/settings.json') }]);
    }, bypassing(places));
    places.write(projectFile, { hooks: { PreToolUse: [groupOf('echo no >&2; exit 2')] } });
    const input = ['--input', '{"tool_name":"Bash","tool_input":{"command":"ls"}}', '--json'];
    const at = { cwd: places.project, home: places.home };
    const byPath = await runCli(['fire', 'BeforeTool', '--settings', '.codex/hooks.json', ...input], at);
    expect(JSON.parse(byPath.stdout).output.verdict).toMatchObject({ kind: 'deny', by: [idOf()] });
    const byName = await runCli(['fire', 'PreToolUse', '--dialect', 'codex', '--settings', '.codex/hooks.json', ...input], at);
    expect(JSON.parse(byName.stdout).output.verdict).toMatchObject({ kind: 'deny', by: [idOf()] });
    const listed = await runCli(['list', '--json', '--trust-project'], at);
    expect(JSON.parse(listed.stdout).hooks).toMatchObject([{ dialect: 'codex', state: 'untrusted' }]);
  });
});

test.each([
  [{ tools: 7 }, 'tools'],
  [{ permissionMode: '' }, 'permissionMode'],
  [{ model: 1 }, 'model'],
  [{ managedFile: 'a.toml' }, 'managedFile'],
  [{ plugins: { a: 1 } }, 'plugins'],
  [{ ask: 'maybe' }, 'ask'],
  [{ bypassHookTrust: 1 }, 'bypassHookTrust'],
  [{ aks: 'deny' }, 'aks'],
])('the options %j are refused', (options, named) => {
  expect(() => codex(options as object)).toThrow(named);
});
