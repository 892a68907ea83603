import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { claudeCode, HookEngine, SettingsError, TenterhookError } from 'tenterhook';

const packages = join(import.meta.dirname, '../packages');
const built = readdirSync(packages)
  .filter((name) => readdirSync(join(packages, name)).includes('dist'))
  .flatMap((name) =>
    readdirSync(join(packages, name, 'dist'), { recursive: true, encoding: 'utf8' }).map((file) => join(name, 'dist', file)),
  )
  .filter((file) => file.endsWith('.cjs'));

test('every CommonJS file is strict, as its sources are', () => {
  expect(built.length).toBeGreaterThan(20);
  const sloppy = built.filter((file) => !readFileSync(join(packages, file), 'utf8').startsWith('"use strict";'));
  expect(sloppy).toEqual([]);
});

test('classes and functions have the names of their sources', () => {
  expect([HookEngine, SettingsError, TenterhookError].map((known) => known.name)).toEqual([
    'HookEngine',
    'SettingsError',
    'TenterhookError',
  ]);
  expect(inspect(claudeCode)).toBe('[Function: claudeCode]');
});

// Loading zod takes as long as loading everything else that an agent needs at its start.
test.each(['tenterhook', '@tenterhook/handlers', '@tenterhook/protocol'])('importing %s loads no library', (name) => {
  const program = `
    import Module from 'node:module';
    await import('${name}');
    console.log(JSON.stringify(Object.keys(Module._cache)));
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  const loaded = JSON.parse(printed) as string[];
  expect(loaded).toContain(join(packages, 'runtime/dist/bundle.cjs'));
  expect(loaded.filter((file) => file.includes('/libraries/'))).toEqual([]);
});

test('zod is bundled without the texts of its languages', () => {
  expect(readFileSync(join(packages, 'runtime/dist/libraries/zod.cjs'), 'utf8')).not.toContain('zod/v4/locales/de.js');
});
