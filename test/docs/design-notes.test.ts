import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/sources.js';

const page = readFileSync(join(root, 'docs/design-notes.md'), 'utf8');
const cited = ['packages', 'examples'].flatMap(citingFiles);

test.each([
  ['decision', /\bdecisions? (\d+[a-c]?(?:(?:,? and|,| to) \d+[a-c]?)*)/gi],
  ['field failure', /\bfield failures? (\d+(?:(?:,? and|,| to) \d+)*)/gi],
  ['seed', /\bseeds? (\d{3}(?:(?:,? and|,| to) \d{3})*)/gi],
  ['design', /\bdesign (§[\d.]*\d)/g],
])('every %s that a source file cites is in docs/design-notes.md', (kind, pattern) => {
  const known = rowsOf(kind);
  const citations = cited.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].flatMap((match) => numbersIn(match[1] as string).map((number) => ({ file, number }))),
  );
  expect(citations.length).toBeGreaterThan(0);
  expect(citations.filter(({ number }) => !known.has(number)).map(({ file, number }) => `${file}: ${kind} ${number}`)).toEqual([]);
});

/** The sources with every comment on one line, because a citation may be wrapped. */
function citingFiles(folder: string): { file: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^/]+\/src\/.*\.ts$/.test(file))
    .map((file) => ({
      file: join(folder, file),
      text: readFileSync(join(root, folder, file), 'utf8').replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' '),
    }));
}

/** The first column of the table with this heading. */
function rowsOf(kind: string): Set<string> {
  const table = page.split(`| ${kind} |`)[1]?.split('\n\n')[0] ?? '';
  return new Set([...table.matchAll(/^\| (§?[\d.]+[a-c]?) \|/gm)].map((match) => match[1] as string));
}

/** Reads `3 to 5, 7 and 16a` as 3, 4, 5, 7, 16a. */
function numbersIn(text: string): string[] {
  return text.split(/,? and |, ?/).flatMap((part) => {
    const [first, last] = part.split(' to ').map((number) => number.trim());
    if (last === undefined) return [first as string];
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => String(Number(first) + index));
  });
}
