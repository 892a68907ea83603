import { readExports } from '../../src/env-file/read-exports.js';

test.each<[line: string, variables: Record<string, string>]>([
  ['export A=1', { A: '1' }],
  ['  export A=1  ', { A: '1' }],
  ['export A=', { A: '' }],
  [`export A='one two $B "x"'`, { A: 'one two $B "x"' }],
  ['export A="one \\"two\\" \\$B \\\\ \\x"', { A: 'one "two" $B \\ \\x' }],
  [`export A=a'b c'"d"e`, { A: 'ab cde' }],
  ['export A=a\\ b', { A: 'a b' }],
  ['export A=1 _b2=2', { A: '1', _b2: '2' }],
  ['export A=1 # why', { A: '1' }],
  ['export A=x#y', { A: 'x#y' }],
  ['export URL=https://h:1/p?a=b', { URL: 'https://h:1/p?a=b' }],
  ['declare -x A="b c"', { A: 'b c' }],
  ['export A=1\r', { A: '1' }],
  ['export A=1\nexport A=2\n\n# note\nexport B=3', { A: '2', B: '3' }],
  ['export __proto__=x', JSON.parse('{"__proto__":"x"}')],
  ['', {}],
])('%j is read as a shell would', (text, variables) => {
  expect(readExports(text)).toEqual({ variables, problems: [] });
});

test.each([
  ['A=1', 'does not begin with export'],
  ['export', 'no assignment'],
  ['export A', 'no assignment'],
  ['export 1A=x', 'no assignment'],
  ['export A = 1', 'no assignment'],
  ['export A=1; rm -rf /', 'is not quoted'],
  ['export A=$(whoami)', 'not expanded'],
  ['export PATH="$PATH:/x"', 'not expanded'],
  ['export A=`id`', 'not expanded'],
  [`export A=$'x'`, 'not expanded'],
  ['export A="x', 'not closed'],
  [`export A='x`, 'not closed'],
  ['export A=x\\', 'nothing follows'],
  ['export A=x\0y', 'contains a NUL'],
  ['rm -rf /', 'does not begin with export'],
])('%j is a problem, and the lines beside it count', (line, problem) => {
  const { variables, problems } = readExports(`export B=1\n${line}\nexport C=2`);
  expect(variables).toEqual({ B: '1', C: '2' });
  expect(problems).toEqual([expect.stringContaining(problem)]);
  expect(problems[0]).toMatch(/^Line 2: /);
});

test('a line of a million characters is read, or refused, at once', () => {
  const long = 'a'.repeat(1_000_000);
  expect(readExports(`export A="${long}"`).variables['A']).toBe(long);
  expect(readExports(`export A="${long}`).problems).toHaveLength(1);
  expect(readExports(`export A=${'\\a'.repeat(500_000)}$`).problems).toHaveLength(1);
});
