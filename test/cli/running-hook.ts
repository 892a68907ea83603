import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory, processesWith } from '../support/fire-hooks.js';
import { type RunningCli, startCli } from '../support/running-cli.js';
import { until } from '../support/until.js';

interface Scene {
  readonly cli: RunningCli;
  /** The ids of the processes of the hook. */
  hookProcesses(): number[];
  /** Tests whether the hook has created this file. */
  made(file: string): boolean;
}

/** Runs `tenterhook fire` with one hook. Calls the function when the hook has created the file `ready`. */
export async function whileRunning(
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

export const withChildren = 'sleep 300 & touch ready; sleep 300';

/** Checks that the signal ends all processes, and that the output shows it. */
export async function expectEndBy(signal: NodeJS.Signals, status: number): Promise<void> {
  await whileRunning(withChildren, ['--json'], async ({ cli, hookProcesses }) => {
    // Between fork and exec, the environment of a process cannot be read.
    await until('the hook has a child', () => hookProcesses().length >= 2);
    expect(cli.privateDirectories()).toHaveLength(1);
    cli.kill(signal);
    const { stdout, stderr, ...end } = await cli.ended;
    expect(end).toEqual({ status, signal: null });
    expect(hookProcesses()).toEqual([]);
    expect(cli.privateDirectories()).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      error: { code: 'cancelled', details: { outcomes: [{ name: 'long', status: 'cancelled' }] } },
    });
    expect(stderr).toContain('cancelled');
  });
}

// A hook that receives SIGTERM, creates the file `asked`, and continues.
const stubborn = `trap 'touch asked' TERM; touch ready; while :; do sleep 300 & wait; done`;

/** Checks that the first signal asks the hook to end, and that the second ends everything at once. */
export async function expectEndByBoth(first: NodeJS.Signals, second: NodeJS.Signals, status: number): Promise<void> {
  await whileRunning(stubborn, ['--json'], async ({ cli, made, hookProcesses }) => {
    cli.kill(first);
    await until('the hook was asked to end', () => made('asked'));
    cli.kill(second);
    expect((await cli.ended).status).toBe(status);
    await until('the hook is gone', () => hookProcesses().length === 0);
    expect(cli.privateDirectories()).toEqual([]);
  });
}
