import { realpathSync } from 'node:fs';
import type { DialectContext } from '@tenterhook/protocol';
import { formOf, type InstalledEntry } from '@tenterhook/relay';
import type { Guarded } from '../answer/guarded-events.js';
import { policyOfFlags, readEntryWords } from '../answer/run-flags.js';
import { acceptance, countAccepted } from '../install/accept-entries.js';
import { installedFiles, readIfRegular, readRecord, type Scope, scopes } from '../install/settings-file.js';
import type { RelayedDialect } from '../relayed-agent.js';
import type { Finding } from './finding.js';

/** A settings file of an agent that has entries of the relay. */
export interface InstalledFile {
  readonly scope: Scope;
  readonly file: string;
  readonly text: string;
  readonly entries: readonly InstalledEntry[];
}

/** Returns the settings files of an agent that have entries. */
export function findInstalled(agent: RelayedDialect, places: DialectContext): readonly InstalledFile[] {
  return scopes.flatMap((scope) =>
    installedFiles(agent, scope, places).map((file): InstalledFile => {
      const text = readIfRegular(file) ?? '';
      return { scope, file, text, entries: formOf(file).readEntries(text) };
    }),
  );
}

/** Entries of one scope must be in one file, or the agent asks twice about each event. */
export function checkScopes(agent: RelayedDialect, installed: readonly InstalledFile[]): readonly Finding[] {
  return scopes.flatMap((scope): Finding[] => {
    const files = installed.flatMap((one) => (one.scope === scope ? one.file : []));
    if (files.length < 2) return [];
    const remedy = `Run tenterhook relay uninstall --agent ${agent.name}${scope === 'user' ? '' : ` --scope ${scope}`}, and install again.`;
    return [{ about: agent.name, state: 'problem', message: `${files.join(' and ')} both have entries.`, remedy }];
  });
}

/** Returns the remedy for entries that are not as installed. */
export function installAgain({ name }: RelayedDialect, scope: Scope): string {
  return `Run tenterhook relay install --agent ${name}${scope === 'user' ? '' : ` --scope ${scope}`}.`;
}

/** Checks the entries of one file: each event once, as installed, with a deadline above those of its guards. */
export function checkEntries(
  agent: RelayedDialect,
  { scope, file, text, entries }: InstalledFile,
  guarded: Guarded,
  places: DialectContext,
): readonly Finding[] {
  const about = agent.name;
  const again = installAgain(agent, scope);
  const form = formOf(file);
  const problem = form.findProblem(text, agent.relay);
  const names = entries.map(({ words }) => words[1] ?? '');
  const doubled = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  const usual = Object.keys(agent.relay.events).filter((name) => agent.relay.events[name]?.install === 'always');
  const missing = usual.filter((name) => !names.includes(name));
  const isEdited = form.isEdited(text, readRecord(realpathSync(file), places));
  return [
    ...(problem === undefined ? [] : [{ about, state: 'problem', message: `${file}: ${problem}` } as const]),
    ...(doubled.length === 0
      ? []
      : [{ about, state: 'problem', message: `${file} has two entries for ${doubled.join(', ')}.`, remedy: again } as const]),
    ...(missing.length === 0
      ? []
      : [{ about, state: 'note', message: `${file} has no entry for ${missing.join(', ')}.`, remedy: again } as const]),
    ...(isEdited ? [{ about, state: 'note', message: `${file} was edited since the installation.` } as const] : []),
    ...checkFailurePolicy(agent, { scope, file, entries }, guarded),
    ...entries.flatMap((entry) => checkDeadline(agent, entry, file, guarded, again)),
    ...checkAcceptance(agent, { scope, file, text }, places),
    { about, state: 'ok', message: `${file} has ${entries.length} entries.` },
  ];
}

/** Tests whether an entry denies if the program cannot ask the guards. The words begin with the agent and the event. */
export function isClosed(words: readonly string[]): boolean {
  return policyOfFlags(readEntryWords(words.slice(2)) ?? {}).onFailure === 'closed';
}

/** The program knows only the options of its entry. If it cannot ask the guards, their list does not count. */
function checkFailurePolicy(
  agent: RelayedDialect,
  { scope, file, entries }: Omit<InstalledFile, 'text'>,
  { onFailure }: Guarded,
): readonly Finding[] {
  const open = entries.filter(({ words }) => !isClosed(words));
  if (onFailure === 'open' || scope === 'project' || open.length === 0) return [];
  const message = `${file}: ${open.length} entries have no --closed, although your list of guards has "onFailure": "closed". If the program cannot ask the guards, the operation proceeds.`;
  return [{ about: agent.name, state: 'problem', message, remedy: installAgain(agent, scope) }];
}

/** The deadline of an entry must be above those of its guards, or the agent would not wait for them. */
function checkDeadline(
  { name: about, relay }: RelayedDialect,
  { words: [, event = ''], timeout }: InstalledEntry,
  file: string,
  { byEvent }: Guarded,
  remedy: string,
): readonly Finding[] {
  const known = relay.events[event];
  if (known === undefined)
    return [{ about, state: 'problem', message: `${file}: ${relay.agent} has no event ${JSON.stringify(event)}.`, remedy }];
  const probe = { program: 'x', args: [] };
  const unit = unitOf(relay.entry(event, probe, { timeoutMs: probeMs, onFailure: 'open' }).value);
  if (timeout === undefined || unit === undefined) return [];
  const waitsMs = timeout * unit;
  const longest = Math.max(0, ...(byEvent.get(known.eventName) ?? []).map(({ timeoutMs }) => timeoutMs));
  const needed = Math.min(longest, known.maxTimeoutMs ?? longest);
  if (waitsMs < needed || waitsMs < leastMs)
    return [
      {
        about,
        state: 'problem',
        message: `${file}: ${relay.agent} waits ${waitsMs} ms on ${event}, and a guard may take ${needed} ms.`,
        remedy,
      },
    ];
  return [];
}

const probeMs = 2000;
/** Less is a number in the wrong unit. */
const leastMs = 1000;

/** Returns the number of milliseconds in the unit of an entry's timeout. */
function unitOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'timeout' && typeof inner === 'number') return probeMs / inner;
    const found = unitOf(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The agent must have accepted the entries. */
function checkAcceptance(
  agent: RelayedDialect,
  { scope, file, text }: Pick<InstalledFile, 'scope' | 'file' | 'text'>,
  places: DialectContext,
): readonly Finding[] {
  const about = agent.name;
  const accepted = acceptance(agent, { file, source: scope, text }, places);
  if (accepted === undefined) return [];
  // The place of an entry is a part of what was accepted, so the hash alone does not count.
  const counted = countAccepted(accepted.toml, (readIfRegular(accepted.file) ?? '').replace(/^\uFEFF/, ''));
  const open = counted.all - counted.accepted;
  if (open === 0) return [];
  const { agent: name } = agent.relay;
  return [
    {
      about,
      state: 'problem',
      message: `${name} does not run ${open} of ${counted.all} entries of ${file}, because you have not accepted them.`,
      remedy: `Accept them in ${name}, or run tenterhook relay install --agent ${about} --trust.`,
    },
  ];
}
