import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { DialectContext, RelayPolicy } from '@tenterhook/protocol';
import { relayProgram } from '@tenterhook/protocol/internal';
import { defaultPolicy, type InstalledEntry } from '@tenterhook/relay';
import { createSpawner, type Spawner } from '@tenterhook/spawner';
import { findOnPath } from '@tenterhook/spawner/internal';
import { version } from '../../../version.js';
import { type ClientState, clientFile } from '../client.js';
import type { RelayedDialect } from '../relayed-agent.js';
import { type InstalledFile, installAgain, isClosed } from './check-entries.js';
import type { Finding } from './finding.js';

/** Checks the program that the entries start. */
export function checkClient(client: ClientState): readonly Finding[] {
  const about = 'relay';
  const remedy = 'Run tenterhook relay install for one of your agents.';
  if (client.kind === 'missing') return [{ about, state: 'problem', message: `${client.file} does not exist.`, remedy }];
  const findings: Finding[] = [];
  try {
    accessSync(client.file, constants.X_OK);
  } catch {
    findings.push({ about, state: 'problem', message: `${client.file} is not executable.`, remedy });
  }
  for (const path of client.missing)
    findings.push({ about, state: 'problem', message: `${client.file} needs ${path}, which does not exist.`, remedy });
  if (client.version !== version)
    findings.push({
      about,
      state: 'note',
      message: `${client.file} was written by version ${client.version ?? 'unknown'}, and this is version ${version}.`,
      remedy,
    });
  if (client.kind === 'script')
    findings.push({
      about,
      state: 'note',
      message: `${client.file} is a script for Node, which starts slowly: there is no program for this machine.`,
    });
  return [...findings, { about, state: 'ok', message: `${client.file} is installed.` }];
}

/** An input that no agent writes. No guard is asked about it, and the answer is known. */
const unreadable = '"tenterhook relay doctor"';
const longestMs = 20_000;

/** Where the program is started. */
export interface DoctorPlace {
  readonly cwd: string;
  readonly places: DialectContext;
  /** What the list of guards says about failures. */
  readonly usualFailure: RelayPolicy['onFailure'];
}

/**
 * Sends an input to each entry through the installed program, and compares the answer. No guard runs, and no other program is started: a
 * repository can have entries that name one of its own files.
 */
export async function checkAnswers(
  agent: RelayedDialect,
  { scope, file, entries }: InstalledFile,
  { cwd, places, usualFailure }: DoctorPlace,
): Promise<readonly Finding[]> {
  const { name: about, relay } = agent;
  const spawner = createSpawner();
  const findings: Finding[] = [];
  const refused = new Map<string, string>();
  try {
    for (const entry of entries) {
      const { words } = entry;
      const [, event = ''] = words;
      const start = programOf(entry, agent, places);
      if ('problem' in start) {
        refused.set(start.problem, `${installAgain(agent, scope)}${start.more ?? ''}`);
        continue;
      }
      const onFailure = isClosed(words) ? 'closed' : usualFailure;
      const heard = relay.hear(JSON.parse(unreadable), event);
      const reason = heard.kind === 'refused' ? heard.reason : '';
      const wanted = relay.failed(event, { ...defaultPolicy, onFailure }, `${reason} The guards were not asked.`);
      const ran = await runProgram(spawner, start.program, words, { cwd, env: places.environment });
      if (ran !== JSON.stringify([wanted.exit, wanted.stdout, wanted.stderr]))
        findings.push({ about, state: 'problem', message: `${file}: the entry for ${event} does not answer as expected: ${ran}` });
    }
  } finally {
    await spawner.dispose();
  }
  for (const [problem, remedy] of refused) findings.push({ about, state: 'problem', message: `${file}: ${problem}`, remedy });
  return findings.length > 0 ? findings : [{ about, state: 'ok', message: `${file}: all entries answer.` }];
}

/** Returns the program of an entry, or why it is not started. `more` is what else the user has to do. */
function programOf(
  { program, words }: InstalledEntry,
  { name }: RelayedDialect,
  places: DialectContext,
): { readonly program: string } | { readonly problem: string; readonly more?: string } {
  const client = clientFile(places);
  const [asked = ''] = words;
  if (program !== client && program !== relayProgram) {
    const written = JSON.stringify(program === '' ? words.join(' ') : program);
    return { problem: `an entry starts ${written}, which was not started here. The program of the relay is ${client}.` };
  }
  if (asked !== name) return { problem: `an entry is for the agent ${JSON.stringify(asked)}. It must be for ${name}.` };
  if (program === client) return { program };
  const found = findOnPath(relayProgram, places.environment);
  if (found !== undefined) return { program: found };
  return {
    problem: `the entries start ${relayProgram}, which is in no absolute directory of PATH.`,
    more: ` Then add ${dirname(client)} to PATH.`,
  };
}

async function runProgram(
  spawner: Spawner,
  file: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: DialectContext['environment'] },
): Promise<string> {
  const ran = await spawner.run({ command: { kind: 'program', file, args }, cwd, env, stdin: unreadable, timeoutMs: longestMs });
  return ran.kind === 'exited' ? JSON.stringify([ran.exitCode, ran.stdout, ran.stderr]) : `it was ${ran.kind}`;
}
