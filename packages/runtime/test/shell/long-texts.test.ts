import { blockingWork } from '../../../../test/support/blocking-work.js';
import { innerLines } from '../../src/shell/inner-lines.js';
import { commandsIn } from '../../src/shell/shell-commands.js';

const long = (part: string, length = 512 * 1024) => part.repeat(length / part.length);
const longer = 2 * 1024 * 1024;

test.each([
  ['words', `echo ${long('a ')}`, 1],
  ['keywords', long('! '), 1],
  ['keywords and words that mean something only after keywords', `${long('! ')}${long('[[ ')}`, 1],
  ['tildes', `echo a${long('~', longer)}`, 1],
  ['here-documents', `cat ${long('<<a ', longer)}\n${long('a\n', longer / 2)}`, 1],
])('the time for a script grows with the number of its %s, and not with its square', async (_, text, commands) => {
  const read = await blockingWork(() => commandsIn(text, { isScript: true, expand: () => undefined }));
  expect(read?.commands).toHaveLength(commands);
});

test('the time for the words of a shell grows with their length, and not with its square', async () => {
  const words = ['bash', `-${long('c')}`].map((text) => ({ text, isOpen: false, written: text }));
  expect(await blockingWork(() => innerLines('bash', words))).toEqual([]);
});

test.each([
  ['-c', 'a b', ['a b']],
  ['-xc', 'a', ['a']],
  ['-xca b', 'c', ['a b', 'c']],
  ['-xca', 'b', ['b']],
])('the lines of `bash %s "%s"` are the words after -c', (option, word, lines) => {
  const words = ['bash', option, word].map((text) => ({ text, isOpen: false, written: text }));
  expect(innerLines('bash', words)).toEqual(lines);
});
