import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPhrases, phrasesToAvoid, writtenFiles } from './phrases.js';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/contributing/writing.md'), 'utf8');
const phrases = phrasesToAvoid(guide);

test('the page lists phrases, and a phrase is found in any case and as a whole word', () => {
  expect(phrases.length).toBeGreaterThan(40);
  expect(findPhrases('NOBODY is told.\nA hook is mended; tolden', ['nobody', 'told', 'mend*'])).toEqual([
    { line: 1, phrase: 'nobody' },
    { line: 1, phrase: 'told' },
    { line: 2, phrase: 'mend*' },
  ]);
});

test.each(writtenFiles(root))('%s has none of them', (file) => {
  const found = findPhrases(readFileSync(join(root, file), 'utf8'), phrases);
  expect(found.map(({ line, phrase }) => `${file}:${line}: "${phrase}"`)).toEqual([]);
});
