import { spawnSync } from 'node:child_process';
import { quotedVariables } from '../../src/portable/command-text.js';

const names = ['GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'];

test.each([
  ['$GEMINI_PROJECT_DIR/guard.sh', '"$GEMINI_PROJECT_DIR"/guard.sh'],
  [
    'node $GEMINI_PROJECT_DIR/a.js "$GEMINI_PROJECT_DIR/b" $CLAUDE_PROJECT_DIR',
    'node "$GEMINI_PROJECT_DIR"/a.js "$GEMINI_PROJECT_DIR/b" "$CLAUDE_PROJECT_DIR"',
  ],
  ['echo "$(cat $GEMINI_PROJECT_DIR/x)"', 'echo "$(cat "$GEMINI_PROJECT_DIR"/x)"'],
])('%s is one word wherever a shell would split it', (command, quoted) => {
  expect(quotedVariables(command, names)).toBe(quoted);
});

test.each([
  '"$GEMINI_PROJECT_DIR"/guard.sh',
  "grep '$GEMINI_PROJECT_DIR' x",
  'echo \\$GEMINI_PROJECT_DIR $$GEMINI_PROJECT_DIR',
  'DIR=$GEMINI_PROJECT_DIR; x',
  'ls $GEMINI_PROJECT_DIRECTORY $HOME',
  'cat <<< "$GEMINI_PROJECT_DIR"',
  `\${GEMINI_PROJECT_DIR}/guard.sh`,
])('%s stays as it is', (command) => {
  expect(quotedVariables(command, names)).toBe(command);
});

test('in a here-document quotes would be text, so that it is unknown', () => {
  expect(quotedVariables('cat $GEMINI_PROJECT_DIR/a <<E\n$GEMINI_PROJECT_DIR\nE', names)).toBeUndefined();
  expect(quotedVariables('cat "$GEMINI_PROJECT_DIR"/a <<E\nx\nE', names)).toBe('cat "$GEMINI_PROJECT_DIR"/a <<E\nx\nE');
});

test('a variable that looks like the marks of the search is left alone', () => {
  expect(quotedVariables('x "$GEMINI_PROJECT_DIR" $GEMINI_PROJECT_DIR_use0', names)).toBe(
    'x "$GEMINI_PROJECT_DIR" $GEMINI_PROJECT_DIR_use0',
  );
});

test('a shell keeps a path with blanks together', () => {
  const text = quotedVariables('printf "<%s>" $GEMINI_PROJECT_DIR/x $GEMINI_PROJECT_DIR', names) as string;
  const { stdout } = spawnSync('bash', ['-c', text], { encoding: 'utf8', env: { PATH: process.env['PATH'], GEMINI_PROJECT_DIR: '/a b' } });
  expect(stdout).toBe('</a b/x></a b>');
});
