import { constants } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TenterhookError } from '@tenterhook/protocol';
import { codeOf, describeThrown } from '@tenterhook/runtime/text';
import { cancellable, requireSignalOption } from '../cancellation.js';
import { type EnvFileContent, readExports } from './read-exports.js';

/** A file to which hooks may append variables for the commands of the session. */
export interface EnvFile {
  /** The absolute path. Pass it to `startSessionWithHooks`, or as `env_file` of events that the agent fires itself. */
  readonly file: string;
  /**
   * Reads the variables that hooks have appended so far. The last value of a variable is used. Never rejects: if the file is unreadable,
   * the result contains a problem.
   */
  read(): Promise<EnvFileContent>;
  /** Removes the file. Never rejects. */
  dispose(): Promise<void>;
  /** Calls `dispose()` at the end of a scope: `await using envFile = await createEnvFile()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Options of `createEnvFile`. */
export interface EnvFileOptions {
  /** Stops waiting for a disk that does not answer. Has no effect once the file is created. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** The maximum size, in bytes. Variables are short, so a larger file was written by mistake. */
const maxBytes = 2 ** 20;

export async function openEnvFile(options: EnvFileOptions): Promise<EnvFile> {
  requireSignalOption('createEnvFile', options);
  const { signal } = options;
  return cancellable({ caller: 'createEnvFile', undone: 'The file was not created' }, signal, async () => {
    const envFile = await createFile();
    if (signal?.aborted) await envFile.dispose();
    return envFile;
  });
}

async function createFile(): Promise<EnvFile> {
  const parent = tmpdir();
  try {
    const directory = await mkdtemp(join(parent, 'tenterhook-env-'));
    const dispose = () => rm(directory, { recursive: true, force: true }).catch(() => {});
    const file = join(directory, 'env.sh');
    await writeFile(file, '', { mode: 0o600, flag: 'wx' }).catch((error: unknown) => dispose().then(() => Promise.reject(error)));
    return { file, read: () => readFileSafely(file), dispose, [Symbol.asyncDispose]: dispose };
  } catch (cause) {
    const message = `createEnvFile: No file can be created in ${parent} (${codeOf(cause) ?? describeThrown(cause)}). Set TMPDIR to a directory that this user can write to.`;
    throw new TenterhookError('not_created', message, { cause });
  }
}

async function readFileSafely(file: string): Promise<EnvFileContent> {
  try {
    return readExports(await readText(file));
  } catch (error) {
    return { variables: {}, problems: [`${file} cannot be read: ${describeThrown(error)}`] };
  }
}

/**
 * Reads the file. A hook may have replaced it. If it is now a pipe, opening must not wait for a writer, because this could block the agent.
 * If it is now a link, the link is not followed, because the agent would read another file.
 */
async function readText(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is no longer a regular file.');
    if (stat.size > maxBytes) throw new Error(`it has ${stat.size} bytes, and the limit is ${maxBytes}.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
