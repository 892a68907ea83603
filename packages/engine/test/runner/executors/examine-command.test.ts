import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examineCommand } from '../../../src/runner/executors/examine-command.js';

const cwd = mkdtempSync(join(tmpdir(), 'tenterhook-examine-'));
afterAll(() => rmSync(cwd, { recursive: true }));

function examine(text: string, { exitCode = 127, stderr = '', env = {} }: { exitCode?: number; stderr?: string; env?: object } = {}) {
  const command = { kind: 'shell' as const, text };
  return examineCommand({ kind: 'command', command, cwd, env: env as Record<string, string>, stdin: '' }, exitCode, stderr);
}

test('variables of the text that are empty, or whose value has a blank; not those that the command sets', async () => {
  const env = { EMPTY: '', SPACED: '/my project', PLAIN: '/a' };
  expect(await examine(`"$EMPTY"/a \${UNSET}/b $SPACED $PLAIN`, { exitCode: 1, env })).toEqual({
    emptyVariables: ['EMPTY', 'UNSET'],
    spacedVariables: ['SPACED'],
    scripts: [],
  });
  const own = await examine(`NAME=$(cat); for item in a; do echo "$item $NAME"; done; read -r line; echo "$line" "\${OTHER:-a}"`);
  expect(own?.emptyVariables).toEqual([]);
});

test('the first lines of scripts that the shell complained about', async () => {
  writeFileSync(join(cwd, 'guard.sh'), '#!/opt/nowhere/sh\nexit 2\n', { mode: 0o755 });
  writeFileSync(join(cwd, 'plain.sh'), 'exit 2\n');
  const { status, stderr } = spawnSync('bash', ['-c', './guard.sh'], { cwd, encoding: 'utf8' });
  expect(status).not.toBe(0);
  expect((await examine('./guard.sh', { stderr }))?.scripts).toEqual([{ path: './guard.sh', firstLine: '#!/opt/nowhere/sh' }]);
  expect((await examine('./plain.sh', { stderr: 'bash: ./plain.sh: Permission denied\n' }))?.scripts).toEqual([]);
  expect((await examine('./gone.sh', { stderr: 'bash: ./gone.sh: No such file or directory\n' }))?.scripts).toEqual([]);
});

test('a named pipe that stderr names is not opened', async () => {
  spawnSync('mkfifo', [join(cwd, 'pipe')]);
  expect((await examine('./pipe', { exitCode: 126, stderr: 'bash: ./pipe: Permission denied\n' }))?.scripts).toEqual([]);
});

test('a path with a blank and without quotes, if it is a file', async () => {
  mkdirSync(join(cwd, 'my hooks'));
  writeFileSync(join(cwd, 'my hooks/guard.sh'), '');
  expect((await examine('./my hooks/guard.sh --strict'))?.pathWithBlank).toBe('./my hooks/guard.sh');
  expect((await examine(`${cwd}/my hooks/guard.sh`))?.pathWithBlank).toBe(`${cwd}/my hooks/guard.sh`);
  for (const text of ['"./my hooks/guard.sh"', './my hooks/other.sh', './guard.sh my hooks/guard.sh', './my hooks'])
    expect(await examine(text)).not.toHaveProperty('pathWithBlank');
});
