import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandFindings } from '@tenterhook/protocol';
import fc from 'fast-check';
import { commandFailure } from '../../../../src/shared/output/failures/command-failure.js';

const relativePaths = "a relative one counts from the hook's working directory";

const cwd = mkdtempSync(join(tmpdir(), 'tenterhook-shell-'));
const file = (name: string, text: string, mode = 0o755) => {
  writeFileSync(join(cwd, name), text);
  chmodSync(join(cwd, name), mode);
};

beforeAll(() => {
  file('crlf.sh', '#!/bin/bash\r\necho hello\r\n');
  file('crlf-env.py', '#!/usr/bin/env python3\r\nprint(1)\r\n');
  file('crlf-body.sh', '#!/bin/bash\n\r\n');
  file('gone.sh', '#!/opt/none/bin/zsh\necho hello\n');
  file('gone-env.sh', '#!/usr/bin/env nosuchlanguage\n');
  file('plain.sh', '#!/bin/sh\n', 0o644);
  file('it is plain.sh', '#!/bin/sh\n', 0o644);
  file('uses.sh', '#!/bin/bash\nnosuchjq .x\n');
  file('uses-sh.sh', '#!/bin/sh\nnosuchjq .x\n');
  mkdirSync(join(cwd, 'folder'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

// A real bash runs each command, because the code under test reads the error messages of the shell.
const commands: Record<string, { code: number; message: string; remedy: string }> = {
  './missing.sh': { code: 127, message: 'did not find its command "./missing.sh"', remedy: 'Check the path' },
  'nosuchcommand --flag': { code: 127, message: 'did not find its command "nosuchcommand"', remedy: 'Install nosuchcommand' },
  'bash missing.sh': { code: 127, message: 'did not find its command "missing.sh"', remedy: 'missing.sh' },
  'timeout 5 ./missing.sh': { code: 127, message: 'did not find its command "./missing.sh"', remedy: 'Check the path' },
  'cat | nosuchjq .x': { code: 127, message: 'did not find its command "nosuchjq"', remedy: 'Install nosuchjq' },
  './uses.sh': {
    code: 127,
    message: 'ran ./uses.sh, which did not find "nosuchjq"',
    remedy: 'Install nosuchjq, or add its folder to PATH',
  },
  './uses-sh.sh': { code: 127, message: 'ran ./uses-sh.sh, which did not find "nosuchjq"', remedy: 'Install nosuchjq' },
  './crlf.sh': {
    code: 127,
    message: 'the interpreter named in the first line of ./crlf.sh does not exist',
    remedy: "sed -i 's/\\r$//' ./crlf.sh",
  },
  './crlf-env.py': { code: 127, message: 'the lines of the script end with CR LF', remedy: "sed -i 's/\\r$//'" },
  'bash crlf-body.sh': { code: 127, message: 'the lines of the script end with CR LF', remedy: "sed -i 's/\\r$//' crlf-body.sh" },
  './gone.sh': {
    code: 127,
    message: 'the interpreter named in the first line of ./gone.sh does not exist',
    remedy: 'install the interpreter',
  },
  './gone-env.sh': {
    code: 127,
    message: 'names the interpreter "nosuchlanguage", which is not installed',
    remedy: 'Install nosuchlanguage',
  },
  'env A=1 ./missing.sh': { code: 127, message: 'did not find its command "./missing.sh"', remedy: 'Check the path' },
  './plain.sh': { code: 126, message: 'it is not executable', remedy: 'chmod +x ./plain.sh' },
  '"./it is plain.sh"': { code: 126, message: 'it is not executable', remedy: "chmod +x './it is plain.sh'" },
  'nohup ./plain.sh': { code: 126, message: 'it is not executable', remedy: 'chmod +x ./plain.sh' },
  './folder': { code: 126, message: './folder is a directory', remedy: 'Write the path of a program' },
  'exit 127': { code: 127, message: 'did not find its command (exit code 127)', remedy: 'Check the path' },
  'exit 126': { code: 126, message: 'could not execute its command (exit code 126)', remedy: 'chmod +x' },
};

test.each(Object.entries(commands))('what bash says of %s', (command, { code, message, remedy }) => {
  const run = spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8', input: '' });
  expect(run.status).toBe(code);
  const failure = commandFailure(code as 126 | 127, command, { stderr: run.stderr }, relativePaths);
  expect({ ...failure, stderr: run.stderr }).toMatchObject({
    message: expect.stringContaining(message),
    remedy: expect.stringContaining(remedy),
    stderr: run.stderr,
  });
});

test.each([
  [127, 'bash: line 1: ./a.sh: /bin/bash^M: bad interpreter: No such file or directory'],
  [126, 'bash: ./a.sh: /bin/bash\r: bad interpreter: No such file or directory'],
] as const)('older shells say bad interpreter, with exit code %i', (exitCode, stderr) => {
  const { message, remedy } = commandFailure(exitCode, './a.sh', { stderr: `${stderr}\n` }, relativePaths);
  expect(message).toContain('end with CR LF');
  expect(remedy).toBe("Convert the script: sed -i 's/\\r$//' ./a.sh");
});

test('an interpreter that is not there, as older shells say it', () => {
  const { message } = commandFailure(
    126,
    './a.sh',
    { stderr: 'bash: ./a.sh: /opt/zsh: bad interpreter: No such file or directory\n' },
    relativePaths,
  );
  expect(message).toContain('the interpreter named in the first line of ./a.sh does not exist');
});

test('whatever a hook prints, there is one line to read, and it is bounded', () => {
  fc.assert(
    fc.property(fc.constantFrom(126 as const, 127 as const), fc.string({ unit: 'binary' }), (exitCode, stderr) => {
      const { message, remedy } = commandFailure(exitCode, 'x', { stderr }, relativePaths);
      expect(message.length + remedy.length).toBeLessThan(3_000);
    }),
  );
  expect(commandFailure(127, 'x', { stderr: `${'a: '.repeat(100_000)}not found` }, relativePaths).message).toContain('127');
});

const found = { emptyVariables: [], spacedVariables: [], scripts: [] };

test.each<[string, string, Partial<CommandFindings>, string]>([
  ['"~/guard.sh"', 'bash: line 1: ~/guard.sh: No such file or directory', {}, 'write "$HOME/guard.sh"'],
  ['hooks\\guard.sh', 'bash: line 1: hooksguard.sh: command not found', {}, 'write hooks/guard.sh'],
  ['$DIR/guard.sh', 'bash: line 1: /my: No such file or directory', { spacedVariables: ['DIR'] }, '$DIR is not quoted'],
  ['"$DIR"/guard.sh', 'bash: line 1: /my dir/guard.sh: No such file or directory', { spacedVariables: ['DIR'] }, 'Check the path'],
  ['/my dir/guard.sh', 'bash: line 1: /my: No such file or directory', { pathWithBlank: '/my dir/guard.sh' }, 'write "/my dir/guard.sh"'],
  ['"$DIR"/guard.sh', 'bash: line 1: /guard.sh: No such file or directory', { emptyVariables: ['DIR'] }, '$DIR is empty'],
  [`\${DIR}/guard.sh`, 'bash: line 1: /guard.sh: No such file or directory', { emptyVariables: ['DIR'] }, '$DIR is empty'],
  ['./guard.sh "$DIR"', 'bash: line 1: ./guard.sh: No such file or directory', { emptyVariables: ['DIR'] }, 'Check the path'],
  ['$DIR/guard.sh', './guard.sh: line 2: jq: command not found', { emptyVariables: ['DIR'] }, 'Install jq'],
])('the remedy for %s is of its mistake', (command, stderr, findings, remedy) => {
  const failure = commandFailure(127, command, { stderr: `${stderr}\n`, findings: { ...found, ...findings } }, relativePaths);
  expect(failure.remedy).toContain(remedy);
});

test.each([
  ['bash: line 1: ./a.sh: cannot execute: required file not found', '#!/opt/none/zsh -f', '"/opt/none/zsh", which does not exist'],
  ['sh: 1: ./a.sh: not found', '#!/opt/none/zsh', '"/opt/none/zsh", which does not exist'],
  ['bash: line 1: ./a.sh: cannot execute: required file not found', '#!/bin/bash\r', 'end with CR LF'],
])('the first line of a script names its interpreter: %s %j', (stderr, firstLine, message) => {
  const findings = { ...found, scripts: [{ path: './a.sh', firstLine }] };
  expect(commandFailure(127, './a.sh', { stderr, findings }, relativePaths).message).toContain(message);
});

test('the words of the shell are left out as far as the message repeats them', () => {
  const words = (stderr: string) => commandFailure(127, './a.sh', { stderr }, relativePaths).words;
  expect(words('bash: line 1: ./a.sh: No such file or directory\n')).toBe('No such file or directory');
  expect(words('first\nbash: line 1: ./a.sh: No such file or directory\n')).toBeUndefined();
  expect(words('./a.sh: line 2: jq: command not found\n')).toBeUndefined();
});
