// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell commands.
import { calledProgram, quote } from '../../src/lanes/shell-words.js';

const env = { DIR: '/home/me/my project', PLAIN: '/opt/hooks', EMPTY: '', PWD: '/tmp' };

test.each([
  ['./check.sh', './check.sh'],
  ['  ./check.sh --strict  a=b ', './check.sh'],
  ['node /opt/check.js', 'node'],
  ['"$DIR"/check.sh', '/home/me/my project/check.sh'],
  ['"${DIR}/check.sh" --strict', '/home/me/my project/check.sh'],
  ['$PLAIN/check.sh', '/opt/hooks/check.sh'],
  ["'/a b/check.sh' 'x y'", '/a b/check.sh'],
  ['"/usr/bin/env" python3 "$DIR/x.py"', '/usr/bin/env'],
])('%j calls the program %j', (text, program) => {
  expect(calledProgram(text, env)).toBe(program);
});

test.each([
  '',
  'echo hello',
  '"echo" hello',
  'A=1 ./check.sh',
  './check.sh; exit 2',
  './check.sh | cat',
  './check.sh &',
  './check.sh > out',
  './a.sh\n./b.sh',
  '$DIR/check.sh',
  '"$MISSING"/check.sh',
  '"${DIR:-/tmp}"/check.sh',
  '"${#DIR}"/check.sh',
  '$EMPTY ./check.sh',
  '"$PWD"/check.sh',
  './check.sh *.ts',
  './check.sh ~',
  './check.sh {a,b}',
  './check.sh "$(date)"',
  './check.sh `date`',
  './check.sh "a\\"b"',
  './check.sh "unfinished',
  './check.sh $1 "$$"',
  '# ./check.sh',
  '-x',
])('%j is not certain to be one call', (text) => {
  expect(calledProgram(text, env)).toBeUndefined();
});

test('a quoted value is one word, also with quotes in it', () => {
  expect(quote(`it's "$HOME"`)).toBe(`'it'\\''s "$HOME"'`);
});
