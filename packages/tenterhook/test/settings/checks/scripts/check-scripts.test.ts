import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { claudeCode, eca, geminiCli, llxprt } from '@tenterhook/dialects';
import { type DialectContext, hookEventNames } from '@tenterhook/protocol';
import { checkScripts } from '../../../../src/settings/checks/scripts/check-scripts.js';
import { dialectContext } from '../../../../src/settings/discover/dialect-context.js';

const dialects = [llxprt(), claudeCode(), geminiCli(), eca()];

/** A project in a real directory, with a blank in its path. */
let project = '';
let context: DialectContext;

beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenterhook-scripts-')));
  project = join(folder, 'my app');
  for (const [name, [text, mode]] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
    chmodSync(join(project, name), mode);
  }
  symlinkSync('good.sh', join(project, 'hooks/link.sh'));
  context = dialectContext(project, { PATH: process.env['PATH'], HOME: folder });
});
afterEach(() => rmSync(dirname(project), { recursive: true, force: true }));

const files: Record<string, readonly [text: string, mode: number]> = {
  'hooks/good.sh': ['#!/bin/sh\nexit 0\n', 0o755],
  'hooks/no-shebang': ['exit 0\n', 0o755],
  'hooks/plain.sh': ['#!/bin/sh\nexit 0\n', 0o644],
  'hooks/crlf.sh': ['#!/bin/sh\r\nexit 0\r\n', 0o755],
  'hooks/lost.py': ['#!/usr/bin/env python9\nprint()\n', 0o755],
  'hooks/lost.sh': ['#!/opt/none/bash\n', 0o755],
  'hooks/env.sh': ['#!/usr/bin/env -S bash -e\nexit 0\n', 0o755],
  'hooks/inner/guard.sh': ['#!/bin/sh\n', 0o755],
  '.llxprt/beside.sh': ['#!/bin/sh\n', 0o755],
  'index.js': ['process.exit(0);\n', 0o644],
};

/** Returns what is reported about a command, in a format that runs commands in a shell. */
function reported(command: string, name = 'llxprt') {
  const hooks = hooksOf(name, command);
  return checkScripts(hooks, dialects, context, []);
}

function hooksOf(name: string, command: string, eventName = 'BeforeTool') {
  const dialect = dialects.find((candidate) => candidate.name === name);
  const entry = { type: 'command', command };
  const value =
    name === 'eca'
      ? { hooks: { guard: { type: 'preToolCall', actions: [{ type: 'shell', shell: command }] } } }
      : { hooks: { [name === 'claude-code' && eventName === 'BeforeTool' ? 'PreToolUse' : eventName]: [{ hooks: [entry] }] } };
  const document = { source: 'project', file: join(project, '.llxprt/settings.json'), value, locate: () => ({ line: 3, column: 5 }) };
  return dialect?.parse(document, context).hooks ?? [];
}

const problems: Record<string, [command: string, code: string, text: string]> = {
  missing: ['./hooks/none.sh', 'missing_script', 'does not exist in'],
  'missing, with nearly the name of another': ['./hooks/god.sh', 'missing_script', 'Did you mean "hooks/good.sh"?'],
  'missing, of an interpreter': ['bash hooks/none.sh', 'missing_script', '"hooks/none.sh" does not exist'],
  'missing where the hook starts, beside the settings': ['./beside.sh', 'missing_script', '/.llxprt/beside.sh"?'],
  'missing, of python': ['python3 hooks/none.py', 'missing_script', 'does not exist'],
  'a directory': ['./hooks/inner', 'not_executable', 'is a directory'],
  'a directory for a shell': ['bash ./hooks/inner', 'not_executable', 'is a directory'],
  'not executable': ['./hooks/plain.sh', 'not_executable', 'Make it executable: chmod +x '],
  'with CR LF': ['./hooks/crlf.sh', 'crlf_script', "sed -i 's/\\r$//'"],
  'with CR LF for a shell': ['bash ./hooks/crlf.sh', 'crlf_script', 'CR LF'],
  'with an interpreter that is in no folder of PATH': ['./hooks/lost.py', 'missing_interpreter', 'python9, which is in no folder of PATH'],
  'with an interpreter that does not exist': ['./hooks/lost.sh', 'missing_interpreter', 'Install it, or write "/usr/bin/env bash"'],
  'for an interpreter that is not installed': ['python9.9 hooks/lost.py', 'missing_interpreter', 'starts python9.9'],
  'with a tilde in quotes': ['"~/hooks/guard.sh"', 'missing_script', '"~" is not expanded in quotes'],
  'with a blank and no quotes': ['../my app/hooks/good.sh', 'missing_script', 'has a blank without quotes'],
  'with backslashes': ['.\\hooks\\good.sh', 'missing_script', 'Write slashes: "./hooks/good.sh".'],
  'with a drive': ['C:\\hooks\\good.cmd', 'missing_script', 'backslashes'],
};

test.each(Object.entries(problems))('a script that is %s', (_, [command, code, text]) => {
  const [problem, ...others] = reported(command);
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ code, severity: 'warning', line: 3, path: 'hooks.BeforeTool[0].hooks[0]', eventName: 'BeforeTool' });
  expect(`${problem?.message} ${problem?.remedy}`).toContain(text);
});

test.each(Object.entries(problems))('a shell cannot run a script that is %s', (_, [command]) => {
  expect(spawnSync('bash', ['-c', command], { cwd: project, env: context.environment, encoding: 'utf8' }).status).toBeGreaterThan(0);
});

const fine = [
  './hooks/good.sh',
  './hooks/link.sh',
  './hooks/no-shebang',
  './hooks/env.sh',
  'hooks/good.sh | cat',
  '"$LLXPRT_PROJECT_DIR"/hooks/good.sh',
  '"$LLXPRT_PROJECT_DIR/hooks/good.sh" 2>/dev/null',
  '~/"my app"/hooks/good.sh',
  'bash hooks/plain.sh',
  'bash -eu hooks/no-shebang',
  'sh "$LLXPRT_PROJECT_DIR"/hooks/plain.sh',
  'node .',
  'node index',
  'node ./index.js',
  'command -v none && none',
  'cd hooks && ./good.sh',
  'cat <<EOF\n./hooks/none.sh\nEOF',
  './hooks/none.sh || true',
];

test.each(fine)('of %s there is nothing to report, and a shell runs it', (command) => {
  expect(reported(command)).toEqual([]);
  if (command.startsWith('command')) return;
  const env = { ...context.environment, LLXPRT_PROJECT_DIR: project };
  expect(spawnSync('bash', ['-c', command], { cwd: project, env, encoding: 'utf8', timeout: 20_000 })).toMatchObject({ status: 0 });
});

test('every format is checked, with the variables that it sets', () => {
  for (const [name, variable] of [
    ['llxprt', '"$GEMINI_PROJECT_DIR"/'],
    ['claude-code', '"$CLAUDE_PROJECT_DIR"/'],
    ['gemini-cli', '"$GEMINI_PROJECT_DIR"/'],
    ['eca', './'],
  ] as const) {
    expect(reported(`${variable}hooks/none.sh`, name)).toMatchObject([{ code: 'missing_script', dialect: name }]);
    expect(reported(`${variable}hooks/plain.sh`, name)).toMatchObject([{ code: 'not_executable', dialect: name }]);
    expect(reported(`${variable}hooks/good.sh`, name)).toEqual([]);
  }
});

test.each(['llxprt', 'claude-code', 'gemini-cli'])('%s: hooks of every event are checked', (name) => {
  const dialect = dialects.find((candidate) => candidate.name === name);
  const events = name === 'llxprt' ? hookEventNames : Object.keys(dialect?.events ?? {});
  for (const event of events)
    expect([event, checkScripts(hooksOf(name, './none.sh', event), dialects, context, [])]).toMatchObject([
      event,
      [{ code: 'missing_script' }],
    ]);
});

test('a script that the format has reported, an invalid hook and hooks on Windows are not checked', () => {
  const hooks = hooksOf('llxprt', './hooks/none.sh');
  const [hook] = hooks;
  expect(checkScripts(hooks, dialects, context, [{ code: 'missing_script', severity: 'error', message: '', hookId: hook?.id }])).toEqual(
    [],
  );
  expect(checkScripts(hooks, dialects, { ...context, platform: 'win32' }, [])).toEqual([]);
  expect(
    checkScripts(
      hooks.map((one) => ({ ...one, skip: { skipReason: 'invalid' as const, reason: '' } })),
      dialects,
      context,
      [],
    ),
  ).toEqual([]);
});
