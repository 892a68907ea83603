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
