import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
// @ts-expect-error: a script without types
import { linesOfPicture, picture, printEvents } from '../../scripts/picture.mjs';
import { withoutTimes } from './blocks.js';

test('the picture of the README shows what the command line prints', () => {
  const printed = stripVTControlCharacters(printEvents())
    .split('\n')
    .filter((line) => line !== '');
  expect(linesOfPicture(readFileSync(picture, 'utf8')).map(words)).toEqual(printed.map(words));
});

const words = (line: string) => withoutTimes(line).trim().split(/\s+/);
