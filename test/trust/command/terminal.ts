import { PassThrough } from 'node:stream';
import { run } from '../../../packages/tenterhook/src/cli/run.js';
import type { Places } from '../../support/places.js';
import { until } from '../../support/until.js';
import { withRepository } from '../repository.js';

/** A terminal in which `tenterhook trust` runs. */
export interface Terminal {
  /** Everything that was printed since the last answer, up to a question or the end. */
  readonly screen: () => Promise<string>;
  /** Types a line, and resolves to what is printed until the next question or the end. */
  answer(line: string): Promise<string>;
  /** Ends the input, as Ctrl-D does. */
  end(): Promise<string>;
  /** The exit status, when the command has ended. */
  readonly status: Promise<number>;
  /** What was printed to stderr so far. */
  stderr(): string;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** The words before the arguments. @default `trust` */
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `tenterhook trust` in this process, with streams that are terminals. */
export function openTerminal(
  args: readonly string[],
  places: Pick<Places, 'project' | 'home' | 'at'>,
  { columns = 200, rows = 400, command = ['trust'], env = {} }: TerminalOptions = {},
): Terminal {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = Object.assign(new PassThrough(), { isTTY: true as const, columns, rows });
  const stderr = new PassThrough();
  let [printed, errors, isOver] = ['', '', false];
  stdout.on('data', (data: Buffer) => {
    printed += data.toString();
  });
  stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  const context = { cwd: places.project, env: { ...environmentOf(places), ...env }, stdin, stdout, stderr };
  const status = run([...command, ...args], context).finally(() => {
    isOver = true;
  });
  const screen = async () => {
    await until('there is a question or the end', () => printed.endsWith('\n> ') || isOver);
    return printed;
  };
  const send = async (input: () => void) => {
    await screen();
    printed = '';
    input();
    return screen();
  };
  return {
    screen,
    answer: (line) => send(() => stdin.write(`${line}\n`)),
    end: () => send(() => stdin.end()),
    status,
    stderr: () => errors,
  };
}

/** The environment of a person at a terminal: nothing of an agent that runs these tests. */
export function environmentOf({ home, at }: Pick<Places, 'home' | 'at'>): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, XDG_STATE_HOME: at('state'), TERM: 'xterm', NO_COLOR: '1' };
}

/** Runs a form of `tenterhook trust` that asks nothing, with streams that are not terminals. */
export async function runTrust(args: readonly string[], places: Places, env: Readonly<Record<string, string>> = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const read = (stream: PassThrough) => (stream.read() as Buffer | null)?.toString() ?? '';
  const status = await run(['trust', ...args], {
    cwd: places.project,
    env: { ...environmentOf(places), ...env },
    stdin: new PassThrough().end(),
    stdout,
    stderr,
  });
  return { status, stdout: read(stdout), stderr: read(stderr) };
}

export { withRepository };
