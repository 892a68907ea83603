import { rmSync } from 'node:fs';
import type { DialectContext } from '@tenterhook/protocol';
import { formOf } from '@tenterhook/relay';
import { dialectContext } from '../../../../settings/discover/dialect-context.js';
import type { CommandContext } from '../../../context.js';
import { ExitStatus } from '../../../errors/exit-status.js';
import { projectOf } from '../project.js';
import { findAgent, type RelayedDialect } from '../relayed-agent.js';
import { planAcceptance, writeAcceptance } from './accept-entries.js';
import type { InstallFlags } from './install.js';
import { backupOf, cannot, readRecord, type SettingsFileOfAgent, settingsToClear, writeRecord, writeSettings } from './settings-file.js';
import { diffLines } from './show-diff.js';

/** Takes the entries of the relay out of the settings of an agent. */
export async function relayUninstall(flags: InstallFlags, context: CommandContext): Promise<number> {
  const agent = findAgent(flags.agent);
  const places = dialectContext(projectOf(flags.cwd, context), context.env);
  for (const settings of settingsToClear(agent, flags.scope ?? 'user', places))
    clear(settings, { agent, places, isDryRun: flags.dryRun === true, stdout: context.stdout });
  return ExitStatus.ok;
}

interface Clearing {
  readonly agent: RelayedDialect;
  readonly places: DialectContext;
  readonly isDryRun: boolean;
  readonly stdout: CommandContext['stdout'];
}

function clear(settings: SettingsFileOfAgent, clearing: Clearing): void {
  const { agent, places, isDryRun, stdout } = clearing;
  const { file, realFile, text } = settings;
  if (text === undefined) {
    stdout.write(`${file} does not exist. There is nothing to remove.\n`);
    forgetAcceptance(settings, '{}', clearing);
    return;
  }
  const record = readRecord(realFile, places);
  const planned = formOf(file).planUninstall(text, agent.relay, record);
  if ('problem' in planned) throw cannot(file, 'is not edited', planned.problem);
  if (planned.text === text) {
    stdout.write(`${file} has no entry of the relay.\n`);
    forgetAcceptance(settings, text, clearing);
    return;
  }
  const acceptance = planAcceptance(agent, { file: realFile, source: settings.scope, text: planned.text ?? '{}' }, places);
  const cleared = acceptance?.isInSettings ? acceptance.after : planned.text;
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
function forgetAcceptance({ realFile, scope }: SettingsFileOfAgent, text: string, { agent, places, isDryRun, stdout }: Clearing): void {
  const acceptance = planAcceptance(agent, { file: realFile, source: scope, text }, places);
  if (acceptance === undefined || acceptance.isInSettings || acceptance.after === (acceptance.before ?? '')) return;
  if (!isDryRun) writeAcceptance(acceptance);
  stdout.write(`${isDryRun ? 'Would change' : 'Changed'} ${acceptance.file}:\n${diffLines(acceptance.before ?? '', acceptance.after)}`);
}
