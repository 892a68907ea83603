import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { llxprt } from '@tenterhook/dialects';
import { fireTool, freshDirectory, outcomeAt, type Scene, withHooks } from '../support/fire-hooks.js';

const enabled = { tools: { enableHooks: true } };
const disabled = { tools: { enableHooks: false } };
const toolHooks = (...hooks: object[]) => ({ hooks: { BeforeTool: [{ hooks }] } });

/** Settings where discovery looks for them, in directories that stand for the project, the home and the system. */
async function withDiscovered(
  files: { project?: object; user?: object; system?: object },
  use: (scene: Scene) => Promise<void>,
): Promise<void> {
  const [projectDir, home] = [freshDirectory(), freshDirectory('home')];
  const systemFile = join(home, 'etc/settings.json');
  const dialect = llxprt({ systemFile });
  // jest gives tests a process.env of their own, so that HOME set here would not be the home that Node sees.
  const dialects = [
    { ...dialect, locations: (context: Parameters<typeof dialect.locations>[0]) => dialect.locations({ ...context, home }) },
  ];
  const places = { project: join(projectDir, '.llxprt/settings.json'), user: join(home, '.llxprt/settings.json'), system: systemFile };
  for (const [level, settings] of Object.entries(files)) {
    const file = places[level as keyof typeof places];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(settings));
  }
  try {
    await withHooks({ projectDir, dialects }, use);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const log = { command: 'echo ran >> ran' };
const [ofProject, ofUser] = ['llxprt/project/BeforeTool/0.0', 'llxprt/user/BeforeTool/0.0'];

test('25. the same command in project and user settings runs once, and the other outcome names the kept one', async () => {
  await withDiscovered(
    { project: { ...enabled, ...toolHooks(log) }, user: { ...enabled, ...toolHooks(log) } },
    async ({ handler, read }) => {
      const { outcomes } = await handler.fireBeforeToolEvent('write_file', {});
      expect(outcomes).toMatchObject([
        { hookId: ofProject, source: 'project', status: 'succeeded' },
        { hookId: ofUser, source: 'user', status: 'skipped', skipReason: 'duplicate', duplicateOf: ofProject },
      ]);
      expect(read('ran')).toBe('ran\n');
    },
  );
});

test('25. the same command under two names runs twice', async () => {
  const [a, b] = [
    { ...log, name: 'a' },
    { ...log, name: 'b' },
  ];
  await withDiscovered({ project: { ...enabled, ...toolHooks(a) }, user: { ...enabled, ...toolHooks(b) } }, async ({ handler, read }) => {
    await handler.fireBeforeToolEvent('write_file', {});
    expect(read('ran')).toBe('ran\nran\n');
  });
});

test('26. names and commands that join to one text are two hooks', async () => {
  const result = await fireTool([
    { name: 'a:b', command: 'true' },
    { name: 'a', command: 'b:true' },
  ]);
  expect(result.outcomes.map((outcome) => [outcome.hookId, outcome.exitCode])).toEqual([
    ['llxprt/settings/BeforeTool/a:b', 0],
    ['llxprt/settings/BeforeTool/a', 127],
  ]);
});

test('40. found settings run nothing where no level switches hooks on, and explain says so', async () => {
  await withDiscovered({ project: toolHooks(log), user: toolHooks(log) }, async ({ hooks, handler, read }) => {
    expect(hooks.has('BeforeTool')).toBe(false);
    expect((await handler.fireBeforeToolEvent('write_file', {})).outcomes).toEqual([]);
    expect(read('ran')).toBeUndefined();
    expect(hooks.explain('BeforeTool').hooks).toMatchObject([
      { hookId: ofProject, wouldRun: false, reason: expect.stringContaining('tools.enableHooks') },
      { hookId: ofUser, wouldRun: false, reason: expect.stringContaining('tools.enableHooks') },
    ]);
  });
});

test('40. the project switches off its own hooks and not those of the user', async () => {
  await withDiscovered(
    { project: { ...disabled, ...toolHooks(log) }, user: { ...enabled, ...toolHooks({ command: 'exit 2' }) } },
    async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(result.verdict).toMatchObject({ kind: 'deny', by: [ofUser] });
      expect(result.outcomes).toHaveLength(1);
    },
  );
});

test('40. the user switches on the hooks of a project that does not say', async () => {
  await withDiscovered({ project: toolHooks(log), user: enabled }, async ({ handler }) => {
    expect(outcomeAt(await handler.fireBeforeToolEvent('write_file', {}), 0)).toMatchObject({ hookId: ofProject, status: 'succeeded' });
  });
});

test('40. settings that are handed to createHooks run without a switch, and not against one', async () => {
  expect((await fireTool(['true'])).outcomes).toHaveLength(1);
  await withHooks({ settings: { ...disabled, ...toolHooks(log) } }, async ({ hooks }) => expect(hooks.has('BeforeTool')).toBe(false));
});
