import { constants } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeThrown } from '@tenterhook/runtime/text';
import { type EnvFileContent, readExports } from './read-exports.js';

/** A file to which hooks may append the variables that commands of the session are to have. */
export interface EnvFile {
  /** Absolute; for `startSessionWithHooks`, and for `env_file` of the events that an agent fires itself. */
  readonly file: string;
  /**
   * What hooks have appended so far; of a variable that is there twice, the last counts. Never rejects; an unreadable file is a problem in
   * the result.
   */
  read(): Promise<EnvFileContent>;
  /** Removes the file. Never rejects. */
  dispose(): Promise<void>;
  /** The same, at the end of a scope: `await using envFile = await createEnvFile()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Bytes. Variables are names and paths; a larger file was written by mistake. */
const maxBytes = 2 ** 20;

export async function openEnvFile(): Promise<EnvFile> {
  const directory = await mkdtemp(join(tmpdir(), 'tenterhook-env-'));
  const file = join(directory, 'env.sh');
  await writeFile(file, '', { mode: 0o600, flag: 'wx' });
  const dispose = () => rm(directory, { recursive: true, force: true }).catch(() => {});
  return { file, read: () => readFileSafely(file), dispose, [Symbol.asyncDispose]: dispose };
}

async function readFileSafely(file: string): Promise<EnvFileContent> {
  try {
    return readExports(await readText(file));
  } catch (error) {
    return { variables: {}, problems: [`${file} cannot be read: ${describeThrown(error)}`] };
  }
}

/** Hooks own the file while they run: a pipe or a link in its place must not block the agent or lead it to another file. */
async function readText(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is no file any more.');
    if (stat.size > maxBytes) throw new Error(`it holds ${stat.size} bytes, and at most ${maxBytes} are read.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
