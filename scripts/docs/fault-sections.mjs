import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './sections.mjs';

/** Makes the table of faults (docs/reliability.md) from the list that also contains the titles of the tests. */
export function faultSections() {
  const { groups, faults } = JSON.parse(readFileSync(join(import.meta.dirname, '../../test/faults/faults.json'), 'utf8'));
  const tables = Object.entries(groups).map(([group, title]) => {
    const rows = faults.filter((fault) => fault.group === group).map(({ id, fault, sees }) => [id, fault, sees]);
    return `### ${title}\n\n${table(['test', 'fault', 'what happens'], rows)}`;
  });
  return { faults: tables.join('\n\n') };
}
