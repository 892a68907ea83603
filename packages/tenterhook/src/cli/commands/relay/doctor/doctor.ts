import { escapeForTerminal } from '../../../../output/terminal/escape.js';
import { dialectContext } from '../../../../settings/discover/dialect-context.js';
import { type CommandContext, directoryOf, maxMessage, printJson, resolvePath } from '../../../context.js';
import { ExitStatus } from '../../../errors/exit-status.js';
import { readGuarded } from '../answer/guarded-events.js';
import { findPlace, type Place } from '../answer/place.js';
import { quoted, readClient } from '../client.js';
import { askAboutDaemon } from '../daemon/ask.js';
import { countLog, logFile } from '../relay-log.js';
import { findAgent, type RelayedDialect, relayedDialects } from '../relayed-agent.js';
import { checkAnswers, checkClient } from './check-client.js';
import { checkEntries, checkScopes, findInstalled } from './check-entries.js';
import { checkOwnSettings } from './check-own-settings.js';
import { checkPlaces } from './check-places.js';
import type { Finding } from './finding.js';

export interface DoctorFlags {
  readonly agent?: string;
  readonly cwd?: string;
  readonly ci?: boolean;
  readonly json?: boolean;
}

/** Checks the installation, with a remedy for each problem. Runs no guard. Resolves to 1 if there is a problem. */
export async function relayDoctor({ agent, cwd, ci = false, json }: DoctorFlags, context: CommandContext): Promise<number> {
  const named = cwd === undefined ? undefined : resolvePath(context, cwd);
  // The project is that of an event which the agent reports from this directory.
  const placeFor = (one: RelayedDialect) =>
    findPlace({ text: '', agent: one, event: '', named, current: directoryOf(context), environment: context.env });
  const places = dialectContext(named ?? directoryOf(context) ?? '/', context.env);
  const findings: Finding[] = [...checkClient(readClient(places))];
  if (agent === undefined) for (const one of relayedDialects) findings.push(...(await checkAgent(one, placeFor(one), ci)).findings);
  else {
    const one = findAgent(agent);
    const message = `The relay is not installed for ${one.relay.agent}.`;
    const remedy = `Run tenterhook relay install --agent ${one.name}.`;
    const found = await checkAgent(one, placeFor(one), ci);
    findings.push(...(found.installed ? [] : [{ about: one.name, state: 'problem', message, remedy } as const]), ...found.findings);
  }
  const daemon = await askAboutDaemon('status', context.env);
  const { withoutDaemon } = countLog(places);
  findings.push({ about: 'relay', state: 'ok', message: daemon === undefined ? 'No daemon runs.' : `A daemon runs (pid ${daemon.pid}).` });
  if (withoutDaemon > 0)
    findings.push({
      about: 'relay',
      state: 'note',
      message: `${withoutDaemon} events were answered without the daemon; ${logFile(places)} says why.`,
    });
  if (json) printJson(context, { findings });
  else context.stdout.write(findings.map(lineOf).join(''));
  return findings.some(({ state }) => state === 'problem') ? ExitStatus.expectedFailure : ExitStatus.ok;
}

interface CheckedAgent {
  /** False if the agent has no entries. */
  readonly installed: boolean;
  readonly findings: readonly Finding[];
}

/** Checks the installation for one agent. */
async function checkAgent(one: RelayedDialect, place: Place, ci: boolean): Promise<CheckedAgent> {
  const { cwd, projectDir, environment } = place;
  const about = one.name;
  const places = dialectContext(projectDir, environment);
  const installed = findInstalled(one, places);
  const ofPlaces = checkPlaces(one, places);
  if (installed.length === 0) return { installed: false, findings: ofPlaces };
  const guarded = await readGuarded(one, place);
  const findings: Finding[] = [...checkOwnSettings(one, places), ...checkScopes(one, installed), ...ofPlaces];
  for (const file of installed) {
    findings.push(...checkEntries(one, file, guarded, places));
    findings.push(...(await checkAnswers(one, file, { cwd, places, usualFailure: guarded.onFailure })));
  }
  findings.push(
    ...guarded.problems.map((message) => ({ about, state: 'problem', message }) as const),
    ...guarded.diagnostics.map((message) => ({ about, state: 'note', message }) as const),
  );
  if (guarded.untrusted.length > 0)
    findings.push({
      about,
      state: 'note',
      message: `These guards of the project do not run, because you have not trusted them: ${guarded.untrusted.join(', ')}.`,
      remedy: `Run tenterhook relay trust ${quoted(projectDir)}.`,
    });
  const events = Object.keys(one.relay.events);
  const visitors = relayedDialects.filter(({ relay: { visits } }) => events.some((event) => visits?.eventOf(about, event) !== undefined));
  for (const { relay } of visitors)
    findings.push({
      about,
      state: 'note',
      message: `${relay.agent} also runs the entries of ${one.relay.agent}. If it has entries of its own, those count.`,
    });
  if (ci) findings.push(...(one.relay.unattended ?? []).map((message) => ({ about, state: 'note', message }) as const));
  return { installed: true, findings };
}

function lineOf({ about, state, message, remedy }: Finding): string {
  return `${state.padEnd(8)} ${about}: ${escapeForTerminal(message, maxMessage)}${remedy === undefined ? '' : `\n         ${remedy}`}\n`;
}
