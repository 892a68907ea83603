import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { table } from './sections.mjs';

const folder = join(import.meta.dirname, '../../test/attacks');

/** The test files in the order of the page, each with the heading of its table. */
const headings = {
  'rewrites.test.ts': 'Inputs that change after a guard has looked',
  'redactions/second-runs.test.ts': 'Data from which hooks take something out',
  'redactions/kept-rewrites.test.ts': 'What a hook removed, and a lower level writes over',
  'redactions/two-redactions.test.ts': 'Removals at two levels',
  'redactions/shown-last.test.ts': 'Data that a lower level writes after a hook has looked',
  'redactions/failing-redactions.test.ts': 'Redactions that fail on what a lower level wrote',
  'guards/conditions.test.ts': 'Calls that are written to avoid a guard',
  'guards/skipped-redactions.test.ts': 'Redactions that are skipped',
  'guards/fail-closed.test.ts': 'Guards with "onError": "block" that cannot do their work',
  'guards/killed.test.ts': 'Guards that are killed or cannot be started',
  'echoed-text.test.ts': 'Text that hooks repeat',
  'levels/switches.test.ts': 'Switches and lists in the settings of a repository',
  'levels/copies.test.ts': "Copies of a user's hooks in a repository",
  'levels/questions.test.ts': 'Questions that a repository answers',
  'levels/requests.test.ts': 'Requests of a repository',
  'levels/hook-start.test.ts': 'Files and variables of a repository that hooks start with',
  'levels/model-data.test.ts': 'What a repository sends to the model',
  'settings.test.ts': 'Settings that cost too much',
  'limits.test.ts': 'Limits and cancels',
  'values.test.ts': 'Inputs and results that are not JSON',
  'changing-data.test.ts': 'Requests and answers that are not what hooks saw',
  'bus.test.ts': 'Messages on the bus',
  'forged-answers.test.ts': 'Forged answers over sockets',
  'messages.test.ts': 'Messages that mislead or leak',
  'sockets.test.ts': 'Other users of the machine',
  'processes.test.ts': 'Processes, pipes and files',
};

/** Makes the tables of attacks (docs/security.md) from the tests that try these attacks. */
export function attackSections() {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.test.ts') && !file.endsWith('.slow.test.ts'));
  const unknown = files.filter((file) => headings[file] === undefined);
  if (unknown.length > 0) throw new Error(`test/attacks/${unknown[0]} has no heading in scripts/docs/attack-sections.mjs.`);
  const tables = Object.entries(headings).map(([file, heading]) => {
    const rows = attacksIn(file).map(({ id, attacker, attempt, result }) => [`\`${id}\``, attacker, attempt, result]);
    return `### ${heading}\n\n${table(['attack', 'who', 'what is tried', 'what happens'], rows)}`;
  });
  return { attacks: tables.join('\n\n') };
}

function attacksIn(file) {
  const attacks = [];
  visit(parseSync(readFileSync(join(folder, file), 'utf8'), { syntax: 'typescript', target: 'es2022' }), (node) => {
    if (node.type !== 'CallExpression' || node.callee.value !== 'attack') return;
    const fields = node.arguments[0].expression.properties.map(({ key, value }) => [key.value, value.value]);
    const missing = fields.filter(([, text]) => typeof text !== 'string');
    if (missing.length > 0) throw new Error(`test/attacks/${file}: "${missing[0][0]}" of an attack is not a plain string.`);
    attacks.push(Object.fromEntries(fields));
  });
  return attacks;
}

function visit(node, see) {
  if (node === null || typeof node !== 'object') return;
  if (typeof node.type === 'string') see(node);
  for (const child of Object.values(node)) visit(child, see);
}
