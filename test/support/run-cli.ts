import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { run } from '../../packages/tenterhook/src/cli/run.js';
import { noOtherHome } from './environment.js';
import { root } from './sources.js';

export const bin = join(root, 'packages/tenterhook/bin/tenterhook.js');

export interface CliOptions {
  readonly cwd: string;
  /** The home directory. @default cwd */
  readonly home?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether to add `--trust-project`, with which the command runs the hooks of the project. Its note is left out. @default true */
  readonly trusts?: boolean;
}

export interface CliRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line from the sources in this process: a separate process takes longer to start than most commands take to run. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliRun> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const stdin = Readable.from(options.stdin ? [options.stdin] : []);
  const words = withTrust(args, options);
  const status = await run(words, { cwd: options.cwd, env: environmentOf(options), stdin, stdout, stderr });
  return { status, stdout: stdout.text, stderr: words === args ? stderr.text : withoutTrustNote(stderr.text) };
}

/** Runs the built command line in a separate process, for tests that need one. */
export function spawnCli(args: readonly string[], options: CliOptions): SpawnSyncReturns<string> {
  const { cwd, stdin: input = '' } = options;
  const words = withTrust(args, options);
  const ran = spawnSync(process.execPath, [bin, ...words], { cwd, encoding: 'utf8', input, env: environmentOf(options) });
  return words === args ? ran : { ...ran, stderr: withoutTrustNote(ran.stderr) };
}

/** The arguments with `--trust-project`, if the command loads hooks and the arguments do not say already which hooks are trusted. */
export function withTrust(args: readonly string[], { trusts = true }: Pick<CliOptions, 'trusts'> = {}): readonly string[] {
  const [command = '', ...rest] = args;
  const loads = ['fire', 'list', 'explain', 'validate', 'test', 'replay', 'serve'].includes(command);
  if (!trusts || !loads || rest.some((argument) => argument.startsWith('--trust'))) return args;
  return [command, '--trust-project', ...rest];
}

/** What a command printed on stderr, without the note about `--trust-project`. */
export function withoutTrustNote(stderr: string): string {
  return stderr.replace('tenterhook: note: --trust-project: all hooks of the project are trusted for this command.\n', '');
}

/**
 * An environment in which no settings of the user who runs the tests are found: these are in the home directory, or where a variable says.
 */
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
