import { join, posix } from 'node:path';
import fc from 'fast-check';
import { canonicalTools } from '../../packages/dialects/src/shared/tools/canonical-tools.js';
import type { HostTools } from '../../packages/dialects/src/shared/tools/host-tool.js';
import {
  kindsNamed,
  namesElsewhere,
  type ToolArguments,
  type ToolEntry,
  type ToolKind,
  type ToolRole,
  type ToolTable,
} from '../../packages/dialects/src/shared/tools/tool-table.js';
import { translateTools } from '../../packages/dialects/src/shared/tools/tool-translation.js';
import { formats } from '../support/formats.js';
import { root, sourceFiles } from '../support/sources.js';

const numRuns = 3_000;
const patienceMs = 120_000;
const cwd = '/srv/app';

/**
 * An agent with a different name for every key, some of which mean something else at the host. No real table is like this, but a host's own
 * tools may be.
 */
const contrary: ToolTable = {
  read: { names: ['view'], keys: { file: ['offset', 'document'], offset: ['path'], limit: ['host_limit'] } },
  edit: { names: ['change'], keys: { file: ['old_string'], 'old-text': ['new_string'], 'new-text': ['file_path'] } },
};

const own = (as: string): HostTools => ({
  mine: { as, keys: { cmd: 'command', target: 'file_path', path: 'content', extra: 'more' } },
  plain: as,
  unknown: { as: 'Nowhere', keys: { cmd: 'path' } },
});

const declaredTable = /^export const (\w+): ToolTable = /m;

/** The tables of the dialects, which their folders have. */
const tables: { readonly name: string; readonly table: ToolTable }[] = [];
for (const { file, text } of sourceFiles()) {
  const [, name] = /dialects\/src\/([^/]+)\//.exec(file) ?? [];
  const [, variable] = declaredTable.exec(text) ?? [];
  if (name === undefined || name === 'shared' || variable === undefined) continue;
  const { [variable]: table } = (await import(join(root, file))) as Readonly<Record<string, ToolTable>>;
  tables.push({ name, table: table as ToolTable });
}

const dialects = [
  ...tables.map((each) => ({ ...each, ...(formats[each.name]?.tools ?? { tool: '', absoluteFiles: false }) })),
  { name: 'contrary', table: contrary, tool: 'view', absoluteFiles: true, fileOfOthers: 'path' },
].map(({ name, table, tool, ...options }) => ({ name, table, ...options, translation: translateTools(table, own(tool), options) }));

const entriesOf = (table: ToolTable): readonly ToolEntry[] => Object.values(table);
const rolesOf = (entry: ToolEntry | undefined) => Object.entries(entry?.keys ?? {}) as [ToolRole, [string, ...string[]]][];
const namesIn = (table: ToolTable) => entriesOf(table).flatMap(({ names }) => names);
const keysIn = (table: ToolTable) => entriesOf(table).flatMap(({ keys = {} }) => Object.values(keys).flat());

const hostNames = (table: ToolTable) => [
  ...new Set([...namesIn(canonicalTools), ...namesIn(table), 'mine', 'plain', 'unknown', 'deploy', 'toString']),
];
const oddKeys = ['cmd', 'target', 'extra', 'x', 'host_path', 'host_offset', '__proto__', 'constructor', ''];
const allKeys = [...new Set([canonicalTools, ...dialects.map(({ table }) => table)].flatMap(keysIn)), ...oddKeys];

// Only few values, so that two keys often have the same value.
const value = fc.oneof(
  fc.constantFrom<unknown>(null, '', 'a.txt', 'src/../b', '/etc/passwd', './c', 5, true, ['a.txt'], { path: 'a.txt' }),
  fc.jsonValue({ maxDepth: 2 }),
);
const input = fc
  .uniqueArray(fc.tuple(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...allKeys) }, { weight: 1, arbitrary: fc.string() }), value), {
    selector: ([key]) => key,
    maxLength: 7,
  })
  .map((entries): ToolArguments => Object.fromEntries(entries));

/** Converts to JSON and back, because a hook receives and returns text. */
const overWire = (object: ToolArguments): ToolArguments => JSON.parse(JSON.stringify(object)) as ToolArguments;
/** Compared as a map, because most comparisons ignore a key named `__proto__`. */
const mapOf = (object: ToolArguments) => new Map(Object.entries(overWire(object)));

test('every dialect with a table has a sample of its tools', () => {
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['claude-code', 'eca']));
  expect(tables.filter(({ name }) => name in formats && formats[name]?.tools === undefined)).toEqual([]);
});

describe.each(dialects)('$name', ({ table, translation, absoluteFiles }) => {
  const call = fc.tuple(fc.constantFrom(...hostNames(table)), input);

  test(
    'what hooks receive and give back is what the host gave',
    () => {
      fc.assert(
        fc.property(call, ([hostName, given]) => {
          const reported = translation.toDialect(hostName, given, cwd);
          const back = translation.toHost(hostName, overWire(reported), given, cwd);
          expect(mapOf(back)).toEqual(mapOf(given));
          expect(Object.getPrototypeOf(reported)).toBe(Object.prototype);
          expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
        }),
        { numRuns },
      );
    },
    patienceMs,
  );

  test(
    'who rewrites one argument changes that one of the host, under all keys that it has there, and nothing else',
    () => {
      fc.assert(
        fc.property(call, fc.nat(), ([hostName, given], index) => {
          fc.pre(translation.rivals(hostName, given) === undefined);
          const reported = translation.toDialect(hostName, given, cwd);
          const names = Object.keys(reported);
          fc.pre(names.length > 0);
          const name = names[index % names.length] as string;
          const rewritten = Object.fromEntries([...Object.entries(reported), [name, '/rewritten']]);

          const back = mapOf(translation.toHost(hostName, overWire(rewritten), given, cwd));
          const before = mapOf(given);
          expect([...back.keys()].sort()).toEqual([...before.keys()].sort());
          const changed = [...back.keys()].filter((key) => JSON.stringify(back.get(key)) !== JSON.stringify(before.get(key)));
          expect(changed.length).toBeGreaterThan(0);
          for (const key of changed) {
            expect(back.get(key)).toBe('/rewritten');
            expect(before.get(key)).toEqual(before.get(changed[0] as string));
          }
          const kind = translation.kindOf(hostName);
          // For a tool that the dialect does not have, the key of its file may depend on the values of the others.
          if (kind !== undefined && table[kind] !== undefined)
            expect(mapOf(translation.toDialect(hostName, Object.fromEntries(back), cwd))).toEqual(mapOf(rewritten));

          // Formats that merge return only this argument, which is merged into the rest.
          const alone = mapOf(translation.toHost(hostName, overWire(Object.fromEntries([[name, '/rewritten']])), given, cwd));
          expect(new Map([...before, ...alone])).toEqual(back);

          // Formats that replace may omit it, which removes the argument.
          const without = Object.fromEntries(Object.entries(reported).filter(([key]) => key !== name));
          const left = mapOf(translation.toHost(hostName, overWire(without), given, cwd));
          for (const key of changed) expect(left.has(key)).toBe(false);
        }),
        { numRuns },
      );
    },
    patienceMs,
  );

  test(
    'a guard that looks at the key of the dialect sees the argument, whatever the host calls it',
    () => {
      const ofCanonical = fc.tuple(fc.constantFrom(...namesIn(canonicalTools)), input);
      fc.assert(
        fc.property(ofCanonical, ([hostName, given]) => {
          fc.pre(translation.rivals(hostName, given) === undefined);
          const reported = translation.toDialect(hostName, given, cwd);
          const [kind] = kindsNamed(hostName, canonicalTools) as [ToolKind];
          for (const [role, [key]] of rolesOf(table[kind])) {
            const hostKeys = canonicalTools[kind]?.keys?.[role] ?? [];
            const found = hostKeys.map((name) => (Object.hasOwn(given, name) ? given[name] : null)).find((one) => one !== null);
            if (found === undefined) continue;
            const isPath = absoluteFiles && role === 'file' && typeof found === 'string' && found !== '';
            expect(reported[key]).toEqual(isPath ? posix.resolve(cwd, found) : found);
          }
        }),
        { numRuns },
      );
    },
    patienceMs,
  );

  test('every name that a matcher may have for a tool leads back to it', () => {
    for (const hostName of namesIn(canonicalTools)) {
      const kind = translation.kindOf(hostName);
      const names = translation.namesOf(hostName);
      if (table[kind as keyof ToolTable] === undefined) expect(names).toEqual([hostName]);
      else for (const name of names) expect(namesElsewhere(name, table, canonicalTools)).toContain(hostName);
    }
    for (const name of namesIn(table)) {
      expect(kindsNamed(name, table)).toContain(translation.kindOf(name));
      expect(translation.namesOf(name)).toContain(name);
    }
  });
});

test.each([['canonical', canonicalTools] as const, ...dialects.map(({ name, table }) => [name, table] as const)])(
  'no tool of %s has one key for two arguments',
  (_, table) => {
    for (const { keys = {} } of entriesOf(table)) {
      const all = Object.values(keys).flat();
      expect(new Set(all).size).toBe(all.length);
    }
  },
);
