import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { run } from '../../packages/tenterhook/src/cli/run.js';
import { noOtherHome } from './environment.js';
import { root } from './sources.js';

export const bin = join(root, 'packages/tenterhook/bin/tenterhook.js');

export interface CliOptions {
  readonly cwd: string;
  /** @default cwd */
  readonly home?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface CliRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line, from the sources and in this process: a process of its own takes longer to start than most commands take to run. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliRun> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const stdin = Readable.from(options.stdin ? [options.stdin] : []);
  const status = await run(args, { cwd: options.cwd, env: environmentOf(options), stdin, stdout, stderr });
  return { status, stdout: stdout.text, stderr: stderr.text };
}

/** The command line as built, in a process of its own: for what only a process has. */
export function spawnCli(args: readonly string[], options: CliOptions): SpawnSyncReturns<string> {
  const { cwd, stdin: input = '' } = options;
  return spawnSync(process.execPath, [bin, ...args], { cwd, encoding: 'utf8', input, env: environmentOf(options) });
}

/** Nothing of who runs the tests is found: settings of the user lie at home, or where a variable says. */
function environmentOf({ cwd, home = cwd, env }: CliOptions): NodeJS.ProcessEnv {
  return { ...process.env, ...noOtherHome, HOME: home, NO_COLOR: '1', ...env };
}

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
