import { isUtf8 } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { replaceFile } from '@tenterhook/migrate';
import { type DialectContext, isPlainObject } from '@tenterhook/protocol';
import type { InstallRecord } from '@tenterhook/relay';
import { describeThrown } from '@tenterhook/runtime/text';
import { CommandError, UsageError } from '../../../errors/exit-status.js';
import type { RelayedDialect } from '../relayed-agent.js';
import { replaceAtOnce } from '../replace-at-once.js';

export const scopes = ['user', 'project', 'local'] as const;
export type Scope = (typeof scopes)[number];

/** A settings file of an agent. */
export interface SettingsFileOfAgent {
  readonly scope: Scope;
  /** The path as the agent names it. */
  readonly file: string;
  /** The path after all links. */
  readonly realFile: string;
  /** Undefined if the file does not exist. */
  readonly text: string | undefined;
}

/** Returns the path of the file with the entries of a scope, or undefined if the agent has no settings of this scope. */
export function entryFile({ locations, relay }: RelayedDialect, scope: Scope, context: DialectContext): string | undefined {
  const location = locations(context).find(({ source }) => source === scope);
  if (location === undefined) return undefined;
  const { file, folder } = location;
  return relay.ownFile === undefined || folder === undefined ? file : join(folder, relay.ownFile);
}

/** Returns the settings file of a scope. Throws if the agent has none, or if the file cannot be read. */
export function settingsFile(agent: RelayedDialect, scope: Scope, context: DialectContext): SettingsFileOfAgent {
  const file = entryFile(agent, scope, context);
  if (file === undefined) throw new UsageError(`--scope: ${agent.relay.agent} has no settings of the scope "${scope}".`);
  if (scope !== 'user' && file === entryFile(agent, 'user', context)) {
    const what = `The project is ${context.projectDir}, so its file of the scope "${scope}" is that of the user: ${file}.`;
    throw new UsageError(`--scope: ${what} Name the project with --cwd, or leave --scope out.`);
  }
  const text = readSettingsText(file);
  return { scope, file, realFile: text === undefined ? file : realpathSync(file), text };
}

/**
 * Returns the text of a settings file that is to be edited, or undefined if it does not exist. Throws if it cannot be read, and for bytes
 * that are not UTF-8: written back, they would be other bytes.
 */
export function readSettingsText(file: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readRegular(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw cannot(file, 'cannot be read', describeThrown(error));
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    throw cannot(file, 'cannot be read', 'it is a link to a file that does not exist. Create that file, or remove the link.');
  }
  if (!isUtf8(bytes)) throw cannot(file, 'is not edited', `line ${lineOfInvalid(bytes)} is not valid UTF-8. Save the file as UTF-8 first.`);
  return bytes.toString('utf8');
}

/** Returns the text of a file, or undefined if it cannot be read. */
export function readIfRegular(file: string): string | undefined {
  try {
    return readRegular(file).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Reads a regular file. Anything else is an error: a repository may contain a link to a pipe or a device, which has no end. */
export function readRegular(file: string): Buffer {
  if (!statSync(file).isFile()) throw Object.assign(new Error('it is not a regular file'), { code: 'not a regular file' });
  return readFileSync(file);
}

function lineOfInvalid(bytes: Buffer): number {
  let [from, line] = [0, 1];
  for (let to = bytes.indexOf(10); to >= 0 && isUtf8(bytes.subarray(from, to)); to = bytes.indexOf(10, from)) {
    from = to + 1;
    line += 1;
  }
  return line;
}

/** Returns the error for a file that is not edited. */
export function cannot(file: string, what: string, why: string): CommandError {
  return new CommandError({ code: 'invalid_settings', message: `${file} ${what}: ${why}` });
}

/** Writes a settings file, or removes it with null. The mode, the owner and links are kept. */
export function writeSettings({ file, realFile, text: before }: SettingsFileOfAgent, text: string | null): void {
  try {
    if (text === null) rmSync(realFile);
    else replaceFile(realFile, before, text);
  } catch (error) {
    throw cannot(file, 'cannot be written', describeThrown(error));
  }
}

/** Keeps the text before the first installation beside the file. A link with the name of the backup is replaced: a repository may have it. */
export function writeBackup({ realFile, text }: SettingsFileOfAgent): void {
  if (text === undefined) return;
  const backup = backupOf(realFile);
  const temporary = `${backup}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: statSync(realFile).mode & 0o777 });
    renameSync(temporary, backup);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw cannot(backup, 'cannot be written', describeThrown(error));
  }
}

export function backupOf(file: string): string {
  return `${file}.tenterhook-backup`;
}

function recordFile(realFile: string, { environment, home }: Pick<DialectContext, 'environment' | 'home'>): string {
  const folder = environment['XDG_STATE_HOME'] ?? '';
  const name = createHash('sha256').update(realFile).digest('hex').slice(0, 32);
  return join(isAbsolute(folder) ? folder : join(home, '.local/state'), 'tenterhook/relay', `${name}.json`);
}

/** Reads what the last installation left about a file. */
export function readRecord(realFile: string, context: DialectContext): InstallRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(recordFile(realFile, context), 'utf8'));
    if (!isPlainObject(value) || typeof value['after'] !== 'string') return undefined;
    const { before, after } = value;
    return typeof before === 'string' || before === null ? { before, after } : undefined;
  } catch {
    return undefined;
  }
}

/** Stores what an installation did to a file. Only the user can read it, because settings may contain secrets. */
export function writeRecord(realFile: string, record: InstallRecord | undefined, context: DialectContext): void {
  const file = recordFile(realFile, context);
  try {
    if (record === undefined) {
      rmSync(file, { force: true });
      return;
    }
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceAtOnce(file, Buffer.from(JSON.stringify({ file: realFile, ...record })), 0o600);
  } catch (error) {
    throw cannot(file, 'cannot be written', describeThrown(error));
  }
}
