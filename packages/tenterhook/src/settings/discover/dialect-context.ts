import { accessSync, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { DialectContext } from '@tenterhook/protocol';
import { homeDirectory, homeIn } from './home-directory.js';

/** What dialects may know of this machine; files can be looked at and nothing else. `env`: @default the environment of this process */
export function dialectContext(projectDir: string, env?: Readonly<Record<string, string | undefined>>): DialectContext {
  return {
    projectDir,
    home: env === undefined ? homeDirectory() : homeDirectory([() => homeIn(env), () => userInfo().homedir]),
    environment: Object.fromEntries(
      Object.entries(env ?? process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    platform: process.platform,
    files: { isFile, isExecutable, head },
  };
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

/** Of regular files alone, and without waiting: the place of a script can hold a pipe. */
function head(path: string, bytes: number): string | undefined {
  if (!isFile(path)) return undefined;
  try {
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!fstatSync(descriptor).isFile()) return undefined;
      const buffer = Buffer.alloc(bytes);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, bytes, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
