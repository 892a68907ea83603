import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSpawner, type ProcessExit, type ProcessJob, type Spawner, type SpawnerLimits } from '../src/index.js';

/** What a test may change of a job; the command is given apart. */
export type JobOptions = Partial<Omit<ProcessJob, 'command'>>;

export const plainEnv: Readonly<Record<string, string>> = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };

export function shellJob(text: string, options: JobOptions = {}): ProcessJob {
  return { command: { kind: 'shell', text }, cwd: tmpdir(), env: plainEnv, stdin: '', timeoutMs: 25_000, ...options };
}

export function programJob(file: string, args: readonly string[], options: JobOptions = {}): ProcessJob {
  return { ...shellJob('', options), command: { kind: 'program', file, args } };
}

/** The deadline is over as soon as the process has printed its first line, however long it took to start. */
export const timedOutWhenReady: JobOptions = { onFirstLine: ({ replaceTimeout }) => replaceTimeout(1) };

/** Whether a process runs; one that has ended and waits for its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !'ZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Polls until the condition holds. The limit is generous and no assertion depends on how long it took. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 25_000;
  while (!condition()) {
    if (Date.now() > giveUpAt) throw new Error(`waited in vain until ${what}`);
    await pause(5);
  }
}

/** The private directories of our process that exist now. */
export function privateDirectories(): string[] {
  const bases = [process.env['XDG_RUNTIME_DIR'] ?? '', '/dev/shm', tmpdir()].filter((base) => base !== '' && existsSync(base));
  const found = bases.flatMap((base) => readdirSync(base).map((name) => join(base, name)));
  return [...new Set(found)].filter((path) => path.includes(`/tenterhook-${process.pid}-`));
}

export interface Rig {
  readonly spawner: Spawner;
  /** A directory for the files by which processes and test tell each other where they are. */
  readonly place: string;
  path(name: string): string;
  /** Waits until a process has written the file, and gives its first line. */
  line(name: string): Promise<string>;
  /** The same for a process that wrote its own number; close() ends it, should it still be there. */
  pid(name: string): Promise<number>;
  /** Runs shell text to its end. */
  sh(text: string, options?: JobOptions): Promise<ProcessExit>;
  close(): Promise<void>;
}

export function openRig(limits: Partial<SpawnerLimits> = {}): Rig {
  const spawner = createSpawner(limits);
  const place = mkdtempSync(join(tmpdir(), 'spawner-test-'));
  const pids = new Set<number>();
  const path = (name: string): string => join(place, name);
  const read = (name: string): string => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '');
  const line = async (name: string): Promise<string> => {
    await until(`a line is in ${name}`, () => read(name).includes('\n'));
    return read(name).split('\n')[0] ?? '';
  };
  return {
    spawner,
    place,
    path,
    line,
    pid: async (name) => {
      const pid = Number(await line(name));
      if (!Number.isInteger(pid) || pid < 2) throw new Error(`${name} holds no process number`);
      pids.add(pid);
      return pid;
    },
    sh: (text, options) => spawner.run(shellJob(text, { cwd: place, ...options })),
    close: async () => {
      await spawner.dispose();
      for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Narrows, and shows the whole exit if it is another one. */
export function expectKind<K extends ProcessExit['kind']>(exit: ProcessExit, kind: K): Extract<ProcessExit, { kind: K }> {
  if (exit.kind !== kind) throw new Error(`expected ${kind}, got ${JSON.stringify(exit).slice(0, 2000)}`);
  return exit as Extract<ProcessExit, { kind: K }>;
}
