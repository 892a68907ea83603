import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Replaces a file of our own at once: a program that reads it at any time finds the old content or the new one, also on a full disk. */
export function replaceAtOnce(file: string, content: Buffer, mode: number): void {
  if (existsSync(file) && readFileSync(file).equals(content)) {
    chmodSync(file, mode);
    return;
  }
  const beside = `${file}.${process.pid}`;
  try {
    writeFileSync(beside, content, { mode });
    chmodSync(beside, mode);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
