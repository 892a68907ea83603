import { existsSync } from 'node:fs';
import type { DialectContext, HookDefinition, ParsedDocument } from '@tenterhook/protocol';
import { startsRelay } from '@tenterhook/protocol/internal';
import { filesAt } from '../../../../settings/discover/locations.js';
import { documentOfText } from '../../../../settings/read/read-document.js';
import { readRegular } from '../install/settings-file.js';
import type { RelayedDialect } from '../relayed-agent.js';
import type { Finding } from './finding.js';

/** The name of the entries in formats whose hooks have names. */
const entryName = 'tenterhook';

/** What later hooks can do, if the format does not describe it. */
const usually = 'They may rewrite what your guards have judged.';

/** A settings file of an agent. */
interface OwnSettings extends ParsedDocument {
  readonly file: string;
}

/** What was read, and what cannot be read. */
interface OwnFiles {
  readonly settings: readonly OwnSettings[];
  readonly problems: readonly Finding[];
}

/** Checks all settings files of an agent: what keeps the entries from running, and hooks whose answers may undo what the guards said. */
export function checkOwnSettings(agent: RelayedDialect, places: DialectContext): readonly Finding[] {
  const { settings, problems } = readOwnSettings(agent, places);
  return [...problems, ...settings.flatMap((one) => checkSwitches(agent, one)), ...checkLaterHooks(agent, settings)];
}

/** Returns the settings files that an agent reads, in the order in which their hooks run. Files that are not valid are left out. */
function readOwnSettings(agent: RelayedDialect, places: DialectContext): OwnFiles {
  const settings: OwnSettings[] = [];
  const problems: Finding[] = [];
  for (const location of agent.locations(places)) {
    for (const file of filesAt(location).files.filter((path) => existsSync(path))) {
      try {
        const read = documentOfText(
          readRegular(file)
            .toString('utf8')
            .replace(/^\uFEFF/, ''),
          file,
          location.source,
        );
        if (read.state === 'read') settings.push({ ...agent.parse(read.document, places), file });
      } catch (error) {
        // A repository may contain a directory with the name of a settings file.
        const { code = 'unknown' } = error as NodeJS.ErrnoException;
        problems.push({
          about: agent.name,
          state: 'problem',
          message: `${file} cannot be read (${code}).`,
          remedy: 'Remove or repair it.',
        });
      }
    }
  }
  return { settings, problems };
}

function checkSwitches({ name: about, relay: { agent } }: RelayedDialect, { file, hooks, switches = {} }: OwnSettings): readonly Finding[] {
  const { enabled, disabled, managedOnly } = switches;
  const problems = [
    ...(enabled?.value === false ? [`switches all hooks off (${enabled.path.join('.')})`] : []),
    ...(managedOnly?.value === true ? [`allows only hooks of the administrator (${managedOnly.path.join('.')})`] : []),
    ...(disabled?.value.includes(entryName) ? [`switches the entries of the relay off (${disabled.path.join('.')})`] : []),
  ].map((what): Finding => ({ about, state: 'problem', message: `${file} ${what}.`, remedy: `Change it, or ${agent} asks no guard.` }));
  const invalid = hooks.flatMap(({ action, skip }) => (startsRelay(action) && skip !== undefined ? [skip.reason] : []));
  return [...problems, ...invalid.map((message): Finding => ({ about, state: 'problem', message }))];
}

/** Names the agent's own hooks that run after the entry of an event, or at the same time. */
function checkLaterHooks(agent: RelayedDialect, settings: readonly OwnSettings[]): readonly Finding[] {
  const { name: about, relay } = agent;
  const hooks = settings.flatMap((one) => one.hooks).filter(({ action, skip }) => startsRelay(action) || skip === undefined);
  const events = new Set(hooks.flatMap(({ action, dialectEvent }) => (startsRelay(action) ? [dialectEvent] : [])));
  return [...events].flatMap((event): Finding[] => {
    const stages = agent.layOut(hooks.filter(({ dialectEvent }) => dialectEvent === event));
    const at = stages.findLastIndex((stage) => stage.hooks.some(({ action }) => startsRelay(action)));
    const later = stages.slice(at).flatMap((stage) => stage.hooks.filter(({ action }) => !startsRelay(action)));
    if (later.length === 0) return [];
    const names = later.map(describe).join(', ');
    const message = `Hooks of ${relay.agent} do not end before the entry for ${event}: ${names}. ${relay.laterHooks ?? usually}`;
    const remedy = 'Let the relay run these hooks: put them into a list of guards, and take them out of the settings.';
    return [{ about, state: 'note', message, remedy }];
  });
}

function describe({ name, action, file, line }: HookDefinition): string {
  const what = name ?? (action.kind === 'command' ? [action.command, ...(action.args ?? [])].join(' ') : action.kind);
  return `${JSON.stringify(what)} (${file ?? 'unknown file'}${line === undefined ? '' : `:${line}`})`;
}
