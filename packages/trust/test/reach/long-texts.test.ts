import { blockingWork } from '../../../../test/support/blocking-work.js';
import { readCommand, readShellScript } from '../../src/reach/command/read-command.js';
import { locate } from '../../src/reach/files/locate.js';

const length = 240 * 1024;
const long = (part: string) => part.repeat(Math.floor(length / part.length));

test.each<[string, string]>([
  ['indexes of arrays in quotes', `echo '${long('$\u007ba[')}'\n`],
  ['slashes after a variable', `$a${long('/')}$b\n`],
  ['folders that are added to PATH', `PATH=${'x'.repeat(length / 2)}${'$\u007ba}:'.repeat(length / 10)}y\n`],
  ['patterns after code of Node', `node -e x ${long('* ')}\n`],
  ['patterns of a program that reads late options', `sort -- ${long('* ')}\n`],
  ['variables that are exported', `export ${long('PATH ')}\n`],
  ['different variables that are exported', `export ${Array.from({ length: 30_000 }, (_, at) => `LD_${at}`).join(' ')}\n`],
  ['commands of find', `find . ${long('-exec ')}\n`],
  ['functions', `${long('function ')}\n`],
  ['wrappers', `${long('env ')}\n`],
])('the time for a command does not grow with the square of its %s', async (_, text) => {
  const variables = { HOME: '/home/u', PATH: '/bin' };
  const findings = await blockingWork(() => [
    readCommand({ kind: 'shell', text, shell: 'posix' }, variables),
    readShellScript(text, { variables, paths: { zero: '/p/a.sh', source: '/p/a.sh' } }),
  ]);
  expect(findings.map(({ references }) => references.length > 0)).toEqual([true, true]);
});

test.each(['../', './a/../'])('the time to follow a path of many parts does not grow with their square: %j', async (part) => {
  const place = await blockingWork(() => locate(`/${part.repeat(400_000)}etc`, () => true));
  expect(place.isLoop).toBe(false);
});
