import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { DialectContext } from '@tenterhook/protocol';

/** What dialects may know of this machine; files can be looked at and nothing else. */
export function dialectContext(projectDir: string): DialectContext {
  return {
    projectDir,
    home: homedir(),
    environment: Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    platform: process.platform,
    files: { isFile, isExecutable, head },
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

function head(path: string, bytes: number): string | undefined {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(bytes);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, bytes, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
