import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { portableCommand, renamedVariable, shellPath, shellWord, withExports, withoutExports } from '../../src/portable/command-text.js';

const claude = ['CLAUDE_PROJECT_DIR'];

test.each([
  ['"$CLAUDE_PROJECT_DIR"/guard.sh', '"$LLXPRT_PROJECT_DIR"/guard.sh'],
  [`"\${CLAUDE_PROJECT_DIR}/guard.sh"`, `"\${LLXPRT_PROJECT_DIR}/guard.sh"`],
  [`cd \${CLAUDE_PROJECT_DIR:-.} && x`, `cd \${LLXPRT_PROJECT_DIR:-.} && x`],
  ["bash -c '$CLAUDE_PROJECT_DIR/x'", "bash -c '$LLXPRT_PROJECT_DIR/x'"],
  ['& "$env:CLAUDE_PROJECT_DIR/x.ps1"', '& "$env:LLXPRT_PROJECT_DIR/x.ps1"'],
])('%s is spelled in the portable way', (text, portable) => {
  expect(portableCommand(text, claude)).toEqual({ text: portable, projectVariables: claude });
  expect(renamedVariable(portable, 'LLXPRT_PROJECT_DIR', 'CLAUDE_PROJECT_DIR')).toBe(text);
});

test('longer names, and a name that is not expanded, are left alone', () => {
  const text = 'echo $CLAUDE_PROJECT_DIRECTORY CLAUDE_PROJECT_DIR; python3 -c "os.environ[\'CLAUDE_PROJECT_DIR\']"';
  expect(portableCommand(text, claude)).toEqual({ text });
});

test('a word of the shell is the text, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '$', '\\', '\n', '!', '*', '~', 'ü') }), (text) => {
      const { stdout } = spawnSync('bash', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' });
      expect(stdout).toBe(text);
    }),
    { numRuns: 60 },
  );
  expect(shellPath('HOME', '/.config/my hooks/x.sh')).toBe('"$HOME"\'/.config/my hooks/x.sh\'');
});

const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,5}$/);
const value = fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '$', '\\', '\n', ';', 'ü'), maxLength: 6 });

test('variables that a command exports come back as variables, and the command as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 3 }), fc.subarray(['CLAUDE_PROJECT_DIR']), value, (env, here, text) => {
      fc.pre(!text.startsWith('export '));
      expect(withoutExports(withExports(text, env, here))).toEqual({ text, env, here });
    }),
    { numRuns: 500 },
  );
});

test('the command of a shell that exports sees the variables, and the directory it starts in', () => {
  const text = withExports('printf "%s|%s" "$K" "$CLAUDE_PROJECT_DIR"', { K: "it's $HOME" }, ['CLAUDE_PROJECT_DIR']);
  const { stdout } = spawnSync('bash', ['-c', text], { encoding: 'utf8', cwd: '/tmp', env: { PATH: process.env['PATH'] } });
  expect(stdout).toBe("it's $HOME|/tmp");
});

test.each(['export PATH="$PATH:/x"; y', 'export A=$(date); y', 'export A', 'export A=1 && y', 'exports A=1; y'])(
  '%s is a command of its own, and no variables before one',
  (text) => {
    expect(withoutExports(text)).toEqual({ text, env: {}, here: [] });
  },
);
