import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeCode } from '@tenterhook/dialects';
import type { CreateHooksOptions } from 'tenterhook';
import { withEnvironment } from '../../support/environment.js';
import { freshDirectory } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';
import { testWithPrograms } from '../../support/program.js';
import { braced, type ClaudeScene, callBash, command, deeds, fireClaude, hooksOf, preToolUse, withClaude } from './claude-hooks.js';
import { hostMoments, moment, moments } from './moments.js';

/** A program without a shell that writes its arguments to a file. */
const writeArgs = "require('fs').writeFileSync('args.json', JSON.stringify(process.argv.slice(1)))";
const argsOf = ({ read }: Pick<ClaudeScene, 'read'>): string[] => JSON.parse(read('args.json') ?? 'null');

/** The environment of a hook at the time when it ran. */
function environmentOf({ read }: Pick<ClaudeScene, 'read'>): Record<string, string> {
  const entries = (read('env') ?? '').split('\0').filter((entry) => entry !== '');
  return Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s).slice(0, 2)));
}

testWithPrograms(['node'], 'args: the program runs without a shell, and ";" in an argument is not interpreted', async () => {
  const args = ['-e', writeArgs, 'a; touch interpreted', '$HOME', '$(touch interpreted)', '*', ''];
  await withClaude(preToolUse({ type: 'command', command: 'node', args }), async (scene) => {
    expect((await callBash(scene.handler)).outcomes).toMatchObject([{ status: 'succeeded', exitCode: 0, warnings: [] }]);
    expect(argsOf(scene)).toEqual(args.slice(2));
    expect(scene.read('interpreted')).toBeUndefined();
  });
});

test('its stdin, its exit code and its output mean the same', async () => {
  const program =
    "let t = ''; process.stdin.on('data', (d) => (t += d)).on('end', () => { console.error(JSON.parse(t).tool_name); process.exit(2); })";
  await withClaude(preToolUse({ type: 'command', command: process.execPath, args: ['-e', program] }), async ({ handler }) => {
    expect((await callBash(handler)).verdict).toMatchObject({ kind: 'deny', reason: 'Bash' });
  });
});

test('empty args are args', async () => {
  await withClaude(preToolUse({ type: 'command', command: 'true; touch interpreted', args: [] }), async ({ handler, read }) => {
    expect((await callBash(handler)).outcomes).toMatchObject([{ status: 'failed' }]);
    expect(read('interpreted')).toBeUndefined();
  });
});

test('claude §7 args: placeholders are filled in, in the program and in its arguments; other text is left', async () => {
  await withPlaces(async (places) => {
    places.write('plugins/my plugin/run.mjs', `#!${process.execPath}\nconst args = process.argv.slice(2);\n${write}`, 0o755);
    const handler = {
      type: 'command',
      command: `${braced('CLAUDE_PLUGIN_ROOT')}/run.mjs`,
      args: [`${braced('CLAUDE_PROJECT_DIR')}/a`, `--root=${braced('CLAUDE_PLUGIN_ROOT')}`, braced('HOME'), '$CLAUDE_PROJECT_DIR'],
    };
    await discoverPlugin(places, preToolUse(handler), async (scene) => {
      expect((await callBash(scene.handler)).outcomes).toMatchObject([{ status: 'succeeded', exitCode: 0 }]);
      const root = places.at('plugins/my plugin');
      expect(argsOf(scene)).toEqual([join(places.project, 'a'), `--root=${root}`, braced('HOME'), '$CLAUDE_PROJECT_DIR']);
    });
  });
});

const write = "import { writeFileSync } from 'node:fs';\nwriteFileSync('args.json', JSON.stringify(args));\n";

/** Creates a plugin whose directory has a space in its name. */
function discoverPlugin(
  places: Places,
  hooks: object,
  use: (scene: Pick<ClaudeScene, 'handler' | 'read'>) => Promise<void>,
): Promise<void> {
  const extensions: NonNullable<CreateHooksOptions['extensions']> = [
    { name: 'p', hooks, dialect: 'claude-code', directory: places.at('plugins/my plugin') },
  ];
  return places.discover(use, { extensions });
}

test('claude §7 environment: CLAUDE_PLUGIN_ROOT is the directory of the plugin, in its hooks alone; the shell expands it', async () => {
  await withPlaces(async (places) => {
    places.write('plugins/my plugin/run.sh', '#!/bin/sh\nenv -0 > env\n', 0o755);
    places.write('project/.claude/settings.json', { hooks: preToolUse('echo "[$CLAUDE_PLUGIN_ROOT]" > of-project') });
    await discoverPlugin(places, preToolUse(`"${braced('CLAUDE_PLUGIN_ROOT')}"/run.sh`), async (scene) => {
      await callBash(scene.handler);
      expect(environmentOf(scene)).toMatchObject({
        CLAUDE_PLUGIN_ROOT: places.at('plugins/my plugin'),
        CLAUDE_PROJECT_DIR: places.project,
      });
      expect(scene.read('of-project')).toBe('[]\n');
    });
  });
});

test('claude §7 environment: the data directory of a plugin and what its user has chosen', async () => {
  await withPlaces(async (places) => {
    const dataDirectory = places.at('srv/data');
    const plugins = { p: { dataDirectory, options: { api_key: 'k', style: 'wide' } } };
    const extensions = [{ name: 'p', hooks: preToolUse('env -0 > env'), dialect: 'claude-code', directory: '/srv/p' }];
    await places.discover(
      async (scene) => {
        await callBash(scene.handler);
        expect(environmentOf(scene)).toMatchObject({
          CLAUDE_PLUGIN_ROOT: '/srv/p',
          CLAUDE_PLUGIN_DATA: dataDirectory,
          CLAUDE_PLUGIN_OPTION_API_KEY: 'k',
          CLAUDE_PLUGIN_OPTION_STYLE: 'wide',
        });
        expect(places.list('srv')).toEqual(['data']);
        expect(places.list('home')).toEqual([]);
      },
      { dialects: [claudeCode({ plugins })], extensions },
    );
  });
});

/** Directories of plugins, and the ids that Claude Code gives to their data. */
const dataDirectories = [
  ['my plugin', 'plugins/elsewhere', 'my-plugin-inline'],
  ['1.2.0', 'home/.claude/plugins/cache/my.market/formatter/1.2.0', 'formatter-my-market'],
  ['..', 'plugins/up', '---inline'],
  ['1.2.0', 'project/plugins/cache/my.market/formatter/1.2.0', '1-2-0-inline'],
] as const;

test.each(dataDirectories)(
  'claude §7 environment: CLAUDE_PLUGIN_DATA is the data directory of Claude Code, and exists',
  async (name, place, id) => {
    await withPlaces(async (places) => {
      const program =
        "const dir = process.env.CLAUDE_PLUGIN_DATA; require('fs').writeFileSync(dir + '/kept', process.argv[1] === dir ? 'same' : 'other')";
      const handler = { type: 'command', command: process.execPath, args: ['-e', program, braced('CLAUDE_PLUGIN_DATA')] };
      const extensions = [{ name, hooks: preToolUse(handler), dialect: 'claude-code', directory: places.at(place) }];
      await places.discover(
        async (scene) => {
          expect((await callBash(scene.handler)).outcomes).toMatchObject([{ status: 'succeeded', exitCode: 0, warnings: [] }]);
          expect(places.read(`home/.claude/plugins/data/${id}/kept`)).toBe('same');
        },
        { extensions },
      );
    });
  },
);

test('claude §7 environment: CLAUDE_CONFIG_DIR moves the data directory of plugins', async () => {
  await withPlaces(
    (places) =>
      discoverPlugin(places, preToolUse('echo kept > "$CLAUDE_PLUGIN_DATA/kept"'), async (scene) => {
        expect((await callBash(scene.handler)).outcomes).toMatchObject([{ status: 'succeeded' }]);
        expect(places.read('config/plugins/data/p-inline/kept')).toBe('kept\n');
      }),
    (places) => ({ CLAUDE_CONFIG_DIR: places.at('config') }),
  );
});

test('claude §7 environment: a plugin whose data directory cannot be created runs, and its guard still denies', async () => {
  await withPlaces(async (places) => {
    places.write('home/.claude', 'a file');
    await discoverPlugin(places, preToolUse('echo no >&2; exit 2'), async (scene) => {
      expect((await callBash(scene.handler)).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    });
  });
});

test('claude §7 environment: hooks of settings and of skills have no data directory', async () => {
  await withPlaces(async (places) => {
    places.write('project/.claude/settings.json', { hooks: preToolUse('echo "[$CLAUDE_PLUGIN_DATA]" > of-project') });
    const hooks = preToolUse('echo "[$CLAUDE_PLUGIN_DATA]" > of-skill');
    const extensions = [{ name: 's', hooks, dialect: 'claude-code', directory: places.at('skills/s'), frontMatterOf: 'skill' as const }];
    await places.discover(
      async (scene) => {
        await callBash(scene.handler);
        expect([scene.read('of-project'), scene.read('of-skill')]).toEqual(['[]\n', '[]\n']);
        expect(places.list('home')).toEqual([]);
      },
      { extensions },
    );
  });
});

test('claude §7 environment: the project, the session and the effort; what belongs to telemetry is removed', async () => {
  const parent = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_SERVICE_NAME: 'agent', OF_THE_PARENT: 'here', NOTEL: 'stays' };
  await withEnvironment(parent, () =>
    withClaude(preToolUse('env -0 > env'), async (scene) => {
      const tool = { tool_name: 'run_shell_command', tool_input: {} };
      await scene.handler.fire('BeforeTool', { ...tool, effort: { level: 'high' } });
      const environment = environmentOf(scene);
      expect(environment).toMatchObject({
        CLAUDE_PROJECT_DIR: scene.projectDir,
        CLAUDE_CODE_SESSION_ID: 's1',
        CLAUDE_EFFORT: 'high',
        OF_THE_PARENT: 'here',
        NOTEL: 'stays',
      });
      expect(Object.keys(environment).filter((name) => name.startsWith('OTEL_'))).toEqual([]);
    }),
  );
});

test('claude §7 environment: a project directory with a space, where the shell expands the variable', async () => {
  await withPlaces(async (places) => {
    places.write('project/my project/h.sh', '#!/bin/sh\nprintf %s "$PWD" > where\n', 0o755);
    const settings = { hooks: preToolUse(`"${braced('CLAUDE_PROJECT_DIR')}"/h.sh`) };
    const options = { settings, dialect: 'claude-code', projectDir: places.at('project/my project') };
    await withClaude(
      {},
      async (scene) => {
        await callBash(scene.handler);
        expect(scene.read('where')).toBe(scene.projectDir);
      },
      options,
    );
  });
});

const withEnvFile = ['SessionStart', 'Setup', 'CwdChanged', 'FileChanged'];

test.each(withEnvFile)('claude §7 environment: a %s hook receives the file to which it may append exports', async (event) => {
  const [, eventName, input] = moment(event);
  await withClaude(hooksOf(event, 'cat > seen.json; echo "export A=1" >> "$CLAUDE_ENV_FILE"'), async (scene) => {
    const env_file = join(scene.projectDir, 'env.sh');
    expect((await scene.handler.fire(eventName, { ...input, env_file })).outcomes).toMatchObject([{ status: 'succeeded' }]);
    expect(scene.read('env.sh')).toBe('export A=1\n');
    // The path is in a variable, not in a field on stdin.
    expect(scene.read('seen.json')).not.toContain('env_file');
  });
});

test.each([...moments, ...hostMoments].filter(([event]) => !withEnvFile.includes(event)))(
  'claude §7 environment: a %s hook receives no file, not even that of an agent around us',
  async (event, eventName, input) => {
    await withEnvironment({ CLAUDE_ENV_FILE: '/srv/of-another-agent' }, async () => {
      const result = await fireClaude([event, eventName, { ...input, env_file: '/srv/x' }], 'echo "[$CLAUDE_ENV_FILE]"');
      expect(result.outcomes).toMatchObject([{ stdout: '[]\n' }]);
    });
  },
);

test('claude §7: a hook runs in the cwd of the event, with bash', async () => {
  await withClaude(preToolUse('[[ a == a ]] && pwd > "$CLAUDE_PROJECT_DIR/where"'), async ({ handler, read, projectDir }) => {
    await handler.fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: {}, cwd: '/' });
    expect(read('where')).toBe('/\n');
    expect(projectDir).not.toBe('/');
  });
});

test('claude §7: with the shell powershell, pwsh runs the command', async () => {
  const programs = freshDirectory('programs');
  writeFileSync(join(programs, 'pwsh'), '#!/bin/sh\nfor last; do :; done\necho "$last" > pwsh-ran\n', { mode: 0o755 });
  await withEnvironment({ PATH: `${programs}:${process.env['PATH']}` }, () =>
    withClaude(preToolUse(command('Write-Output hi; exit 0', { shell: 'powershell' })), async ({ handler, read }) => {
      expect(deeds(await callBash(handler))).toEqual(['succeeded']);
      expect(read('pwsh-ran')).toBe('Write-Output hi; exit 0\n');
    }),
  );
  rmSync(programs, { recursive: true });
});

test.each(['fish', 7])('claude §7: the shell %j is a diagnostic', async (shell) => {
  await withClaude(preToolUse([command('true', { shell }), 'exit 2']), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ path: 'hooks.PreToolUse[0].hooks[0].shell' }]);
    expect((await callBash(handler)).verdict.kind).toBe('deny');
  });
});

describe('env of the settings', () => {
  const says = preToolUse('printf "%s-%s" "$SHARED" "$OWN" >&2; exit 2');

  test('claude §7 environment: env of a settings file reaches the hooks of its level and of those below it, and no guard above', async () => {
    await withPlaces(async (places) => {
      places.write('project/.claude/settings.json', { env: { SHARED: 'project', OWN: 'p' }, hooks: says });
      places.write('home/.claude/settings.json', {
        env: { SHARED: 'user' },
        hooks: preToolUse('printf "%s+%s" "$SHARED" "$OWN" >&2; exit 2'),
      });
      places.write('etc/managed-settings.json', { hooks: preToolUse('printf "%s/%s" "$SHARED" "$OWN" >&2; exit 2') });
      const options = { dialects: [claudeCode({ managedFile: places.at('etc/managed-settings.json') })] };
      await places.discover(async ({ handler }) => {
        expect((await callBash(handler)).verdict.reason).toBe('project-p\nuser+\n/');
      }, options);
    });
  });

  test('claude §7 environment: what is not a text in env is said, not set', async () => {
    await withPlaces(async (places) => {
      places.write('project/.claude/settings.json', { env: { SHARED: 1, OWN: 'p' }, hooks: says });
      await places.discover(
        async ({ hooks, handler }) => {
          expect((await callBash(handler)).verdict.reason).toBe('-p');
          expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', path: 'env.SHARED' }]);
        },
        { dialects: [claudeCode({ managedFile: '/no/such/file' })] },
      );
    });
  });
});
