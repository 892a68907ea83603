import fc from 'fast-check';
import { hasUnknownCode } from '../../src/reach/open-reasons.js';
import { TestProject } from './project.js';

let project: TestProject;

beforeAll(() => {
  project = new TestProject({ 'tools/x.sh': '#!/bin/sh\n' });
});

afterAll(() => project.remove());

/** Ways to write a character of a word. */
const character = (char: string) =>
  fc.constantFrom(char, `'${char}'`, `"${char}"`, `\\${char}`, `$'${char}'`, `$"${char}"`, `\\\n${char}`, `${char}""`);
const spelled = (text: string) => fc.tuple(...[...text].map(character)).map((parts) => parts.join(''));

const relative = 'tools/x.sh';
const beginnings = [
  './',
  '"$CLAUDE_PROJECT_DIR"/',
  `$${'{CLAUDE_PROJECT_DIR}'}/`,
  '$PWD/',
  '"$PWD/"',
  '../project/',
  './/./',
  '~/../project/',
  '$UNKNOWN/',
  '$(pwd)/',
  '`pwd`/',
];
const word = fc.tuple(fc.constantFrom(...beginnings), spelled(relative)).map(([start, rest]) => start + rest);

/** Commands that run the file which a word names. */
const commands: ((word: string) => string)[] = [
  (path) => path,
  (path) => `sh ${path}`,
  (path) => `. ${path}`,
  (path) => `bash -eu ${path} a b`,
  (path) => `true && ! ${path} || false`,
  (path) => `x=$(${path})`,
  (path) => `echo "a $(sh ${path}) b"`,
  (path) => `(true; ${path})`,
  (path) => `if true; then ${path}; fi`,
  (path) => `for f in ${path}; do "$f"; done`,
  (path) => `f() { ${path}; }; f`,
  (path) => `case a in (a) ${path};; esac`,
  (path) => `X=${path}; "$X"`,
  (path) => `X=1 Y=${path} env -i "$Y"`,
  (path) => `env A=1 nice -n 5 timeout 3 ${path}`,
  (path) => `exec ${path} < /dev/null > /dev/null 2>&1`,
  (path) => `bash < ${path}`,
  (path) => `bash <(cat ${path})`,
  (path) => `cat ${path} | sh`,
  (path) => `sh <<A\n${path}\nA`,
  (path) => `sh <<< "$(cat ${path})"`,
  (path) => `find / -maxdepth 0 -exec ${path} \\;`,
  (path) => `echo ${path} | xargs sh`,
  (path) => `trap ${path} EXIT`,
  (path) => `cd tools; ./x.sh # ${path}`,
  (path) => `(cd / ; ${path})`,
  (path) => `a=(${path}); "$${'{a[0]}'}"`,
  (path) => `[[ -f ${path} && 1 -lt 2 ]] && source ${path}`,
  (path) => `coproc ${path}`,
  (path) => `awk -f ${path}`,
  (path) => `make -f ${path}`,
];

/** Commands of which a known program may run the file, so that the user is not asked about them in a hook of the user. */
const programs: typeof commands = [(path) => `git -c core.pager=${path} log`, (path) => `unknown --config=${path}`];

const nested = (line: fc.Arbitrary<string>) =>
  line.chain((text) => {
    const single = text.includes("'") ? text : `bash -c '${text}'`;
    return fc.constantFrom(
      text,
      single,
      `eval ${JSON.stringify(text.replace(/[`$\n]/g, ''))}; ${text}`,
      `sh <<'E'\n${text}\nE\n`,
      `{ ${text}\n}`,
    );
  });

test('a file that a command names in any spelling is reached, or the command is open', () => {
  fc.assert(
    fc.property(nested(fc.tuple(fc.constantFrom(...commands, ...programs), word).map(([command, path]) => command(path))), (line) => {
      const { entries, open } = project.find(line).reach;
      expect(open.length > 0 || entries.some(({ path }) => path === relative)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('a file that a command runs in any spelling is reached, or it is unknown what the command runs', () => {
  fc.assert(
    fc.property(nested(fc.tuple(fc.constantFrom(...commands), word).map(([command, path]) => command(path))), (line) => {
      const { entries, open } = project.find(line, { isOwn: true }).reach;
      expect(hasUnknownCode(open) || entries.some(({ path }) => path === relative)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('a file that a command names in a known spelling is reached, and not only open', () => {
  const known = fc.tuple(fc.constantFrom(...beginnings.slice(0, 8)), spelled(relative)).map(([start, rest]) => start + rest);
  fc.assert(
    fc.property(fc.tuple(fc.constantFrom(...commands.slice(0, 17)), known), ([command, path]) => {
      const { entries } = project.find(command(path)).reach;
      expect(entries.map((entry) => entry.path)).toContain(relative);
    }),
    { numRuns: 1_000 },
  );
});
