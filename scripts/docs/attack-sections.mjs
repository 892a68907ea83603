import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from '@swc/core';
import { table } from './sections.mjs';

const folder = join(import.meta.dirname, '../../test');

/** The test files in the order of the page, each with the heading of its table. Files with the same heading follow one another. */
const headings = {
  'attacks/rewrites.test.ts': 'Inputs that change after a guard has answered',
  'attacks/redactions/second-runs.test.ts': 'Data from which hooks remove something',
  'attacks/redactions/tool-fields.test.ts': 'Fields of a tool that repeat its result',
  'attacks/redactions/kept-rewrites.test.ts': 'Removed data that a lower level writes back',
  'attacks/redactions/two-redactions.test.ts': 'Removals at two levels',
  'attacks/redactions/shown-last.test.ts': 'Data that a lower level writes after a hook has run',
  'attacks/redactions/failing-redactions.test.ts': 'Redactions that fail on what a lower level wrote',
  'attacks/guards/conditions.test.ts': 'Calls that are written to avoid a guard',
  'attacks/guards/skipped-redactions.test.ts': 'Redactions that are skipped',
  'attacks/guards/fail-closed.test.ts': 'Guards with "onError": "block" that cannot do their work',
  'attacks/guards/killed.test.ts': 'Guards that are killed or cannot be started',
  'attacks/guards/resident.test.ts': 'Guards whose process stays alive',
  'attacks/echoed-text.test.ts': 'Text that hooks repeat',
  'attacks/levels/switches.test.ts': 'Switches and lists in the settings of a repository',
  'attacks/levels/copies.test.ts': "Copies of a user's hooks in a repository",
  'attacks/levels/questions.test.ts': 'Questions that a repository answers',
  'attacks/levels/requests.test.ts': 'Requests of a repository',
  'attacks/levels/hook-start.test.ts': 'Files and variables of a repository that affect the start of hooks',
  'attacks/levels/model-data.test.ts': 'Tool selections and answers of a repository',
  'trust/own-hooks.test.ts': 'Files of a repository that hooks of the user run',
  'trust/home-in-project.test.ts': 'Settings in a home directory inside of the project',
  'trust/command/question.test.ts': 'The question whether a hook may run',
  'trust/command/hidden-text.test.ts': 'The question whether a hook may run',
  'trust/command/refusals.test.ts': 'The question whether a hook may run',
  'trust/command/pty.test.ts': 'The question whether a hook may run',
  'attacks/settings.test.ts': 'Settings that take too much time or memory',
  'attacks/limits.test.ts': 'Limits and cancels',
  'attacks/values.test.ts': 'Inputs and results that are not JSON',
  'attacks/changing-data.test.ts': 'Requests and answers that are not what hooks saw',
  'attacks/bus.test.ts': 'Messages on the bus',
  'attacks/forged-answers.test.ts': 'Forged answers over sockets',
  'attacks/messages.test.ts': 'Messages that mislead or leak',
  'attacks/sockets.test.ts': 'Other users of the machine',
  'attacks/processes.test.ts': 'Processes, pipes and files',
};

/** Makes the tables of attacks (docs/security.md) from the tests that try these attacks. */
export function attackSections() {
  const files = ['attacks', 'trust'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true })
      .filter((file) => file.endsWith('.test.ts') && !file.endsWith('.slow.test.ts'))
      .map((file) => `${name}/${file.replaceAll(sep, '/')}`),
  );
  // Only some tests of trust are attacks.
  const unknown = files.filter((file) => headings[file] === undefined && (file.startsWith('attacks/') || attacksIn(file).length > 0));
  if (unknown.length > 0) throw new Error(`test/${unknown[0]} has no heading in scripts/docs/attack-sections.mjs.`);
  const tables = [...new Set(Object.values(headings))].map((heading) => {
    const ofHeading = Object.keys(headings).filter((file) => headings[file] === heading);
    const rows = ofHeading.flatMap(attacksIn).map(({ id, attacker, attempt, result }) => [`\`${id}\``, attacker, attempt, result]);
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
    if (missing.length > 0) throw new Error(`test/${file}: "${missing[0][0]}" of an attack is not a plain string.`);
    attacks.push(Object.fromEntries(fields));
  });
  return attacks;
}

function visit(node, see) {
  if (node === null || typeof node !== 'object') return;
  if (typeof node.type === 'string') see(node);
  for (const child of Object.values(node)) visit(child, see);
}
