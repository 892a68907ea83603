import { rmSync } from 'node:fs';
import type { DialectContext } from '@tenterhook/protocol';
import { formOf } from '@tenterhook/relay';
import { dialectContext } from '../../../../settings/discover/dialect-context.js';
import type { CommandContext } from '../../../context.js';
import { ExitStatus } from '../../../errors/exit-status.js';
import { projectOf } from '../project.js';
import { findAgent, type RelayedDialect } from '../relayed-agent.js';
import { planAcceptance, staleAcceptances, writeAcceptance } from './accept-entries.js';
import {
  backupOf,
  cannot,
  readRecord,
  type Scope,
  type SettingsFileOfAgent,
  settingsToClear,
  writeRecord,
  writeSettings,
} from './settings-file.js';
import { diffLines } from './show-diff.js';

export interface UninstallFlags {
  readonly agent?: string;
  readonly cwd?: string;
  readonly scope?: Scope;
  readonly dryRun?: boolean;
}

/** Takes the entries of the relay out of the settings of an agent. */
export async function relayUninstall(flags: UninstallFlags, context: CommandContext): Promise<number> {
  const agent = findAgent(flags.agent);
  const places = dialectContext(projectOf(flags.cwd, context), context.env);
  const scope = flags.scope ?? 'user';
  const clearing: Clearing = { agent, places, isDryRun: flags.dryRun === true, stdout: context.stdout };
  for (const settings of settingsToClear(agent, scope, places)) clearEntries(settings, clearing);
  forgetAcceptances(scope, clearing);
  return ExitStatus.ok;
}

/** Whose entries are taken out, and where the changes are shown. */
export interface Clearing {
  readonly agent: RelayedDialect;
  readonly places: DialectContext;
  readonly isDryRun: boolean;
  readonly stdout: CommandContext['stdout'];
}

/** Returns the text of a settings file without the entries, or null if the file is removed. Throws if it cannot be edited. */
export function textWithout({ file, realFile, text = '' }: SettingsFileOfAgent, { agent, places }: Clearing): string | null {
  const planned = formOf(file).planUninstall(text, agent.relay, readRecord(realFile, places));
  if ('problem' in planned) throw cannot(file, 'is not edited', planned.problem);
  return planned.text;
}

/** Takes the entries out of a settings file, with what the user has accepted. */
export function clearEntries(settings: SettingsFileOfAgent, clearing: Clearing): void {
  const { agent, places, isDryRun, stdout } = clearing;
  const { file, realFile, text } = settings;
  if (text === undefined) {
    stdout.write(`${file} does not exist. There is nothing to remove.\n`);
    return;
  }
  const record = readRecord(realFile, places);
  const without = textWithout(settings, clearing);
  if (without === text) {
    stdout.write(`${file} has no entry of the relay.\n`);
    return;
  }
  const acceptance = planAcceptance(agent, { file: realFile, source: settings.scope, text: without ?? '{}' }, places);
  const cleared = acceptance?.isInSettings ? acceptance.after : without;
  const isRemoved = cleared === null;
  const diff = diffLines(text, cleared ?? '');
  if (isDryRun) {
    stdout.write(`Would ${isRemoved ? 'remove' : 'change'} ${file}:\n${diff}`);
    return;
  }
  writeSettings(settings, cleared);
  stdout.write(`${isRemoved ? 'Removed' : 'Changed'} ${file}:\n${diff}`);
  if (acceptance !== undefined) writeAcceptance(acceptance);
  if (record?.after === text) rmSync(backupOf(realFile), { force: true });
  writeRecord(realFile, undefined, places);
}

/** Takes out what the user has accepted, where the entries were taken out by hand. */
export function forgetAcceptances(scope: Scope, { agent, places, isDryRun, stdout }: Clearing): void {
  for (const stale of staleAcceptances(agent, places)) {
    if (stale.scope !== scope) continue;
    const { file, before, after } = stale.plan();
    if (!isDryRun) writeAcceptance({ file, before, after, isInSettings: false });
    stdout.write(`${isDryRun ? 'Would change' : 'Changed'} ${file}:\n${diffLines(before, after)}`);
  }
}
