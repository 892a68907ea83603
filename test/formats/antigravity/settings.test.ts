import { antigravity } from '@tenterhook/dialects';
import type { CreateHooksOptions } from 'tenterhook';
import { says } from '../../support/fire-hooks.js';
import { withPlaces } from '../../support/places.js';
import { runCli } from '../../support/run-cli.js';
import { after, beforeModel, deeds, fire, hooksOf, listOf, shell, stop, withAntigravity } from './antigravity-hooks.js';

const projectFile = 'project/.agents/hooks.json';
const userFile = 'home/.gemini/config/hooks.json';
const denies = 'echo no >&2; exit 2';
const own: CreateHooksOptions = { dialects: [antigravity()] };

test('the files of the user and the project are found, and their hooks run one after another in this order', async () => {
  await withPlaces(
    async (places) => {
      for (const file of [userFile, projectFile]) {
        places.write(file, { a: listOf('PreToolUse', `echo a ${file} >> "$LOG"`), b: listOf('PreToolUse', `echo b ${file} >> "$LOG"`) });
      }
      await places.discover(async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toEqual([]);
        const { outcomes } = await handler.fire(...shell);
        expect(outcomes.map(({ source, status }) => [source, status])).toEqual(
          ['user', 'user', 'project', 'project'].map((source) => [source, 'succeeded']),
        );
        const lines = [userFile, projectFile].flatMap((file) => [`a ${file}`, `b ${file}`]);
        expect(places.read('order.log')).toBe(`${lines.join('\n')}\n`);
      }, own);
    },
    (places) => ({ LOG: places.at('order.log') }),
  );
});

test('in a folder that is not trusted, hooks of the repository are skipped, and those of the user run', async () => {
  await withPlaces(async (places) => {
    for (const file of [projectFile, userFile]) places.write(file, hooksOf('PreToolUse', `: ${file}`));
    const trust = { mode: 'store', directory: places.at('state') } as const;
    await places.discover(async ({ handler }) => expect(deeds(await handler.fire(...shell))).toEqual(['succeeded', 'skipped: untrusted']), {
      ...own,
      trust,
    });
  });
});

test('hooks of the user start in the folder of their settings, and hooks of the project in the project', async () => {
  await withPlaces(async (places) => {
    for (const file of [userFile, projectFile]) places.write(file, hooksOf('PreToolUse', 'pwd -P > started.txt'));
    await places.discover(async ({ handler }) => {
      await handler.fire(...shell);
      expect(places.read('home/.gemini/config/started.txt')).toMatch(/\/home\/\.gemini\/config\n$/);
      expect(places.read('project/started.txt')).toMatch(/\/project\n$/);
    }, own);
  });
});

test('a hook of the project starts in the folder of the settings if only this folder has its script', async () => {
  await withPlaces(async (places) => {
    places.write('project/.agents/hooks/guard.sh', `${denies}\n`);
    for (const command of ['sh ./hooks/guard.sh', 'sh hooks/guard.sh', 'sh .agents/hooks/guard.sh']) {
      places.write(projectFile, hooksOf('PreToolUse', command));
      await places.discover(async ({ handler }) => {
        expect([command, (await handler.fire(...shell)).verdict]).toMatchObject([command, { kind: 'deny', reason: 'no' }]);
      }, own);
    }
    places.write('project/hooks/guard.sh', 'exit 0\n');
    places.write(projectFile, hooksOf('PreToolUse', 'sh hooks/guard.sh'));
    await places.discover(async ({ handler }) => expect((await handler.fire(...shell)).verdict.kind).toBe('none'), own);
  });
});

test('enabled: false switches the hooks of its group off, and any other value leaves them on', async () => {
  for (const [enabled, codes, deed] of [
    [false, [], 'skipped: disabled'],
    [true, [], 'blocked'],
    ['false', ['invalid_field'], 'blocked'],
    [0, ['invalid_field'], 'blocked'],
  ] as const) {
    const settings = { off: { enabled, ...listOf('PreToolUse', denies) }, on: listOf('PostToolUse', 'true') };
    await withAntigravity(settings, async ({ hooks, handler }) => {
      expect([enabled, hooks.diagnostics.map(({ code }) => code), deeds(await handler.fire(...shell))]).toEqual([enabled, codes, [deed]]);
      expect(deeds(await handler.fire(...after))).toEqual(['succeeded']);
    });
  }
  await withAntigravity({ off: { Enabled: false, ...listOf('PreToolUse', denies) } }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', message: expect.stringContaining('nothing is switched off') }]);
    expect((await handler.fire(...shell)).verdict.kind).toBe('deny');
  });
});

test('a group has a name, which the ids of its hooks have; the same hook in two groups runs twice', async () => {
  const settings = { first: listOf('PreToolUse', 'true'), second: listOf('PreToolUse', 'true') };
  await withAntigravity(settings, async ({ handler }) => {
    const { outcomes } = await handler.fire(...shell);
    expect(outcomes.map(({ hookId, status }) => [hookId, status])).toEqual([
      ['antigravity/settings/BeforeTool/first.0.0', 'succeeded'],
      ['antigravity/settings/BeforeTool/second.0.0', 'succeeded'],
    ]);
  });
});

test('a bad hook is a diagnostic, and the others run', async () => {
  const entries = [{ type: 'http', url: 'https://x' }, { cmd: 'x' }, { command: 'true', timeout: 0 }, { command: denies }];
  await withAntigravity(hooksOf('PreToolUse', ...entries), async ({ hooks, handler }) => {
    expect(hooks.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
      'unknown_type',
      'missing_command',
      'invalid_timeout',
    ]);
    const result = await handler.fire(...shell);
    expect(deeds(result)).toEqual(['skipped: invalid', 'skipped: invalid', 'succeeded', 'blocked']);
  });
});

test('an invalid matcher is a diagnostic, the hook is skipped, and its siblings run', async () => {
  await withAntigravity(hooksOf('PreToolUse', { command: denies, matcher: '[' }, 'true'), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_matcher', path: 'guards.PreToolUse[0].matcher' }]);
    expect(deeds(await handler.fire(...shell))).toEqual(['skipped: invalid', 'succeeded']);
  });
});

test('Stop and the events of the model are plain lists; a group there is a warning, and its hooks run', async () => {
  const group = { matcher: '', hooks: [{ type: 'command', command: says({ decision: 'continue', reason: 'on' }) }, { command: 'true' }] };
  await withAntigravity({ guards: { Stop: [group, { command: 'true' }] } }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_group', severity: 'warning', path: 'guards.Stop[0]' }]);
    const result = await handler.fire(...stop);
    expect([result.verdict.kind, result.verdict.by]).toEqual(['deny', ['antigravity/settings/AfterAgent/guards.0.0']]);
  });
});

test('a hook of a tool event outside a group does not run, and the remedy shows the group', async () => {
  await withAntigravity({ guards: { PreToolUse: [{ type: 'command', command: denies }] } }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([
      { severity: 'error', path: 'guards.PreToolUse[0]', remedy: expect.stringContaining('"hooks": [') },
    ]);
    expect(deeds(await handler.fire(...shell))).toEqual(['skipped: invalid']);
  });
});

test('a matcher of an event without tools has no effect, which a warning says', async () => {
  const settings = { guards: { PreInvocation: [{ command: 'true', matcher: 'x' }] } };
  await withAntigravity(settings, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ severity: 'warning' }]);
    expect(deeds(await handler.fire(...beforeModel))).toEqual(['succeeded']);
  });
});

test.each<[settings: object, expected: readonly (readonly [code: string, path: string])[]]>([
  [{ guards: { PreToolUs: [] } }, [['unknown_event', 'guards.PreToolUs']]],
  [{ guards: { BeforeTool: [] } }, [['unknown_event', 'guards.BeforeTool']]],
  [{ PreToolUse: [{ hooks: [{ command: 'true' }] }] }, [['misplaced_hooks', 'PreToolUse']]],
  [{ guards: 7 }, [['invalid_group', 'guards']]],
  [{ guards: [] }, [['invalid_group', 'guards']]],
  [{ guards: { timeout: 5 } }, [['invalid_field', 'guards.timeout']]],
  [{ guards: { description: 'x', comment: 'y' } }, []],
])('a mistake in the settings is reported at its place: %j', async (settings, expected) => {
  await withAntigravity(settings, async ({ hooks }) => {
    expect(hooks.diagnostics.map(({ code, path }) => [code, path])).toEqual(expected);
  });
});

test('files in which Antigravity does not look are reported, and the command line reads the format by path and by name', async () => {
  await withPlaces(async (places) => {
    for (const file of ['project/.agent/hooks.json', 'home/.gemini/antigravity-cli/hooks.json']) {
      const written = places.write(file, hooksOf('PreToolUse', denies));
      await places.discover(async ({ hooks }) => {
        expect(hooks.diagnostics.filter(({ code, file: at }) => code === 'unread_file' && at === written)).toHaveLength(1);
      }, own);
    }
    places.write(projectFile, hooksOf('PreToolUse', denies));
    const at = { cwd: places.project, home: places.home };
    const shown = ['--input', '{"toolCall":{"name":"run_command","args":{"CommandLine":"ls"}}}', '--json'];
    const byName = await runCli(['fire', 'PreToolUse', '--dialect', 'antigravity', '--settings', '.agents/hooks.json', ...shown], at);
    expect(JSON.parse(byName.stdout).output.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    const input = ['--input', '{"tool_name":"run_shell_command","tool_input":{"command":"ls"}}', '--json'];
    const byPath = await runCli(['fire', 'BeforeTool', '--settings', '.agents/hooks.json', ...input], at);
    expect(JSON.parse(byPath.stdout).output.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });
});

test('onError, which only Tenterhook has, denies after a tool too, and fields of other agents are reported', async () => {
  expect((await fire(after, 'PostToolUse', { command: 'exit 1', onError: 'block' })).verdict.kind).toBe('deny');
  await withAntigravity(hooksOf('PreToolUse', { command: 'true', failClosed: true }), async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', remedy: 'Write "onError": "block".' }]);
  });
});

test('without a timeout a hook has 30 s', async () => {
  await withAntigravity(hooksOf('PreToolUse', 'true', { command: 'true', timeout: 2 }), async ({ hooks }) => {
    expect(hooks.hooks.BeforeTool.map(({ timeoutMs }) => timeoutMs)).toEqual([30_000, 2000]);
  });
});

test.each([
  [{ tools: 7 }, 'tools'],
  [{ model: '' }, 'model'],
  [{ ask: 'none' }, 'ask'],
  [{ aks: 'deny' }, 'aks'],
])('the options %j are refused', (options, named) => {
  expect(() => antigravity(options as object)).toThrow(named);
});
