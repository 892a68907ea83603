import { ReadBudget } from '../../src/reach/command/read-budget.js';
import { readKnown } from '../../src/reach/command/values/variables.js';
import { ReachProject } from '../../src/reach/files/project.js';
import { TestProject, textsOf } from './project.js';

let project: TestProject | undefined;
afterEach(() => project?.remove());

const setting = 'a=/x/a\nb=/x/b\nc=/x/c\n';
const using = '"$a/q" "$b/r" "$c" x/y z/w\n';
const script = (bytes: number) => setting + using.repeat(Math.floor((bytes - setting.length) / using.length));
const tooMuch = expect.stringMatching(/ is too much to read\.$/);

test('a short text is read once for each combination of its values, and a long one twice in the end', () => {
  const read = (text: string) => {
    const budget = new ReadBudget();
    const known = readKnown(text, {}, {}, budget);
    return { reads: known === 'too much' ? 0 : known.reads?.length, passes: budget.taken / text.length };
  };
  expect(read(script(8_000))).toEqual({ reads: 8, passes: 9 });
  expect(read(script(100_000))).toEqual({ reads: 2, passes: 3 });
  expect(read(using.repeat(3_000))).toEqual({ reads: 1, passes: 1 });
});

test('the words of a long script with a variable that it sets are unknown, and the value is used too', () => {
  const text = `lib=./lib\n. "$lib/x.sh"\n${'echo done\n'.repeat(2_000)}`;
  project = new TestProject({ 'hook.sh': text, 'lib/x.sh': 'true\n' });
  const { entries, open } = project.find('sh ./hook.sh').reach;
  expect(entries.map(({ path }) => path)).toContain('lib/x.sh');
  expect(open).toMatchObject([{ kind: 'code', text: expect.stringContaining('$lib/x.sh') }]);
});

test('a hook with more text than the budget is open, and what was read of it is reached', () => {
  const names = Array.from({ length: 16 }, (_, at) => `s${at}.sh`);
  project = new TestProject(Object.fromEntries(names.map((name) => [name, script(252_000)])));
  const reached = new ReachProject({ directory: project.directory });
  const command = names.map((name) => `. ./${name}`).join('; ');
  reached.pass(() => {
    const { entries, open } = project?.find(command, { project: reached }).reach ?? { entries: [], open: [] };
    expect(entries.map(({ path }) => path)).toEqual(expect.arrayContaining(names));
    expect(open).toContainEqual({ kind: 'code', text: tooMuch });
    const { taken, limit } = reached.budgetOf(false);
    expect(taken).toBeLessThanOrEqual(limit);
    // A hook of the user is not open because of the hooks of the repository.
    expect(project?.find('jq -r .a', { project: reached, isOwn: true }).reach.open).toEqual([]);
    expect(textsOf(project?.find('jq -r .a', { project: reached }).reach.open ?? [])).toEqual([tooMuch]);
  });
  // The next pass has a new budget.
  expect(project.find('jq -r .a', { project: reached }).reach.open).toEqual([]);
});

test.each<[string, string]>([
  ['substitutions in each other', `echo ${'$(echo '.repeat(18)}x${')'.repeat(18)}\n`],
  ['wrappers with options in each other', `${'xargs -n '.repeat(60)}x\n`],
  ['programs of another language', 'jq\n'.repeat(60_000)],
  ['loops over many words', 'for f in x/a; do :; done\nsh "$f"\n'.repeat(5_000)],
  ['evaluated texts and functions', "eval 'f() { :; }'\n".repeat(10_000)],
])('the work for %s is limited', (_, text) => {
  project = new TestProject({ 'hook.sh': text });
  const reached = new ReachProject({ directory: project.directory });
  reached.pass(() => {
    project?.find('sh ./hook.sh', { project: reached });
    const { taken, limit } = reached.budgetOf(false);
    expect(taken).toBeLessThanOrEqual(limit);
  });
});

test('the findings of usual scripts are within the budget', () => {
  const usual = `#!/usr/bin/env bash\nset -eu\ndir=/opt/hooks\nlib=./lib\nlog=/tmp/x.log\n. "$lib/x.sh"\n${'printf "%s\\n" done >> "$log"\n'.repeat(200)}`;
  const names = Array.from({ length: 40 }, (_, at) => `hooks/s${at}.sh`);
  project = new TestProject({ ...Object.fromEntries(names.map((name) => [name, usual])), 'lib/x.sh': 'true\n' });
  const reached = new ReachProject({ directory: project.directory });
  reached.pass(() => {
    for (const name of names) {
      const { entries, open } = project?.find(`bash ${name}`, { project: reached }).reach ?? { entries: [], open: [] };
      expect(entries.map(({ path }) => path)).toContain('lib/x.sh');
      expect(open).not.toContainEqual({ kind: 'code', text: tooMuch });
    }
  });
});
