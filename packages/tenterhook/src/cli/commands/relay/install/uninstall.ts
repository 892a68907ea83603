import { rmSync } from 'node:fs';
import { planUninstall } from '@tenterhook/relay';
import { dialectContext } from '../../../../settings/discover/dialect-context.js';
import type { CommandContext } from '../../../context.js';
import { ExitStatus } from '../../../errors/exit-status.js';
import { projectOf } from '../project.js';
import { findAgent } from '../relayed-agent.js';
import { planAcceptance, writeAcceptance } from './accept-entries.js';
import type { InstallFlags } from './install.js';
import { backupOf, cannot, readRecord, settingsFile, writeRecord, writeSettings } from './settings-file.js';
import { diffLines } from './show-diff.js';

/** Takes the entries of the relay out of the settings of an agent. */
export async function relayUninstall(flags: InstallFlags, context: CommandContext): Promise<number> {
  const agent = findAgent(flags.agent);
  const places = dialectContext(projectOf(flags.cwd, context), context.env);
  const settings = settingsFile(agent, flags.scope ?? 'user', places);
  const { file, realFile, text } = settings;
  if (text === undefined) {
    context.stdout.write(`${file} does not exist. There is nothing to remove.\n`);
    return ExitStatus.ok;
  }
  const record = readRecord(realFile, places);
  const planned = planUninstall(text, agent.relay, record);
  if ('problem' in planned) throw cannot(file, 'is not edited', planned.problem);
  if (planned.text === text) {
    context.stdout.write(`${file} has no entry of the relay.\n`);
    return ExitStatus.ok;
  }
  const isRemoved = planned.text === null;
  const diff = diffLines(text, planned.text ?? '');
  if (flags.dryRun) {
    context.stdout.write(`Would ${isRemoved ? 'remove' : 'change'} ${file}:\n${diff}`);
    return ExitStatus.ok;
  }
  const acceptance = planAcceptance(agent, { file: realFile, source: settings.scope, text: planned.text ?? '{}' }, places);
  writeSettings(settings, planned.text);
  context.stdout.write(`${isRemoved ? 'Removed' : 'Changed'} ${file}:\n${diff}`);
  if (acceptance !== undefined) writeAcceptance(acceptance);
  if (record?.after === text) rmSync(backupOf(realFile), { force: true });
  writeRecord(realFile, undefined, places);
  return ExitStatus.ok;
}
