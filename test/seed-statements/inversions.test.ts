import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/sources.js';

interface Inversion {
  readonly file: string;
  readonly search: string;
  readonly replace: string;
  readonly ids: readonly string[];
}
const { inversions, inverted } = (await import('../../scripts/seed-statements/inversions/index.mjs' as string)) as {
  inversions: readonly Inversion[];
  inverted: (text: string, inversion: Inversion) => string;
};
const { draw } = (await import('../../scripts/seed-statements/draw.mjs' as string)) as {
  draw: (items: readonly string[], count: number, seed: number) => string[];
};
const { readList } = (await import('../../scripts/seed-statements/statement-list.mjs' as string)) as {
  readList: () => { statements: { id: string }[] };
};

const covered = [...new Set(inversions.flatMap(({ ids }) => ids))];

// Running them takes minutes (scripts/invert-statements.mjs); that each still has a place to be applied at is looked at here.
test.each(inversions.map((inversion) => [inversion.file, inversion.search, inversion] as const))(
  '%s can be inverted at %j',
  (file, search, inversion) => {
    const text = readFileSync(join(root, file), 'utf8');
    expect(text.split(search)).toHaveLength(2);
    expect(inverted(text, inversion)).not.toBe(text);
  },
);

test('every inverted id is a statement', () => {
  const ids = readList().statements.map(({ id }) => id);
  expect(covered.filter((id) => !ids.includes(id))).toEqual([]);
});

test('what is drawn depends on the seed alone', () => {
  expect(draw(covered, 20, 2026)).toEqual(draw(covered, 20, 2026));
  expect(draw(covered, 20, 2026)).not.toEqual(draw(covered, 20, 2027));
  expect(new Set(draw(covered, 20, 2026)).size).toBe(20);
});
