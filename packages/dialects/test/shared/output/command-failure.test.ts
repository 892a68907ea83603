import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { commandFailure } from '../../../src/shared/output/command-failure.js';

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

// Each is run by a real bash, since the words of a shell are what is read here.
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
  './gone-env.sh': { code: 127, message: 'names "nosuchlanguage", which is not installed', remedy: 'Install nosuchlanguage' },
  'env A=1 ./missing.sh': { code: 127, message: 'did not find its command "./missing.sh"', remedy: 'Check the path' },
  './plain.sh': { code: 126, message: './plain.sh is not executable', remedy: 'chmod +x ./plain.sh' },
  '"./it is plain.sh"': { code: 126, message: 'it is plain.sh is not executable', remedy: "chmod +x './it is plain.sh'" },
  'nohup ./plain.sh': { code: 126, message: './plain.sh is not executable', remedy: 'chmod +x ./plain.sh' },
  './folder': { code: 126, message: './folder is a directory', remedy: 'Write the path of a program' },
  'exit 127': { code: 127, message: 'did not find its command (exit code 127), "exit 127"', remedy: 'Check the path' },
  'exit 126': { code: 126, message: 'could not execute its command (exit code 126), "exit 126"', remedy: 'chmod +x' },
};

test.each(Object.entries(commands))('what bash says of %s', (command, { code, message, remedy }) => {
  const run = spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8', input: '' });
  expect(run.status).toBe(code);
  const failure = commandFailure(code as 126 | 127, command, run.stderr, relativePaths);
  expect({ ...failure, stderr: run.stderr }).toEqual({
    message: expect.stringContaining(message),
    remedy: expect.stringContaining(remedy),
    stderr: run.stderr,
  });
});

test.each([
  [127, 'bash: line 1: ./a.sh: /bin/bash^M: bad interpreter: No such file or directory'],
  [126, 'bash: ./a.sh: /bin/bash\r: bad interpreter: No such file or directory'],
] as const)('older shells say bad interpreter, with exit code %i', (exitCode, stderr) => {
  const { message, remedy } = commandFailure(exitCode, './a.sh', `${stderr}\n`, relativePaths);
  expect(message).toContain('end with CR LF');
  expect(remedy).toBe("Convert it: sed -i 's/\\r$//' ./a.sh");
});

test('an interpreter that is not there, as older shells say it', () => {
  const { message } = commandFailure(126, './a.sh', 'bash: ./a.sh: /opt/zsh: bad interpreter: No such file or directory\n', relativePaths);
  expect(message).toContain('the interpreter named in the first line of ./a.sh does not exist');
});

test('whatever a hook prints, there is one line to read, and it is bounded', () => {
  fc.assert(
    fc.property(fc.constantFrom(126 as const, 127 as const), fc.string({ unit: 'binary' }), (exitCode, stderr) => {
      const { message, remedy } = commandFailure(exitCode, 'x', stderr, relativePaths);
      expect(message.length + remedy.length).toBeLessThan(3_000);
    }),
  );
  expect(commandFailure(127, 'x', `${'a: '.repeat(100_000)}not found`, relativePaths).message).toContain('127');
});
