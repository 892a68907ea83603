import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { exportsOf, keyOf, namesIn, type Origin } from './support/declarations.js';
import { root } from './support/sources.js';

/** Types that users need not name: base classes, arguments of constructors that only we call, inferred types, the target of an alias. */
const unnamed = [
  'EventFor',
  'FireContext',
  'HandlerSource',
  'InferredFromCall',
  'OpenSubscription',
  'RegisteredHook',
  'SnakeCaseEngine',
  'SnakeCaseHook',
  'SnakeCaseMatcher',
  'SpawnerLimits',
];

/** Subpaths whose names change without notice. */
const internal = ['./internal'];

const entries = readdirSync(join(root, 'packages')).flatMap(entriesOf);

test('every public name has one origin, in all entries of all packages', () => {
  const origins = new Map<string, Set<string>>();
  for (const { name, origin } of publicNames()) origins.set(name, (origins.get(name) ?? new Set()).add(labelOf(origin)));
  expect(origins.size).toBeGreaterThan(300);
  expect([...origins].filter(([, found]) => found.size > 1).map(([name, found]) => `${name}: ${[...found].join(', ')}`)).toEqual([]);
});

test('every public type and function has one name, in all entries of all packages', () => {
  const names = new Map<string, Set<string>>();
  for (const { name, origin } of publicNames()) names.set(labelOf(origin), (names.get(labelOf(origin)) ?? new Set()).add(name));
  expect([...names].filter(([, found]) => found.size > 1).map(([origin, found]) => `${origin}: ${[...found].join(', ')}`)).toEqual([]);
});

test('what a public signature of tenterhook names is exported by tenterhook, or by one of its subpaths', () => {
  const own = entries.filter(({ folder }) => folder === 'tenterhook').map(({ file }) => file);
  const known = new Set(own.flatMap((entry) => [...exportsOf(entry).values()].map(keyOf)));
  const missing = own.flatMap((entry) => missingIn(entry, known));
  expect(known.size).toBeGreaterThan(150);
  expect(missing).toEqual([]);
});

function publicNames(): { readonly name: string; readonly origin: Origin }[] {
  return entries.flatMap(({ file }) => [...exportsOf(file)].map(([name, origin]) => ({ name, origin })));
}

function missingIn(entry: string, known: ReadonlySet<string>): string[] {
  return [...exportsOf(entry).values()].flatMap((origin) =>
    namesIn(origin)
      .filter((named) => !known.has(keyOf(named)) && !unnamed.includes(named.name))
      .map((named) => `${origin.name} names ${named.name}`),
  );
}

/** The declarations of the entries that users may import. */
function entriesOf(folder: string): { readonly folder: string; readonly file: string }[] {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { readonly types?: string }>;
  };
  if (manifest.exports['.'] === undefined) return [];
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    const types = typeof target === 'string' ? undefined : target.types;
    return types === undefined || internal.includes(subpath) ? [] : [{ folder, file: join(root, 'packages', folder, types) }];
  });
}

function labelOf({ file, name }: Origin): string {
  return `${relative(join(root, 'packages'), file)}#${name}`;
}
