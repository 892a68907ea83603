import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { noOtherHome } from './environment.js';
import { bin, withoutTrustNote, withTrust } from './run-cli.js';

/** The built command line, while it runs. */
export interface RunningCli {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** What it has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Closes the reading end of stderr. */
  closeStderr(): void;
  /** The directories for files of jobs that the process has created and not removed. */
  privateDirectories(): string[];
  readonly ended: Promise<{
    readonly status: number | null;
    readonly signal: string | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

export function startCli(args: readonly string[], options: { cwd: string; env?: Readonly<Record<string, string>> }): RunningCli {
  const { cwd, env } = options;
  const directoriesOf = watchPrivateDirectories();
  const child = spawn(process.execPath, [bin, ...withTrust(args)], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...noOtherHome, HOME: cwd, NO_COLOR: '1', XDG_RUNTIME_DIR: '', ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  return {
    pid: child.pid as number,
    kill: (signal) => child.kill(signal),
    stdout: () => stdout,
    stderr: () => stderr,
    closeStderr: () => void child.stderr.destroy(),
    privateDirectories: () => directoriesOf(child.pid as number),
    ended: new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status, signal) => resolve({ status, signal, stdout, stderr: withoutTrustNote(stderr) }));
    }),
  };
}

/** Returns a function that lists the private directories that a process has created since now, in any of the possible places. */
export function watchPrivateDirectories(): (pid: number) => string[] {
  const list = () => ['/dev/shm', tmpdir()].flatMap((base) => readdirSync(base).filter((name) => name.startsWith('tenterhook-')));
  // A process that was killed may have left a directory, and its pid may be in use again.
  const earlier = new Set(list());
  return (pid) => list().filter((name) => name.startsWith(`tenterhook-${pid}-`) && !earlier.has(name));
}
