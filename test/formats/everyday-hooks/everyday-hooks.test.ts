import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withHooksIn } from '../../support/fire-hooks.js';
import { testWithPrograms } from '../../support/program.js';
import { runCli } from '../../support/run-cli.js';
import { root } from '../../support/sources.js';
import { dotfiles } from './calls/dotfiles.js';
import { eca } from './calls/eca.js';
import { gemini } from './calls/gemini.js';
import { geminiExtension } from './calls/gemini-extension.js';
import { guard } from './calls/guard.js';
import { llxprt } from './calls/llxprt.js';
import { telemetry } from './calls/telemetry.js';
import { webApp } from './calls/web-app.js';
import { windows } from './calls/windows.js';
import { type Collection, type Expected, observe, optionsOf, placed, withCollection } from './collection.js';

const collections: readonly Collection[] = [dotfiles, webApp, windows, guard, telemetry, gemini, geminiExtension, eca, llxprt];

describe.each(collections)('$folder', (collection) => {
  const { folder, dialect, extension, problems = [] } = collection;

  test('validate reports the problems of the settings, and no others', async () => {
    await withCollection(collection, async (places) => {
      const args = ['validate', '--json', ...(extension === undefined ? [] : ['--extension', places.at(extension)])];
      const { stdout } = await runCli(args, { cwd: places.project, home: places.home });
      const reported: { code: string; message: string }[] = JSON.parse(stdout).diagnostics;
      expect(reported.map(({ code }) => code)).toEqual(problems);
    });
  });

  testWithPrograms(['bash', 'python3', 'jq'], 'an agent loads every hook, and every hook runs and does what its format says', async () => {
    await withCollection(collection, async (places) => {
      await withHooksIn(places.project, optionsOf(collection, places), async (scene) => {
        const definitions = Object.values(scene.hooks.hooks).flat();
        expect(definitions.filter((hook) => hook.dialect !== dialect)).toEqual([]);
        expect(scene.hooks.diagnostics).toEqual([]);
        const ran = new Set<string>();
        scene.hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
          if (payload.kind === 'hook-started') ran.add(payload.hookId);
        });
        const calls = placed(collection.calls, places, collection);
        const observed: [title: string, Expected][] = [];
        for (const call of calls) observed.push([call.title, await observe(call, places, scene)]);
        expect(observed).toEqual(calls.map(({ title, expected }) => [title, expected]));
        expect(definitions.map(({ id }) => id).filter((id) => !ran.has(id))).toEqual([]);
      });
    });
  });

  test('every script is run by a hook', async () => {
    await withCollection(collection, async (places) => {
      const files = readdirSync(join(root, 'test/formats/everyday-hooks', folder), { recursive: true, encoding: 'utf8' });
      const scripts = files.filter((file) => /\.(sh|py|js|mjs|cjs)$/.test(file)).map((file) => basename(file));
      await withHooksIn(places.project, optionsOf(collection, places), async ({ hooks }) => {
        const commands = JSON.stringify(hooks.hooks);
        expect(scripts.filter((script) => !commands.includes(script))).toEqual([]);
      });
    });
  });
});

test('the set has at least 45 hooks, of every format', async () => {
  const counts = { 'claude-code': 0, 'gemini-cli': 0, eca: 0, llxprt: 0 };
  for (const collection of collections) {
    await withCollection(collection, async (places) => {
      await withHooksIn(places.project, optionsOf(collection, places), async ({ hooks }) => {
        counts[collection.dialect] += Object.values(hooks.hooks).flat().length;
      });
    });
  }
  expect(counts['claude-code']).toBeGreaterThanOrEqual(28);
  expect(counts['gemini-cli']).toBeGreaterThanOrEqual(9);
  expect(Math.min(counts.eca, counts.llxprt)).toBeGreaterThanOrEqual(4);
  expect(Object.values(counts).reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(45);
});
