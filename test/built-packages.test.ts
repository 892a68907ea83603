import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

// An accessor is a call at each read, and an event reads a hundred names of other files.
test('a file of a bundle exports plain values', () => {
  const program = `
    import Module from 'node:module';
    await import('tenterhook');
    const files = Object.entries(Module._cache).filter(([file]) => !file.includes('/libraries/'));
    const names = files.flatMap(([file, { exports }]) =>
      Object.entries(Object.getOwnPropertyDescriptors(exports)).map(([name, { get }]) => ({ name: file + ' ' + name, isAccessor: get !== undefined })),
    );
    console.log(JSON.stringify(names));
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  const names = JSON.parse(printed) as { readonly name: string; readonly isAccessor: boolean }[];
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter(({ isAccessor }) => isAccessor)).toEqual([]);
});

// A file exports its values at its end. A file that it requires would not find them.
test('no file of a bundle requires a file that requires it at its start', () => {
  const required = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:var|const) .*\brequire\("(\.[^"]+)"\)/gm)].map(([, path = '']) =>
      join(dirname(file), path),
    );
  const left = new Map(built.map((file) => [join(packages, file), required(join(packages, file))]));
  expect([...left.values()].flat().length).toBeGreaterThan(20);
  // Files that require none of the others are removed, until only circles are left.
  for (let size = 0; size !== left.size; ) {
    size = left.size;
    for (const [file, others] of left) if (!others.some((other) => left.has(other))) left.delete(file);
  }
  expect([...left.keys()]).toEqual([]);
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
