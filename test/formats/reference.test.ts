import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import type { ReferenceNames } from './reference-names.js';

/** Every dialect has a table of rules, and a file with the names that it knows. A new field without a row, and so without a test, fails here. */
const formats: (readonly [format: string, names: ReferenceNames])[] = [];
// One after another, because Jest cannot link modules that are imported at the same time.
for (const { name } of defaultDialects()) {
  const { names } = (await import(`./${name}/reference-names.js`)) as { readonly names: ReferenceNames };
  formats.push([name, names]);
}

interface Reference {
  readonly sections: readonly { readonly title: string; readonly rows: readonly (readonly string[])[] }[];
}

const referenceOf = (format: string) => JSON.parse(readFileSync(join(import.meta.dirname, format, 'reference.json'), 'utf8')) as Reference;

/** The names in the first cells of a table, and of each row all pairs in their order: `Stop`, `reason`, `Stop reason`. */
function namesIn(rows: readonly (readonly string[])[]): Set<string> {
  return new Set(
    rows.flatMap(([rule = '']) => {
      const names = [...rule.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
      return [...names, ...names.flatMap((name, index) => names.slice(index + 1).map((other) => `${name} ${other}`))];
    }),
  );
}

describe.each(formats)('the reference of %s', (format, known) => {
  const { sections } = referenceOf(format);

  test.each(Object.keys(known))('every name that the dialect knows has a row: %s', (title) => {
    const rows = namesIn(sections.find((section) => section.title === title)?.rows ?? []);
    expect(known[title]?.length).toBeGreaterThan(0);
    expect(known[title]?.filter((name) => !rows.has(name))).toEqual([]);
  });

  test('no rule has two rows', () => {
    const rules = sections.flatMap(({ title, rows }) => rows.map(([rule]) => `${title}: ${rule}`));
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([]);
  });
});
