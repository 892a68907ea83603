import { claudeCode } from '@tenterhook/dialects';
import type { Scene } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';
import { callBash, deeds, hooksOf, idOf, preToolUse, withClaude } from './claude-hooks.js';

const [projectFile, userFile, managedFile] = ['project/.claude/settings.json', 'home/.claude/settings.json', 'etc/managed-settings.json'];

/** Discovers settings, with the administrator's file in a place of the test. */
function discover<Result>(places: Places, use: (scene: Scene) => Promise<Result>, options = {}): Promise<Result> {
  return places.discover(use, { dialects: [claudeCode({ managedFile: places.at(managedFile) })], ...options });
}

/** The hooks that ran, by source. */
async function ran(scene: Scene): Promise<string[]> {
  const result = await callBash(scene.handler);
  return result.outcomes.filter(({ status }) => status !== 'skipped').map(({ source }) => source);
}

/** The hooks that `explain` reports as switched off, by source. */
function off({ hooks }: Scene): string[] {
  const explained = hooks.explain('BeforeTool', { tool_name: 'run_shell_command', tool_input: {} }).hooks;
  return explained.filter(({ wouldRun, skipReason }) => !wouldRun && skipReason === 'disabled').map(({ source }) => source);
}

const hookOf = (text: string) => preToolUse(`true # ${text}`);

test('disableAllHooks: nothing runs, and explain lists each hook as disabled', async () => {
  const settings = { disableAllHooks: true, hooks: { ...preToolUse(['touch ran', 'exit 2']), ...hooksOf('Stop', 'exit 2') } };
  await withClaude(
    {},
    async ({ hooks, handler, read }) => {
      expect(hooks.has('BeforeTool')).toBe(false);
      expect((await callBash(handler)).outcomes).toEqual([]);
      expect((await handler.fireAfterAgentEvent('p', 'r')).verdict.kind).toBe('none');
      expect(read('ran')).toBeUndefined();
      expect(hooks.explain('BeforeTool').hooks).toMatchObject(
        ['0.0', '0.1'].map((place) => ({
          hookId: idOf(place),
          wouldRun: false,
          skipReason: 'disabled',
          reason: expect.stringContaining('disableAllHooks'),
        })),
      );
    },
    { settings },
  );
});

test('false, or a value that is not a switch, switches nothing off', async () => {
  for (const disableAllHooks of [false, 'true', 1]) {
    await withClaude(
      {},
      async ({ hooks, handler }) => {
        expect((await callBash(handler)).verdict.kind).toBe('deny');
        expect(hooks.diagnostics.map(({ path }) => path)).toEqual(disableAllHooks === false ? [] : ['disableAllHooks']);
      },
      { settings: { disableAllHooks, hooks: preToolUse('exit 2') } },
    );
  }
});

test('claude §1 disableAllHooks: of the user switches off the rest, and not the hooks of the administrator', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { hooks: hookOf('project') });
    places.write(userFile, { disableAllHooks: true, hooks: hookOf('user') });
    places.write(managedFile, { hooks: hookOf('managed') });
    await discover(places, async (scene) => {
      expect(await ran(scene)).toEqual(['managed']);
      expect(off(scene)).toEqual(['project', 'user']);
    });
  });
});

test('claude §1 disableAllHooks: false in a project does not undo what the user has switched off', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { disableAllHooks: false, hooks: hookOf('project') });
    places.write(userFile, { disableAllHooks: true, hooks: hookOf('user') });
    await discover(places, async (scene) => {
      expect(await ran(scene)).toEqual([]);
      expect(off(scene)).toEqual(['project', 'user']);
    });
  });
});

test('claude §1 disableAllHooks: of a project does not switch off the hooks of the administrator either', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { disableAllHooks: true, hooks: hookOf('project') });
    places.write(managedFile, { hooks: hookOf('managed') });
    await discover(places, async (scene) => {
      expect(await ran(scene)).toEqual(['managed']);
      expect(off(scene)).toEqual(['project']);
    });
  });
});

test('claude §1 disableAllHooks: of the administrator switches all off, plugins too', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { hooks: hookOf('project') });
    places.write(userFile, { hooks: hookOf('user') });
    places.write(managedFile, { disableAllHooks: true, hooks: hookOf('managed') });
    const extensions = [{ name: 'p', hooks: hookOf('plugin') }];
    await discover(
      places,
      async (scene) => {
        expect(await ran(scene)).toEqual([]);
        expect(off(scene).sort()).toEqual(['managed', 'plugin:p', 'project', 'user']);
      },
      { extensions },
    );
  });
});

test('claude §1 allowManagedHooksOnly: only the hooks of the administrator run, and explain says why', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { hooks: hookOf('project') });
    places.write(userFile, { hooks: hookOf('user') });
    places.write(managedFile, { allowManagedHooksOnly: true, hooks: hookOf('managed') });
    const extensions = [{ name: 'p', hooks: hookOf('plugin') }];
    await discover(
      places,
      async (scene) => {
        expect(await ran(scene)).toEqual(['managed']);
        expect(off(scene).sort()).toEqual(['plugin:p', 'project', 'user']);
        const { hooks } = scene.hooks.explain('BeforeTool', { tool_name: 'x', tool_input: {} });
        for (const { source, reason } of hooks) if (source !== 'managed') expect(reason).toContain('allowManagedHooksOnly');
      },
      { extensions },
    );
  });
});

test('claude §1 allowManagedHooksOnly: in any other file it says nothing', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { allowManagedHooksOnly: true, hooks: hookOf('project') });
    places.write(userFile, { hooks: hookOf('user') });
    await discover(places, async (scene) => expect(await ran(scene)).toEqual(['project', 'user']));
  });
});

test('claude §1: the administrator comes behind the user in plan order, and before plugins', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { hooks: hookOf('project') });
    places.write('project/.claude/settings.local.json', { hooks: hookOf('local') });
    places.write(userFile, { hooks: hookOf('user') });
    places.write(managedFile, { hooks: hookOf('managed') });
    const extensions = [{ name: 'p', hooks: hookOf('plugin') }];
    await discover(
      places,
      async (scene) => {
        expect(await ran(scene)).toEqual(['project', 'local', 'user', 'managed', 'plugin:p']);
        expect(deeds(await callBash(scene.handler))).toEqual(Array(5).fill('succeeded'));
      },
      { extensions },
    );
  });
});

test('claude §1 disableAllHooks: of a project does not reach the hooks of its user, as it does in the product, and that is said', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { disableAllHooks: true, hooks: hookOf('project') });
    places.write('project/.claude/settings.local.json', { hooks: hookOf('local') });
    places.write(userFile, { hooks: preToolUse('exit 2') });
    await discover(places, async (scene) => {
      expect(await ran(scene)).toEqual(['local', 'user']);
      expect(scene.hooks.diagnostics).toMatchObject([
        { code: 'hooks_off', severity: 'warning', file: places.at(projectFile), line: 1, path: 'disableAllHooks' },
        { code: 'foreign_disable', severity: 'warning', file: places.at(projectFile), path: 'disableAllHooks' },
      ]);
    });
  });
});

test('claude §1 plugins: switches and lists of a plugin have no effect', async () => {
  const plugin = { disableAllHooks: true, allowedHttpHookUrls: [], hooks: hookOf('plugin') };
  await withPlaces(async (places) => {
    places.write('plugins/quiet/hooks/hooks.json', plugin);
    places.write(projectFile, { hooks: preToolUse('exit 2') });
    const options = { extensions: [{ name: 'quiet', directory: places.at('plugins/quiet') }] };
    await discover(
      places,
      async ({ hooks, handler }) => {
        expect((await callBash(handler)).verdict.kind).toBe('deny');
        expect(hooks.diagnostics.map(({ code, path }) => [code, path])).toEqual([
          ['ineffective_switch', 'disableAllHooks'],
          ['ineffective_switch', 'allowedHttpHookUrls'],
        ]);
      },
      options,
    );
  });
});

test('claude §1 allowedHttpHookUrls: a repository restricts hooks of its own, and no guard of its user or the administrator', async () => {
  const http = { type: 'http', url: 'https://hooks.example.org/ask' };
  await withPlaces(async (places) => {
    places.write(projectFile, { allowedHttpHookUrls: [], hooks: preToolUse({ ...http, url: 'https://a.example.org/' }) });
    places.write(userFile, { hooks: preToolUse(http) });
    places.write(managedFile, { hooks: preToolUse({ ...http, url: 'https://b.example.org/' }) });
    await discover(places, async (scene) => expect(off(scene)).toEqual(['project']));
  });
});
