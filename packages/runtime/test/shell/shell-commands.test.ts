import { commandsIn } from '../../src/shell/shell-commands.js';

/** Returns the words of each command. Words that are only known at run time are marked with a question mark. */
const read = (line: string) => commandsIn(line)?.commands.map((words) => words.map(({ text, isOpen }) => (isOpen ? `${text}?` : text)));

test.each<[string, string[][]]>([
  ['', []],
  ['   \n ', []],
  ['git push', [['git', 'push']]],
  [
    'cd x && git push o',
    [
      ['cd', 'x'],
      ['git', 'push', 'o'],
    ],
  ],
  ['a;b|c||d&e\nf', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
  ['a |& b', [['a'], ['b']]],
  [`echo 'a && b' "c; d"`, [['echo', 'a && b', 'c; d']]],
  [`git "pu"'sh' o\\ p`, [['git', 'push', 'o p']]],
  ['git \\\n push', [['git', 'push']]],
  ["echo $'x'", [['echo', 'x']]],
  // A dollar sign before the closing quote is an ordinary character.
  [
    'echo "a$"; git push "b"',
    [
      ['echo', 'a$'],
      ['git', 'push', 'b'],
    ],
  ],
  ['echo "" a', [['echo', '', 'a']]],
  [
    '(cd x; git push)',
    [
      ['cd', 'x'],
      ['git', 'push'],
    ],
  ],
  ['f() { git push; }', [['f'], ['{', 'git', 'push'], ['}']]],
  [
    'echo $(git push o) b',
    [
      ['git', 'push', 'o'],
      ['echo', '$_?', 'b'],
    ],
  ],
  [
    'echo "x $(git push) y"',
    [
      ['git', 'push'],
      ['echo', 'x $_ y?'],
    ],
  ],
  [
    'echo `git push` b',
    [
      ['git', 'push'],
      ['echo', '$_?', 'b'],
    ],
  ],
  ['diff <(git push) >(cat)', [['git', 'push'], ['cat'], ['diff', '$_?', '$_?']]],
  ['$TOOL push', [['$TOOL?', 'push']]],
  [`"$${'{HOME}'}/x" push`, [['$_/x?', 'push']]],
  ["echo '$HOME' \\$HOME", [['echo', '$HOME', '$HOME']]],
  ['git push > log 2>&1', [['git', 'push']]],
  ['git push 2> log o', [['git', 'push', 'o']]],
  ['git push &> log', [['git', 'push']]],
  ['git push >&- o', [['git', 'push', 'o']]],
  ['git push >|log', [['git', 'push']]],
  ['git 2>&1 push', [['git', 'push']]],
  ['echo 2 > log', [['echo', '2']]],
  ['cat < in | git push', [['cat'], ['git', 'push']]],
  ['a # git push', [['a']]],
  ['a#b', [['a#b']]],
  ['a # x\nb', [['a'], ['b']]],
  ['echo price: 5$', [['echo', 'price:', '5$']]],
])('%j', (line, commands) => {
  expect(read(line)).toEqual(commands);
});

test.each([
  `echo 'a`,
  'echo "a',
  'echo $(a',
  'echo `a',
  '(a',
  'a)',
  'case x in a) b;; esac',
  "echo $'\\x67it'",
  `echo $${'{a:-$(b)}'}`,
  `echo $${'{a'}`,
])('%j cannot be read', (line) => {
  expect(commandsIn(line)).toBeUndefined();
});

test.each([
  'echo $HOME',
  'echo "$HOME"',
  `echo $${'{A}'}`,
  'echo $1 $@',
  'echo $(date)',
  'echo `date`',
  'echo "a `date` b"',
  'echo $((1 + 1))',
  'echo a > $LOG',
  'echo a 2>> "$LOG"',
  'X=$Y a',
  'cat <<EOF\n$HOME\nEOF',
  'cat <<< $A',
  '(cd $A)',
])('%j has an expansion', (line) => {
  expect(commandsIn(line)?.hasExpansion).toBe(true);
});

test.each([
  'echo a',
  'diff <(a) b',
  "echo '$HOME'",
  'echo \\$HOME',
  'echo 5$',
  "echo $'a'",
  'echo a # $HOME',
  'ls *.js {a,b}',
  "cat <<'EOF'\n$HOME\nEOF",
])('%j has none', (line) => {
  expect(commandsIn(line)?.hasExpansion).toBe(false);
});

test('substitutions are read to a bounded depth', () => {
  const nested = (depth: number) => `${'$('.repeat(depth)}git push${')'.repeat(depth)}`;
  expect(read(nested(20))).toContainEqual(['git', 'push']);
  expect(commandsIn(nested(21))).toBeUndefined();
  expect(commandsIn('('.repeat(100_000))).toBeUndefined();
});

test('brackets and braces without end are read in unnoticeable time', () => {
  for (const text of ['[', '{,', '{..']) expect(read(`echo ${text.repeat(50_000)}`)).toHaveLength(1);
});

const known: Record<string, string> = {
  $HOME: '/home/u',
  $ROOT: '/srv/app',
  $EMPTY: '',
  $TWO: 'a b',
  '~': '/home/u',
  '$(dirname "$0")': '/srv/app/hooks',
};
const expand = (written: string) => known[written.replace(/^\$\{(\w+)\}$/, '$$$1')];
const knownWords = (line: string) =>
  commandsIn(line, { expand })
    ?.commands.at(-1)
    ?.map(({ text, isOpen }) => (isOpen ? `${text}?` : text));

test.each<[string, string[]]>([
  ['$ROOT/x', ['/srv/app/x']],
  [`"$${'{ROOT}'}"/x "$ROOT/a b"`, ['/srv/app/x', '/srv/app/a b']],
  ['"$(dirname "$0")"/lib.sh', ['/srv/app/hooks/lib.sh']],
  ['a $OTHER/x "$(pwd)"', ['a', '$OTHER/x?', '$_?']],
  ["a '$ROOT' \\$ROOT", ['a', '$ROOT', '$ROOT']],
  ['a ~ ~/x --f=~/x a~ "~" ~root/x', ['a', '/home/u', '/home/u/x', '--f=/home/u/x', 'a~', '~', '$_/x?']],
  // Outside quotes the shell splits a value, and drops an empty value.
  ['a $TWO "$TWO" $EMPTY "$EMPTY"', ['a', 'a b?', 'a b', '?', '']],
])('known expansions are replaced: %j', (line, words) => {
  expect(knownWords(line)).toEqual(words);
});

test('targets of redirections and texts of here-documents are returned', () => {
  const read = commandsIn('a < in >> "$ROOT/log" 2>&1 <<< text &> all\ncat <<-X <<\'Y\'\n\tone $A\n\ttwo\n\tX\n$B\nY\n', { expand });
  expect(read?.redirections.map(({ operator, word }) => [operator, word.text])).toEqual([
    ['<', 'in'],
    ['>>', '/srv/app/log'],
    ['<<<', 'text'],
    ['&>', 'all'],
  ]);
  expect(read?.hereDocuments).toEqual([
    { text: 'one $A\ntwo', isOpen: true },
    { text: '$B', isOpen: false },
  ]);
});

test.each<[string, string[][]]>([
  ['case $x in a|b) git push;; (c) ls;; *) ;; esac; pwd', [['case', '$x?', 'in', 'a', 'b'], ['git', 'push'], ['ls'], ['esac'], ['pwd']]],
  ['if case x in a) b;; esac; then c; fi', [['if', 'case', 'x', 'in', 'a'], ['b'], ['esac'], ['then', 'c'], ['fi']]],
  ['case x in\n "a b") c\n;;\n$(d)|e) f ;;& g) (h) ;;\nesac', [['case', 'x', 'in'], ['c'], ['d'], ['f'], ['h'], ['esac']]],
  ['[[ -n a && (b || c) < d ]] && e', [['[[', '-n', 'a', 'b', 'c', 'd', ']]'], ['e']]],
  ['n=$((n + 1)); ((n++)); ((x=n*2)); a=(b "c d" $(e)); a+=(f)', [['n=$_?'], ['e'], ['a='], ['a+=']]],
  ['f() { g; }; f (h)', [['{', 'g'], ['}'], ['f'], ['h']]],
  // Some shells do not know `((…))`, so a text that may be a command is read as a command.
  ['((./x a))', [['./x', 'a']]],
  ['echo "$(case x in a) b;; esac)"', [['case', 'x', 'in', 'a'], ['b'], ['esac'], ['echo', '$_?']]],
  [`a $${'{1:-"b c"}'} "$${'{x//"/"/$(d)}'}"`, [['d'], ['a', '$_?', '$_?']]],
  ["printf $'a\\nb'", [['printf', 'a\nb']]],
])('a script may have %j', (text, commands) => {
  expect(
    commandsIn(text, { isScript: true })?.commands.map((words) => words.map(({ text, isOpen }) => (isOpen ? `${text}?` : text))),
  ).toEqual(commands);
});

test.each(['case x in a) b;; esac)', `a $${"{x:-'b'}"}`, `a $${'{ b; }'}`, `$${'{x:-'.repeat(30)}`, "a $'\\x41'"])(
  'no script can be read from %j',
  (text) => {
    expect(commandsIn(text, { isScript: true })).toBeUndefined();
  },
);
