import { dirname } from 'node:path';
import type { RelayEvent, RelayPolicy } from '@tenterhook/protocol';
import { relayProgram, startsRelay } from '@tenterhook/protocol/internal';
import { formOf, type Installation } from '@tenterhook/relay';
import { findOnPath } from '@tenterhook/spawner/internal';
import { dialectContext } from '../../../../settings/discover/dialect-context.js';
import { type CommandContext, printError } from '../../../context.js';
import { CommandError, ExitStatus, UsageError } from '../../../errors/exit-status.js';
import { ownScript } from '../../../version.js';
import { type Guarded, readGuarded } from '../answer/guarded-events.js';
import { policyOfFlags, reserveMs } from '../answer/run-flags.js';
import { clientFile, installClient } from '../client.js';
import { projectOf } from '../project.js';
import { findAgent, type RelayedDialect } from '../relayed-agent.js';
import type { RelayRunFlags } from '../run.js';
import { planAcceptance, writeAcceptance } from './accept-entries.js';
import { lossLines } from './losses.js';
import {
  cannot,
  installedFiles,
  openSettings,
  readRecord,
  type Scope,
  settingsFile,
  writeBackup,
  writeRecord,
  writeSettings,
} from './settings-file.js';
import { diffLines } from './show-diff.js';
import { type Clearing, clearEntries, forgetAcceptances, textWithout } from './uninstall.js';

export interface InstallFlags extends RelayRunFlags {
  readonly scope?: Scope;
  readonly events?: string;
  readonly command?: string;
  readonly dryRun?: boolean;
  /** Also accepts the entries, where the agent would ask its user. */
  readonly trust?: boolean;
}

/** The agent waits at least so long, and longer if a guard may take longer. */
const usualTimeoutMs = 65_000;
/** The agent waits this much longer than the guard that may take longest. */
const afterGuardMs = 5000;
/** The longest deadline that an entry has: a day. */
const longestTimeoutMs = 86_400_000;

/** Writes the entries of the relay into the settings of an agent, and reports what the agent cannot carry out. */
export async function relayInstall(flags: InstallFlags, context: CommandContext): Promise<number> {
  const agent = findAgent(flags.agent);
  const places = dialectContext(projectOf(flags.cwd, context), context.env);
  if (places.home === '') throw new UsageError('There is no home directory. Set HOME to an absolute path.');
  if (flags.ask === 'native' && !canAsk(agent))
    throw new UsageError(`--ask native: ${agent.relay.agent} cannot ask from a hook. Leave it out; an ask of a guard is then a deny.`);
  if (flags.command !== undefined && !isOwnCommand(flags.command))
    throw new UsageError(
      `--command: ${JSON.stringify(flags.command)} must end with the program ${relayProgram}. By this name, uninstall finds the entries, and Tenterhook knows that it must not run them.`,
    );
  const scope = flags.scope ?? 'user';
  const settings = settingsFile(agent, scope, places);
  const moved = installedFiles(agent, scope, places).filter((file) => file !== settings.file);
  const client = clientFile(places);
  const { projectDir, home } = places;
  const guarded = await readGuarded(agent, { cwd: projectDir, projectDir, home, environment: context.env });
  const events = flags.events === 'guards' ? guardedEvents(agent, guarded) : eventsOf(agent, flags.events);
  const form = formOf(settings.file);
  const planned = form.planInstall(settings.text, installation(agent, { scope, client, events, guarded, flags }));
  if ('problem' in planned) throw cannot(settings.file, 'is not edited', planned.problem);
  const entries = { file: settings.realFile, source: scope, text: planned.text };
  const accepted = flags.trust ? planAcceptance(agent, entries, places) : undefined;
  const text = accepted?.isInSettings ? accepted.after : planned.text;
  const isSame = text === (settings.text ?? '');
  const { stdout } = context;
  const sayChange = (verb: string) =>
    stdout.write(
      isSame
        ? `${settings.file}: the entries are installed already.\n`
        : `${verb} ${settings.file}:\n${diffLines(settings.text ?? '', text)}`,
    );
  const clearing: Clearing = { agent, places, isDryRun: flags.dryRun === true, stdout };
  // Nothing is written if the old entries cannot be taken out: the agent would ask twice, and no command could correct it.
  for (const file of moved) textWithout(openSettings(file, scope), clearing);
  // The new entries are written first: if the command ends here, the agent asks twice, and not at all otherwise.
  const clearOthers = () => {
    for (const file of moved) clearEntries(openSettings(file, scope), clearing);
    forgetAcceptances(scope, clearing);
  };
  const isShared = scope === 'project' && flags.command === undefined;
  if (!flags.dryRun && flags.command === undefined) installClient(places, ownScript());
  if (isShared && findOnPath(relayProgram, places.environment) === undefined)
    printError(context, withoutProgram(agent, settings.file, { client, isClosed: policyOfFlags(flags).onFailure === 'closed' }));
  if (flags.dryRun) {
    sayChange('Would change');
    if (accepted !== undefined) stdout.write(`Would accept the entries in ${accepted.file}.\n`);
    clearOthers();
    return ExitStatus.ok;
  }
  if (!isSame) {
    const record = readRecord(settings.realFile, places);
    const before = form.textBefore(settings.text, record);
    // With entries in the text, the backup is that of the first installation.
    if (form.readEntries(settings.text ?? '').length === 0) writeBackup(settings);
    // Written before the settings: without a record, the first bytes could not be given back.
    writeRecord(settings.realFile, { before, after: text }, places);
    try {
      writeSettings(settings, text);
    } catch (error) {
      writeRecord(settings.realFile, record, places);
      throw error;
    }
  }
  sayChange('Changed');
  if (accepted !== undefined) writeAcceptance(accepted);
  clearOthers();
  if (flags.trust)
    stdout.write(
      accepted === undefined ? `There is nothing to accept for ${agent.relay.agent}.\n` : `Accepted the entries in ${accepted.file}.\n`,
    );
  stdout.write(lossLines(agent, events, guarded, { ...guarded, ...policyOfFlags(flags) }));
  stdout.write(afterwards(agent, scope, flags.command ?? (isShared ? `${relayProgram} from PATH` : client)));
  return ExitStatus.ok;
}

/** Tests whether entries with a command are found again. */
function isOwnCommand(command: string): boolean {
  return /tenterhook-hook(?:\.exe)?['"]?$/.test(command) && startsRelay({ kind: 'command', command: `${command} agent event` });
}

function canAsk({ relay }: RelayedDialect): boolean {
  return Object.values(relay.events).some(({ powers, asksSometimes }) => asksSometimes === true || powers.includes('ask'));
}

function eventsOf({ relay }: RelayedDialect, given: string | undefined): readonly string[] {
  const names = Object.keys(relay.events);
  if (given === 'all') return names;
  if (given === undefined) return names.filter((name) => relay.events[name]?.install === 'always');
  const asked = given.split(',').map((name) => name.trim());
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--events: ${relay.agent} has no event ${JSON.stringify(unknown)}. It has ${names.join(', ')}.`);
  return names.filter((name) => asked.includes(name));
}

/** The events for which there is a guard. */
function guardedEvents({ relay }: RelayedDialect, { byEvent }: Guarded): readonly string[] {
  const found = Object.entries(relay.events).flatMap(([event, { eventName }]) => (byEvent.has(eventName) ? [event] : []));
  if (found.length > 0) return found;
  const message = `--events guards: you have no guard that ${relay.agent} could ask. Write one, or leave --events out.`;
  throw new CommandError({ code: 'invalid_request', message });
}

interface Choice {
  readonly scope: Scope;
  readonly client: string;
  readonly events: readonly string[];
  readonly guarded: Guarded;
  readonly flags: InstallFlags;
}

/**
 * What the agent does if the program cannot ask the guards. The program knows only its options, so the entry repeats what the user's list of
 * guards says. The settings of a project are shared with people who have other lists.
 */
function failurePolicy({ scope, guarded, flags }: Pick<Choice, 'scope' | 'guarded' | 'flags'>): RelayPolicy['onFailure'] {
  return policyOfFlags(flags).onFailure ?? (scope === 'project' ? 'open' : guarded.onFailure);
}

function installation(agent: RelayedDialect, { scope, client, events, guarded, flags }: Choice): Installation {
  const { ask, onLoss } = policyOfFlags(flags);
  const onFailure = failurePolicy({ scope, guarded, flags });
  const more = [
    // An agent that has entries of the user too reports each event twice. The daemon finds the second report by this word.
    ...(scope === 'user' ? [] : ['--project']),
    ...(onFailure === 'closed' ? ['--closed'] : []),
    ...(ask === undefined ? [] : ['--ask', ask]),
    ...(onLoss === undefined ? [] : ['--on-loss', onLoss]),
  ];
  const timeoutOf = (event: string) => {
    const { eventName, maxTimeoutMs = longestTimeoutMs } = agent.relay.events[event] as RelayEvent;
    const longest = Math.max(0, ...(guarded.byEvent.get(eventName) ?? []).map(({ timeoutMs }) => timeoutMs));
    return Math.min(maxTimeoutMs, Math.max(usualTimeoutMs, longest + afterGuardMs));
  };
  return {
    format: agent.relay,
    events,
    options: (event) => ({ timeoutMs: timeoutOf(event), onFailure }),
    command: (event) => {
      const args = [agent.name, event, ...more, ...budgetFlags(timeoutOf(event))];
      if (flags.command !== undefined) return { program: flags.command, args, shell: [flags.command, ...args].join(' ') };
      if (scope !== 'project') return { program: client, args };
      // The settings of a project are shared with people who may not have the program.
      const words = [relayProgram, ...args].join(' ');
      return {
        program: relayProgram,
        args,
        shell: onFailure === 'open' ? `command -v ${relayProgram} >/dev/null 2>&1 || exit 0; exec ${words}` : words,
      };
    },
  };
}

/** The client waits as long as usual, unless the entry says how long the agent waits. */
function budgetFlags(timeoutMs: number): readonly string[] {
  return timeoutMs === usualTimeoutMs ? [] : ['--budget', String((timeoutMs - reserveMs) / 1000)];
}

/** Returns what the user has to do now. */
function afterwards({ name, relay }: RelayedDialect, scope: Scope, program: string): string {
  const uninstall = `tenterhook relay uninstall --agent ${name}${scope === 'user' ? '' : ` --scope ${scope}`}`;
  return `${relay.afterInstall ?? `Restart ${relay.agent}.`}\nThe entries start ${program}. ${uninstall} takes them out.\n`;
}

/** Returns the warning about entries of a project whose program the agent would not find. */
function withoutProgram(
  { name, relay: { agent } }: RelayedDialect,
  file: string,
  { client, isClosed }: { readonly client: string; readonly isClosed: boolean },
): string {
  const effect = isClosed ? 'they fail with "command not found"' : `${agent} asks no guard and shows no message`;
  return [
    `warning: The entries of ${file} start ${relayProgram}, which is in no absolute directory of PATH. Without it, ${effect}.`,
    `Add ${dirname(client)} to the PATH of ${agent}.`,
    `Other people of the project run tenterhook relay install --agent ${name} --scope project, which gives them the program, and do the same.`,
  ].join(' ');
}
