import { existsSync, realpathSync } from 'node:fs';
import { formOf } from '@tenterhook/relay';
import { dialectContext } from '../../../settings/discover/dialect-context.js';
import { type CommandContext, printJson } from '../../context.js';
import { ExitStatus } from '../../errors/exit-status.js';
import { type ClientKind, readClient } from './client.js';
import { askAboutDaemon, type DaemonState } from './daemon/ask.js';
import { checkPlaces } from './doctor/check-places.js';
import { findGuards, guardFile, importEngines, projectGuardFile } from './guards.js';
import type { InstallFlags } from './install/install.js';
import { entryFiles, installedFiles, readIfRegular, readRecord, type Scope, scopes } from './install/settings-file.js';
import { projectOf } from './project.js';
import { countLog, logFile } from './relay-log.js';
import { findAgent, type RelayedDialect, relayedDialects } from './relayed-agent.js';

interface FileStatus {
  readonly agent: string;
  readonly scope: Scope;
  readonly file: string;
  /** `changed`: another program or the user has edited the file since the installation. */
  readonly state: 'absent' | 'installed' | 'changed';
  readonly entries: number;
}

/** Shows where the relay is installed, and which guards it asks. */
export async function relayStatus(flags: InstallFlags & { readonly json?: boolean }, context: CommandContext): Promise<number> {
  const agents = flags.agent === undefined ? relayedDialects : [findAgent(flags.agent)];
  const places = dialectContext(projectOf(flags.cwd, context), context.env);
  const files = agents.flatMap((agent) => scopes.flatMap((scope) => statusOf(agent, scope, places)));
  const found = await findGuards(flags.agent ?? '', places);
  const problems = [...found.problems, ...(await importEngines(found.modules)).problems];
  const misplaced = agents.flatMap((agent) => checkPlaces(agent, places));
  problems.push(...misplaced.map(({ message, remedy }) => `${message}${remedy === undefined ? '' : ` ${remedy}`}`));
  const client = readClient(places);
  const daemon = await askAboutDaemon('status', context.env);
  const { losses, withoutDaemon } = countLog(places);
  const lists = [guardFile(places), projectGuardFile(places.projectDir)].filter((file) => existsSync(file));
  if (flags.json) {
    printJson(context, { files, client, daemon: daemon ?? null, guards: lists, problems, losses, withoutDaemon });
    return ExitStatus.ok;
  }
  const twice = agents.filter(({ name, relay }) => relay.sameCall && files.some(({ agent, entries }) => agent === name && entries > 0));
  const lines = [
    ...files.map(({ agent, scope, file, state, entries }) => {
      const what = {
        absent: 'not installed',
        installed: `${entries} entries`,
        changed: `${entries} entries, edited since the installation`,
      };
      return `${agent} (${scope}): ${what[state]}  ${file}`;
    }),
    ...twice.map(({ name }) => `note: ${name} asks twice about one call, and without a daemon the guards run for both questions`),
    `program: ${client.file} (${clientKinds[client.kind]})`,
    `daemon: ${daemon === undefined ? 'does not run; the next event starts it' : daemonLine(daemon)}`,
    `lists of guards: ${lists.join(', ') || `none; ${guardFile(places)} is not there`}`,
    ...problems.map((problem) => `problem: ${problem}`),
    `losses: ${losses}${losses === 0 ? '' : `, listed in ${logFile(places)}`}`,
    ...(withoutDaemon === 0 ? [] : [`events answered without the daemon: ${withoutDaemon}, listed in ${logFile(places)}`]),
  ];
  context.stdout.write(`${lines.join('\n')}\n`);
  return ExitStatus.ok;
}

const clientKinds: Readonly<Record<ClientKind, string>> = { program: 'compiled', script: 'script for Node, slower', missing: 'missing' };

function daemonLine({ pid, version, started, events, running, systems }: DaemonState): string {
  return `pid ${pid}, version ${version}, since ${started}; ${events} events answered, ${running} running, ${systems} loaded projects`;
}

function statusOf(agent: RelayedDialect, scope: Scope, places: ReturnType<typeof dialectContext>): readonly FileStatus[] {
  const installed = installedFiles(agent, scope, places);
  const files = installed.length === 0 ? entryFiles(agent, scope, places).slice(0, 1) : installed;
  return files.map((file) => {
    const text = readIfRegular(file) ?? '';
    const form = formOf(file);
    const entries = form.readEntries(text).length;
    const isChanged = entries > 0 && form.isEdited(text, readRecord(realpathSync(file), places));
    return { agent: agent.name, scope, file, entries, state: entries === 0 ? 'absent' : isChanged ? 'changed' : 'installed' };
  });
}
