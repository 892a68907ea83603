import { isUtf8 } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { replaceFile } from '@tenterhook/migrate';
import { type DialectContext, isPlainObject } from '@tenterhook/protocol';
import { relayProgram, startsRelay } from '@tenterhook/protocol/internal';
import { formOf, type InstallRecord } from '@tenterhook/relay';
import { describeThrown } from '@tenterhook/runtime/text';
import { documentOfText } from '../../../../settings/read/read-document.js';
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

/**
 * Returns the files that can have the entries of a scope, the usual one first. Empty if the agent has no settings of this scope. An agent
 * whose usual file is JSON may also read hooks from a TOML file of the same scope.
 */
export function entryFiles({ locations, relay }: RelayedDialect, scope: Scope, context: DialectContext): readonly string[] {
  const [usual, ...others] = locations(context).filter(({ source }) => source === scope);
  if (usual === undefined) return [];
  const { file, folder } = usual;
  const first = relay.ownFile === undefined || folder === undefined ? file : join(folder, relay.ownFile);
  return [first, ...others.map((other) => other.file).filter((other) => other.endsWith('.toml'))];
}

/** Returns those files that have entries, or that cannot be read although they name the program of the relay. */
export function installedFiles(agent: RelayedDialect, scope: Scope, context: DialectContext): readonly string[] {
  return entryFiles(agent, scope, context).filter((file) => {
    const text = readIfRegular(file) ?? '';
    const form = formOf(file);
    return form.readEntries(text).length > 0 || (form.findProblem(text, agent.relay) !== undefined && text.includes(relayProgram));
  });
}

/**
 * Returns the settings file into which the entries of a scope are written. Throws if the agent has none, or if the file cannot be read. Codex
 * warns about hooks in two files, so entries belong into the file that has other hooks: the usual one, if it has some. If the user has moved
 * hooks since the last installation, this is another file than the one that has the entries.
 */
export function settingsFile(agent: RelayedDialect, scope: Scope, context: DialectContext): SettingsFileOfAgent {
  const [usual, ...others] = existingScope(agent, scope, context);
  const [installed, ...more] = installedFiles(agent, scope, context);
  if (installed !== undefined && more.length > 0)
    throw cannot(installed, 'is not edited', `${more.join(', ')} has entries too. Run tenterhook relay uninstall first.`);
  const hasOthers = (file: string) => hasOtherHooks(agent, file, scope, context);
  const isUsual = installed === undefined || installed === usual ? isOfUser(agent, usual, context) : hasOthers(usual);
  return openSettings(isUsual ? usual : (others.find(hasOthers) ?? installed ?? usual), scope);
}

/** Tests whether a file would exist without the entries. */
function isOfUser({ relay }: RelayedDialect, file: string, context: DialectContext): boolean {
  if (!existsSync(file)) return false;
  const removed = formOf(file).planUninstall(readIfRegular(file) ?? '', relay, readRecord(realpathSync(file), context));
  return 'problem' in removed || removed.text !== null;
}

/** Returns the settings files from which the entries of a scope are removed: the usual one if none has entries. */
export function settingsToClear(agent: RelayedDialect, scope: Scope, context: DialectContext): readonly SettingsFileOfAgent[] {
  const [usual] = existingScope(agent, scope, context);
  const installed = installedFiles(agent, scope, context);
  return (installed.length === 0 ? [usual] : installed).map((file) => openSettings(file, scope));
}

function existingScope(agent: RelayedDialect, scope: Scope, context: DialectContext): readonly [string, ...string[]] {
  const [usual, ...others] = entryFiles(agent, scope, context);
  if (usual === undefined) throw new UsageError(`--scope: ${agent.relay.agent} has no settings of the scope "${scope}".`);
  if (scope !== 'user' && usual === entryFiles(agent, 'user', context)[0]) {
    const what = `The project is ${context.projectDir}, so its file of the scope "${scope}" is that of the user: ${usual}.`;
    throw new UsageError(`--scope: ${what} Name the project with --cwd, or leave --scope out.`);
  }
  return [usual, ...others];
}

/** Opens a settings file to edit it. Throws if it cannot be read. */
export function openSettings(file: string, scope: Scope): SettingsFileOfAgent {
  const text = readSettingsText(file);
  return { scope, file, realFile: text === undefined ? file : realpathSync(file), text };
}

/** Tests whether a file has hooks besides the entries of the relay. Throws if the file cannot be read. */
export function hasOtherHooks(agent: RelayedDialect, file: string, scope: Scope, context: DialectContext): boolean {
  const text = readSettingsText(file);
  if (text === undefined) return false;
  const problem = formOf(file).findProblem(text, agent.relay);
  if (problem !== undefined) throw cannot(file, 'is not edited', problem);
  const read = documentOfText(text.replace(/^\uFEFF/, ''), file, scope);
  return read.state === 'read' && agent.parse(read.document, context).hooks.some(({ action }) => !startsRelay(action));
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
