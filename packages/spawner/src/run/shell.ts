import { statSync } from 'node:fs';
import { delimiter, join, win32 } from 'node:path';

/** A shell by its absolute path, and its arguments before the text of a command. */
export interface Shell {
  readonly file: string;
  readonly args: readonly string[];
}

export interface ShellSearch {
  readonly platform: NodeJS.Platform;
  /** Our own environment, not that of the job: which shell a machine has must not depend on what a hook puts into its PATH. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What execvp uses if PATH is not set. */
const pathWithoutPath = '/usr/local/bin:/usr/bin:/bin';

/**
 * `bash` where there is one on PATH, else `sh`; PowerShell on Windows (decision 31). Undefined if there is none.
 * Not cached: it is a handful of `stat` calls, against milliseconds for a process, and a cache would miss a bash that is installed or removed.
 */
export function findShell({ platform, env }: ShellSearch): Shell | undefined {
  if (platform === 'win32') {
    const root = env['SystemRoot'] ?? 'C:\\Windows';
    const file = win32.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
    return isFile(file) ? { file, args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command'] } : undefined;
  }
  for (const name of ['bash', 'sh']) {
    const file = findOnPath(name, env);
    if (file !== undefined) return { file, args: ['-c'] };
  }
  return undefined;
}

/** The absolute path of a program of the machine; not on Windows. */
export function findOnPath(name: string, env: ShellSearch['env']): string | undefined {
  // Relative and empty entries mean the current directory, where a project could plant a "bash".
  const directories = (env['PATH'] || pathWithoutPath).split(delimiter).filter((directory) => directory.startsWith('/'));
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    // Not accessSync: it throws, and so costs ten times as much, for each directory without a bash.
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true && (found.mode & 0o111) !== 0;
  } catch {
    return false;
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
