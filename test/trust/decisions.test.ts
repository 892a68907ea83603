import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHooks, type Hooks } from 'tenterhook';
import { withPlaces } from '../support/places.js';
import { until } from '../support/until.js';
import { acceptAll, callTool, denying, formatNames, guard, statesIn, withRepository, writeGuard } from './repository.js';

const project = 'project/.claude/settings.json';

test('case 1: nothing of a fresh repository runs', () =>
  withRepository(async (places, discover) => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    for (const name of formatNames) writeGuard(places, name, `touch ${name}; exit 2`);
    places.write('project/.claude/settings.local.json', {
      hooks: { PreToolUse: [{ hooks: [{ type: 'http', url: `http://127.0.0.1:${port}/` }] }] },
    });
    await discover(
      async (scene) => {
        expect(await callTool(scene)).toEqual({ kind: 'none', reason: undefined });
        const { outcomes } = await scene.handler.fireBeforeToolEvent('run_shell_command', { command: 'ls' });
        expect(outcomes.map(({ status, skipReason }) => [status, skipReason])).toEqual(
          Array(formatNames.length + 1).fill(['skipped', 'untrusted']),
        );
        for (const name of formatNames) expect(scene.read(name)).toBeUndefined();
      },
      { http: { allowPrivateAddresses: true } },
    );
    expect(requests).toEqual([]);
    server.close();
  }));

test('case 2: accepted hooks run, also in the next process', () =>
  withRepository(async (places, discover) => {
    for (const name of formatNames) writeGuard(places, name, `cat > /dev/null; echo ${name} >&2; exit 2`);
    await discover(async (scene) => {
      await acceptAll(scene);
      expect((await callTool(scene)).kind).toBe('deny');
    });
    await discover(async (scene) => {
      expect(scene.hooks.trust.requests()).toEqual([]);
      expect(statesIn(scene)).toEqual(Array(formatNames.length).fill('trusted'));
    });
  }));

const other = { type: 'command', command: 'echo other' };
const edited = { type: 'command', command: 'echo one', timeout: 60 };
const withHook = (hook: object, more: object = {}, matcher = 'Bash') => ({
  hooks: { PreToolUse: [{ matcher, hooks: [hook] }, { hooks: [other] }] },
  ...more,
});

test.each<[string, object]>([
  ['command', withHook({ ...edited, command: 'echo two' })],
  ['matcher', withHook(edited, {}, '*')],
  ['condition', withHook({ ...edited, if: 'Bash(git *)' })],
  ['timeout', withHook({ ...edited, timeout: 0.001 })],
  ['failure policy', withHook({ ...edited, onFailure: 'block' })],
])('case 3: the %s of one hook is edited', (_, settings) =>
  withRepository(async (places, discover) => {
    places.write(project, withHook(edited));
    await discover(async (scene) => {
      await acceptAll(scene);
      places.write(project, settings);
      await scene.hooks.reload();
      expect(statesIn(scene).sort()).toEqual([expect.stringMatching(/^(changed|new)$/), 'trusted']);
    });
  }),
);

test('case 3: variables of the settings belong to every hook of the file', () =>
  withRepository(async (places, discover) => {
    places.write(project, withHook(edited));
    await discover(async (scene) => {
      await acceptAll(scene);
      places.write(project, withHook(edited, { env: { LEVEL: 'low' } }));
      await scene.hooks.reload();
      expect(statesIn(scene)).toEqual(['changed', 'changed']);
      expect(scene.hooks.trust.requests()[0]?.before?.environment).toEqual({});
    });
  }));

test('case 3: headers and the variables that are sent', () =>
  withRepository(async (places, discover) => {
    const http = { type: 'http', url: 'https://hooks.example.com/', headers: { 'x-team': 'a' } };
    for (const change of [{ headers: { 'x-team': 'b' } }, { allowedEnvVars: ['TOKEN'] }, { url: 'https://hooks.example.com/v2' }]) {
      places.write(project, withHook(http));
      await discover(async (scene) => {
        await acceptAll(scene);
        places.write(project, withHook({ ...http, ...change }));
        await scene.hooks.reload();
        expect(statesIn(scene).filter((state) => state === 'trusted')).toHaveLength(1);
        for (const { pin } of scene.hooks.trust.requests()) await scene.hooks.trust.deny(pin);
      });
    }
  }));

test('case 4: order, indentation, comments and descriptions ask nothing', () =>
  withRepository(async (places, discover) => {
    const [one, two] = ['a', 'b'].map((name) => ({ type: 'command', command: `echo ${name}` }));
    places.write(project, { hooks: { PreToolUse: [{ hooks: [one, two] }] } });
    await discover(async (scene) => {
      await acceptAll(scene);
      const groups = [{ hooks: [{ statusMessage: 'checking', ...two }, one] }];
      places.write(project, `// a comment\n${JSON.stringify({ hooks: { PreToolUse: groups } }, undefined, 4)}`);
      await scene.hooks.reload();
      expect(statesIn(scene)).toEqual(['trusted', 'trusted']);
    });
  }));

test.each([{}, { onFailure: 'block' }])('case 12: a hook that was never trusted denies nothing (%j)', (fields) =>
  withRepository(async (places, discover) => {
    places.write(project, guard('exit 2', fields));
    places.write('project/.claude/settings.local.json', guard('exit 2', { ...fields, type: 'no such type' }));
    await discover(async (scene) => expect((await callTool(scene)).kind).toBe('none'));
  }),
);

test('case 13: a trusted guard is taken out of the settings', () =>
  withRepository(async (places, discover) => {
    places.write(project, guard('exit 2'));
    await discover(async (scene) => {
      await acceptAll(scene);
      places.write(project, {});
      await scene.hooks.reload();
      expect((await callTool(scene)).kind).toBe('none');
      expect(scene.hooks.diagnostics).toMatchObject([{ code: 'trusted_hook_gone', severity: 'warning' }]);
    });
    await discover(async (scene) => expect(scene.hooks.diagnostics).toEqual([]), { dialect: 'llxprt' });
    await discover(async (scene) => expect(scene.hooks.diagnostics).toEqual([]), { settings: {} });
  }));

test('case 14: a denied hook is not asked about until it changes', () =>
  withRepository(async (places, discover) => {
    places.write(project, guard('exit 2'));
    await discover(async (scene) => {
      const [request] = scene.hooks.trust.requests();
      await scene.hooks.trust.deny(request?.pin ?? '');
      expect(scene.hooks.trust.requests()).toEqual([]);
      expect(statesIn(scene)).toEqual(['denied']);
      expect((await callTool(scene)).kind).toBe('none');
      places.write(project, guard('exit 2 # edited'));
      await scene.hooks.reload();
      expect(scene.hooks.trust.requests()).toMatchObject([{ state: 'new' }]);
    });
  }));

test('case 33: a watched project gets a new hook and a changed one', () =>
  withRepository(async (places, discover) => {
    places.write('project/guard.sh', denying('guarded'), 0o755);
    places.write(project, guard('./guard.sh'));
    await discover(
      async (scene) => {
        await acceptAll(scene);
        const changes: unknown[] = [];
        scene.hooks.onChange((change) => changes.push(change.cause));
        places.write(project, {
          hooks: {
            PreToolUse: [
              {
                hooks: [
                  { type: 'command', command: './guard.sh --quick' },
                  { type: 'command', command: 'touch ran' },
                ],
              },
            ],
          },
        });
        await until('the change is seen', () => changes.length > 0);
        expect(statesIn(scene)).toEqual(['changed', 'new']);
        await callTool(scene);
        expect(scene.read('ran')).toBeUndefined();
      },
      { watch: { debounceMs: 10 } },
    );
  }));

test('case 34: a hook that another process revokes does not run from the next event on', () =>
  withRepository(async (places, discover) => {
    places.write(project, guard('exit 2'));
    await discover(async (scene) => {
      const [request] = scene.hooks.trust.requests();
      await acceptAll(scene);
      expect((await callTool(scene)).kind).toBe('deny');
      await discover(async (another) => another.hooks.trust.revoke(request?.pin ?? ''));
      expect((await callTool(scene)).kind).toBe('none');
      // What another process accepts counts after a reload: a hook that runs must not be able to trust another one.
      await discover(async (another) => another.hooks.trust.accept(request?.pin ?? ''));
      expect((await callTool(scene)).kind).toBe('none');
      await scene.hooks.reload();
      expect((await callTool(scene)).kind).toBe('deny');
    });
  }));

test('the host is asked once about all hooks, and its answers count', () =>
  withRepository(async (places, discover) => {
    places.write(project, {
      hooks: { PreToolUse: [{ hooks: ['yes', 'no', 'later'].map((name) => ({ type: 'command', command: `echo ${name}` })) }] },
    });
    const asked: string[][] = [];
    const ask = async (requests: readonly { definition: Record<string, unknown> }[]) => {
      asked.push(requests.map(({ definition }) => JSON.stringify(definition['action'])));
      return requests.map(({ definition }) => {
        const text = JSON.stringify(definition['action']);
        return text.includes('yes') ? 'trust' : text.includes('no"') ? 'deny' : 'later';
      });
    };
    await discover(
      async (scene) => {
        await until('the answers count', () => statesIn(scene).includes('trusted'));
        expect(statesIn(scene)).toEqual(['trusted', 'denied', 'new']);
        await scene.hooks.reload();
        expect(asked).toHaveLength(1);
      },
      { trust: { mode: 'store', ask: ask as never } },
    );
  }));

test.each<[string, () => unknown]>([
  ['never answers', () => new Promise(() => {})],
  ['throws', () => Promise.reject(new Error('closed'))],
  ['answers with another length', async () => ['trust', 'trust']],
])('case 35: a host that %s leaves hooks new, and events go on', (_, ask) =>
  withRepository(async (places, discover) => {
    places.write(project, guard('exit 2'));
    await discover(
      async (scene) => {
        expect((await callTool(scene)).kind).toBe('none');
        await new Promise(setImmediate);
        expect(statesIn(scene)).toEqual(['new']);
      },
      { trust: { mode: 'store', ask: ask as never } },
    );
  }),
);

test('createHooks aborts its question to the host if it rejects', () =>
  withRepository(async (places, discover) => {
    places.write(project, guard('exit 2'));
    const signals: AbortSignal[] = [];
    const ask = (_: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const opening = discover(async () => {}, { trust: { mode: 'store', ask: ask as never }, limits: { concurrency: 0 } });
    await expect(opening).rejects.toThrow('concurrency');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  }));

test('case 40: the settings of an extension belong to the repository if they are in the project', () =>
  withRepository(async (places, discover) => {
    for (const root of ['project', 'elsewhere']) places.write(`${root}/tools/hooks/hooks.json`, guard('exit 2'));
    const extension = (root: string) => ({ name: root, directory: places.at(`${root}/tools`), dialect: 'claude-code' });
    await discover(async (scene) => expect((await callTool(scene)).kind).toBe('none'), { extensions: [extension('project')] });
    await discover(async (scene) => expect((await callTool(scene)).kind).toBe('deny'), { extensions: [extension('elsewhere')] });
  }));

test('case 41: local settings need trust like those of the project', () =>
  withRepository(async (places, discover) => {
    places.write('project/.claude/settings.local.json', guard('exit 2'));
    await discover(async (scene) => expect(statesIn(scene)).toEqual(['new']));
  }));

test('case 42: a copy needs a decision of its own, which names the original', () =>
  withRepository(async (places, discover) => {
    places.write('project/guard.sh', denying('guarded'), 0o755);
    places.write(project, guard('./guard.sh'));
    await discover(acceptAll);
    cpSync(places.at('project'), places.at('copy'), { recursive: true });
    const hooks = await createHooks({ projectDir: places.at('copy'), trust: 'store', sessionId: 's1' });
    expect(hooks.trust.requests()).toMatchObject([{ state: 'new', elsewhere: [places.project] }]);
    await hooks.dispose();
  }));

test('without trust, hooks of the repository run, and there is nothing to decide', () =>
  withRepository(async (places, discover) => {
    places.write(project, guard('exit 2'));
    await discover(
      async (scene) => {
        expect((await callTool(scene)).kind).toBe('deny');
        expect(scene.hooks.trust.requests()).toEqual([]);
        await expect(scene.hooks.trust.accept('ab'.repeat(32))).rejects.toThrow('there is nothing to decide');
      },
      { trust: 'all' },
    );
    await discover(
      async (scene) => {
        expect((await callTool(scene)).kind).toBe('none');
        expect(statesIn(scene)).toEqual(['refused']);
      },
      { trust: 'none' },
    );
  }));

test('with isTrusted and without trust, isTrusted alone decides, and a note reports it', () =>
  withPlaces(async (places) => {
    places.write(project, guard('exit 2'));
    const options = { projectDir: places.project, isTrusted: () => true };
    await using alone = await createHooks(options);
    expect((await fireShell(alone)).verdict.kind).toBe('deny');
    expect(alone.diagnostics).toMatchObject([{ code: 'trust_by_host', severity: 'note' }]);

    await using both = await createHooks({ ...options, trust: 'store' });
    expect((await fireShell(both)).verdict.kind).toBe('none');
    expect(both.diagnostics).toEqual([]);

    await using own = await createHooks({ ...options, settings: guard('exit 2') });
    expect(own.diagnostics).toEqual([]);
  }));

test('without isTrusted and trust, hooks of the project do not run, and hooks that the program passes do', () =>
  withPlaces(async (places) => {
    places.write(project, guard('exit 2'));
    await using found = await createHooks({ projectDir: places.project });
    expect((await fireShell(found)).outcomes).toMatchObject([{ skipReason: 'untrusted' }]);
    for (const settings of [guard('exit 2'), [places.at(project)]]) {
      await using given = await createHooks({ projectDir: places.project, settings });
      expect((await fireShell(given)).verdict.kind).toBe('deny');
    }
  }));

function fireShell(hooks: Hooks) {
  return hooks.fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'ls' } });
}
