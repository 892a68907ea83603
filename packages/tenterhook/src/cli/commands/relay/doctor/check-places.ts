import type { DialectContext } from '@tenterhook/protocol';
import { staleAcceptances } from '../install/accept-entries.js';
import { entryFiles, hasOtherHooks, installedFiles, type Scope, scopes, settingsFile } from '../install/settings-file.js';
import type { RelayedDialect } from '../relayed-agent.js';
import { installAgain } from './check-entries.js';
import type { Finding } from './finding.js';

/** Checks whether the entries of each scope are in the file that has the other hooks, and whether acceptances of missing entries are left. */
export function checkPlaces(agent: RelayedDialect, places: DialectContext): readonly Finding[] {
  const about = agent.name;
  const stale = staleAcceptances(agent, places).map(({ scope, entries, file }): Finding => {
    const message = `${file} accepts entries of ${entries}, which has none.`;
    return { about, state: 'note', message, remedy: `${installAgain(agent, scope)} Or take them out with tenterhook relay uninstall.` };
  });
  return [...scopes.flatMap((scope) => checkPlace(agent, scope, places)), ...stale];
}

/** An agent with two files of one scope warns about hooks in both. */
function checkPlace(agent: RelayedDialect, scope: Scope, places: DialectContext): readonly Finding[] {
  const [installed, ...more] = installedFiles(agent, scope, places);
  if (installed === undefined || more.length > 0 || entryFiles(agent, scope, places).length < 2) return [];
  try {
    const { file } = settingsFile(agent, scope, places);
    const others = entryFiles(agent, scope, places).filter((other) => other !== installed && hasOtherHooks(agent, other, scope, places));
    if (file === installed && others.length === 0) return [];
    const message = `${installed} has the entries, and ${others.join(', ') || file} has hooks too. ${agent.relay.agent} warns about hooks in both files.`;
    if (file !== installed)
      return [{ about: agent.name, state: 'problem', message, remedy: `${installAgain(agent, scope)} It moves the entries to ${file}.` }];
    return [{ about: agent.name, state: 'note', message, remedy: `Move your hooks to ${installed}.` }];
  } catch {
    // The checks of the agent's own settings report a file that cannot be read.
    return [];
  }
}
