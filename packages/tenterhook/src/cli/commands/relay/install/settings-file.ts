import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { replaceFile } from '@tenterhook/migrate';
import { type DialectContext, isPlainObject } from '@tenterhook/protocol';
import type { InstallRecord } from '@tenterhook/relay';
import { describeThrown } from '@tenterhook/runtime/text';
import { CommandError, UsageError } from '../../../exit-status.js';
import type { RelayedDialect } from '../relayed-agent.js';

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
  try {
    const realFile = existsSync(file) ? realpathSync(file) : file;
    return { scope, file, realFile, text: existsSync(realFile) ? readFileSync(realFile, 'utf8') : undefined };
  } catch (error) {
    throw cannot(file, 'cannot be read', describeThrown(error));
  }
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
  if (record === undefined) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ file: realFile, ...record }), { mode: 0o600 });
}
