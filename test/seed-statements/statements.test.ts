import { root } from '../support/sources.js';

interface Statement {
  readonly id: string;
  readonly seed: string;
  readonly section: string;
  readonly label: string;
  readonly hash: string;
}
const { readList, checksumOf, differences } = (await import('../../scripts/seed-statements/statement-list.mjs' as string)) as {
  readList: () => { checksum: string; statements: Statement[] };
  checksumOf: (statements: readonly Statement[]) => string;
  differences: (listed: readonly Statement[], extracted: readonly Statement[]) => string[];
};
const { citedIds, unusedTests } = (await import('../../scripts/seed-statements/citations.mjs' as string)) as {
  citedIds: (root: string) => Map<string, Set<string>>;
  unusedTests: (root: string) => string[];
};
const { extractFrom } = (await import('../../scripts/seed-statements/extract.mjs' as string)) as {
  extractFrom: (directory: string) => Statement[];
};

const { statements, checksum } = readList();
const ids = statements.map(({ id }) => id);
const cited = citedIds(root);

test('the list is the one that was written', () => {
  expect(checksumOf(statements)).toBe(checksum);
});

test('every statement has an id of its own, a label and the hash of its text', () => {
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, seed, label, hash } of statements) {
    expect(id).toMatch(new RegExp(`^${seed}/[\\w./-]+$`));
    expect(label).not.toBe('not named yet');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  }
});

test('every statement is cited by a test', () => {
  expect(ids.filter((id) => !cited.has(id))).toEqual([]);
});

test('every id that a test cites is a statement', () => {
  expect([...cited.keys()].filter((id) => !ids.includes(id))).toEqual([]);
});

test('no test that could cite one is switched off', () => {
  expect(unusedTests(root)).toEqual([]);
});

test('a row that is missing, new or changed is a difference', () => {
  const [first, second, ...others] = statements as [Statement, Statement, ...Statement[]];
  expect(differences(statements, statements)).toEqual([]);
  expect(differences(statements, [{ ...first, id: '000/new' }, { ...second, hash: 'x' }, ...others])).toEqual([
    expect.stringContaining(first.id),
    expect.stringContaining('000/new'),
    expect.stringContaining(second.id),
  ]);
});

// The documents are no part of this repository: whoever has them names their directory in TENTERHOOK_SEEDS.
const seeds = process.env['TENTERHOOK_SEEDS'];
const testWithSeeds = seeds === undefined ? test.skip : test;

testWithSeeds('the list is what the source documents say (runs where TENTERHOOK_SEEDS names their directory)', () => {
  expect(differences(statements, extractFrom(seeds as string))).toEqual([]);
});
