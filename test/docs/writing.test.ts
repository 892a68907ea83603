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

test('a phrase with … matches within a sentence, and a correct phrase is not found in its place', () => {
  const phrasesOfGuide = ['is no', 'is … and not', 'must be …, not'];
  const found = (text: string) => findPhrases(text, phrasesOfGuide).map(({ phrase }) => phrase);
  expect(found('It is no file.')).toEqual(['is no']);
  expect(found('There is no file. It is no longer there.\n * There\n * is no file.')).toEqual([]);
  expect(found('It is a file and not a folder.')).toEqual(['is … and not']);
  expect(found('It is a file. Write it, and not here.')).toEqual([]);
  expect(found('x must be a string, not 5')).toEqual(['must be …, not']);
  expect(found('x must be a string, and is 5')).toEqual([]);
});

test('the files of CI and the scripts of the shell are searched too', () => {
  expect(writtenFiles(root)).toEqual(
    expect.arrayContaining(['.ci/run', expect.stringMatching(/\.ya?ml$/), expect.stringMatching(/\.sh$/)]),
  );
});

test.each(writtenFiles(root))('%s has none of them', (file) => {
  const found = findPhrases(readFileSync(join(root, file), 'utf8'), phrases);
  expect(found.map(({ line, phrase }) => `${file}:${line}: "${phrase}"`)).toEqual([]);
});
