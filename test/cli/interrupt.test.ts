import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { transformSync } from '@swc/core';
import { freshDirectory, processesWith } from '../support/fire-hooks.js';
import { directoriesOf, type RunningCli, startCli } from '../support/running-cli.js';
import { root } from '../support/sources.js';
import { until } from '../support/until.js';

interface Scene {
  readonly cli: RunningCli;
  /** Processes of the hook. */
  hookProcesses(): number[];
  /** Whether the hook has made this file. */
  made(file: string): boolean;
}

/** `tenterhook fire` with one hook, as soon as that has made the file `ready`. */
async function whileRunning(
  command: string,
  flags: readonly string[],
  use: (scene: Scene) => Promise<void>,
  settingsWith = (text: string, env: object): object => ({ BeforeTool: [{ hooks: [{ name: 'long', command: text, env }] }] }),
): Promise<void> {
  const cwd = freshDirectory('interrupt');
  const mark = `tenterhook-mark-${process.pid}-${cwd}`;
  const settings = { hooks: settingsWith(command, { MARK: mark }) };
  writeFileSync(join(cwd, 'hooks.json'), JSON.stringify(settings));
  const input = '{"tool_name":"write_file","tool_input":{}}';
  const cli = startCli(['fire', 'BeforeTool', '--settings', 'hooks.json', '--input', input, ...flags], { cwd });
  const made = (file: string) => existsSync(join(cwd, file));
  let hasEnded = false;
  cli.ended.finally(() => {
    hasEnded = true;
  });
  try {
    await until('the hook is ready', () => made('ready') || hasEnded);
    await use({ cli, made, hookProcesses: () => processesWith(mark) });
  } finally {
    cli.kill('SIGKILL');
    for (const pid of processesWith(mark)) process.kill(pid, 'SIGKILL');
    rmSync(cwd, { recursive: true, force: true });
  }
}

const withChildren = 'sleep 300 & touch ready; sleep 300';

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const;

test.each(Object.entries(signals) as [NodeJS.Signals, number][])(
  '%s ends the event and its hook, and the command with %i; nothing is left',
  async (signal, status) => {
    await whileRunning(withChildren, ['--json'], async ({ cli, hookProcesses }) => {
      // A process between fork and exec shows no environment yet.
      await until('the hook has a child', () => hookProcesses().length >= 2);
      expect(directoriesOf(cli.pid)).toHaveLength(1);
      cli.kill(signal);
      const { stdout, stderr, ...end } = await cli.ended;
      expect(end).toEqual({ status, signal: null });
      expect(hookProcesses()).toEqual([]);
      expect(directoriesOf(cli.pid)).toEqual([]);
      expect(JSON.parse(stdout)).toMatchObject({
        success: false,
        error: { code: 'cancelled', details: { outcomes: [{ name: 'long', status: 'cancelled' }] } },
      });
      expect(stderr).toContain('cancelled');
    });
  },
);

test('without --json the report tells of the hook that was cut short', async () => {
  await whileRunning(withChildren, [], async ({ cli, hookProcesses }) => {
    cli.kill('SIGINT');
    const { status, stdout, stderr } = await cli.ended;
    expect(status).toBe(130);
    expect(stdout + stderr).toMatch(/cancelled/);
    expect(hookProcesses()).toEqual([]);
  });
});

test('a hook that nobody waits for is let end before the command does, and is ended by a signal', async () => {
  const detached = (command: string, env: object) => ({
    PreToolUse: [{ hooks: [{ type: 'command', command: `export MARK='${(env as { MARK: string }).MARK}'; ${command}`, async: true }] }],
  });
  await whileRunning(
    withChildren,
    [],
    async ({ cli, hookProcesses }) => {
      await until('the hook has a child', () => hookProcesses().length >= 1);
      cli.kill('SIGINT');
      const { status, stdout, stderr } = await cli.ended;
      expect(status).toBe(130);
      expect(stdout).toContain('runs on, nobody waits for it');
      expect(stderr).toContain('note: 1 hook runs on, and the command waits for the end. Ctrl-C stops it.');
      await until('the hook is gone', () => hookProcesses().length === 0);
    },
    detached,
  );
});

// The hook is told to end, says so, and stays.
const stubborn = `trap 'touch asked' TERM; touch ready; while :; do sleep 300 & wait; done`;

test.each([
  ['SIGINT', 'SIGINT', 130],
  ['SIGTERM', 'SIGINT', 143],
] as const)('%s, then %s: the command ends with %i and takes a hook with it that does not want to', async (first, second, status) => {
  await whileRunning(stubborn, ['--json'], async ({ cli, made, hookProcesses }) => {
    cli.kill(first);
    await until('the hook was asked to end', () => made('asked'));
    cli.kill(second);
    expect((await cli.ended).status).toBe(status);
    await until('the hook is gone', () => hookProcesses().length === 0);
    expect(directoriesOf(cli.pid)).toEqual([]);
  });
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A program that never ends by itself, and the lines it has printed so far. */
function neverEnding(afterwards: string) {
  const source = readFileSync(join(root, 'packages/tenterhook/src/cli/interrupt.ts'), 'utf8');
  const program = `${transformSync(source, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } }).code}
    const interruption = onInterrupt();
    interruption.signal.addEventListener('abort', () => { console.log('aborted', interruption.status); ${afterwards} });
    setInterval(() => {}, 1000);
    console.log('ready', interruption.status);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => child.on('close', (status, signal) => resolve({ status, signal })));
  return { child, nextLine: async () => (await lines.next()).value as string, ended };
}

const afterwards: Record<string, string> = { 'while it cleans up': '', 'after the answer, too': 'interruption.forget();' };

test.each(Object.entries(afterwards))('a second signal waits for nothing, %s', async (_, code) => {
  const { child, nextLine, ended } = neverEnding(code);
  expect(await nextLine()).toBe('ready undefined');
  child.kill('SIGINT');
  expect(await nextLine()).toBe('aborted 130');
  child.kill('SIGTERM');
  expect(await ended).toEqual({ status: 130, signal: null });
});
