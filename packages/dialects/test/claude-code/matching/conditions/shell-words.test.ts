import { commandsIn } from '../../../../src/claude-code/matching/conditions/shell-words.js';

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
  'diff <(a) b',
  'echo a > $LOG',
  'echo a 2>> "$LOG"',
  'X=$Y a',
  'cat <<EOF\n$HOME\nEOF',
  'cat <<< $A',
  '(cd $A)',
])('%j has an expansion', (line) => {
  expect(commandsIn(line)?.hasExpansion).toBe(true);
});

test.each(['echo a', "echo '$HOME'", 'echo \\$HOME', 'echo 5$', "echo $'a'", 'echo a # $HOME', 'ls *.js {a,b}', "cat <<'EOF'\n$HOME\nEOF"])(
  '%j has none',
  (line) => {
    expect(commandsIn(line)?.hasExpansion).toBe(false);
  },
);

test('substitutions are read to a bounded depth', () => {
  const nested = (depth: number) => `${'$('.repeat(depth)}git push${')'.repeat(depth)}`;
  expect(read(nested(20))).toContainEqual(['git', 'push']);
  expect(commandsIn(nested(21))).toBeUndefined();
  expect(commandsIn('('.repeat(100_000))).toBeUndefined();
});

test('brackets and braces without end are read in unnoticeable time', () => {
  for (const text of ['[', '{,', '{..']) expect(read(`echo ${text.repeat(50_000)}`)).toHaveLength(1);
});
