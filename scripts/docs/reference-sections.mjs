import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from '@swc/core';
import { table } from './sections.mjs';

const root = join(import.meta.dirname, '../..');
/** The formats with a table of rules. */
export const referenceFormats = readdirSync(join(root, 'test/formats'))
  .filter((format) => existsSync(join(root, 'test/formats', format, 'reference.json')))
  .sort();

const forms = /^(?:the same$|differs: \S|depends on the agent: \S)/;

/**
 * Makes the tables of a format's public reference (docs/formats-reference) from `test/formats/<format>/reference.json`. A row has
 * what the reference says, what holds here, and the tests that show it. A test is written as "file > title", where the file is in
 * the folder of the format's tests. A row without an existing test is an error, so that no row can claim what is not tested.
 */
export function referenceSections(format) {
  const file = `test/formats/${format}/reference.json`;
  const { sections } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  const tables = sections.map(({ title, rows }) => {
    const cells = rows.map(([rule, here, ...tests]) => {
      if (!forms.test(here))
        throw new Error(`${file}: "${rule}" is "${here}". Write "the same", "differs: …" or "depends on the agent: …".`);
      if (tests.length === 0) throw new Error(`${file}: "${rule}" names no test.`);
      return [rule, here, [...new Set(tests.map((test) => linkTo(test, format, file)))].join(', ')];
    });
    return `## ${title}\n\n${table(['rule', 'in Tenterhook', 'tests'], cells)}`;
  });
  return { rules: tables.join('\n\n') };
}

function linkTo(test, format, file) {
  const [, name, title] = test.match(/^(\S+) > (.+)$/) ?? [];
  const path = name?.startsWith('/') ? `${name.slice(1)}.test.ts` : `test/formats/${format}/${name}.test.ts`;
  if (title === undefined || !titlesIn(path).has(title)) throw new Error(`${file}: there is no test "${test}".`);
  return `[${name.split('/').at(-1)}](${relative('docs/formats-reference', dirname(path))}/${name.split('/').at(-1)}.test.ts)`;
}

const titles = new Map();

/** Returns the titles of the tests in a file as they are written, with placeholders such as `%s`. */
function titlesIn(path) {
  if (!titles.has(path)) {
    const found = new Set();
    const text = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
    visit(parseSync(text, { syntax: 'typescript', target: 'es2022' }), ({ callee, arguments: given }) => {
      const title = given[0]?.expression;
      if (nameOf(callee) === 'test' && title?.type === 'StringLiteral') found.add(title.value);
    });
    titles.set(path, found);
  }
  return titles.get(path);
}

/** Returns the name of the function in `test(…)`, `test.skip(…)` or `test.each(rows)(…)`. */
function nameOf(callee) {
  if (callee.type === 'Identifier') return callee.value;
  if (callee.type === 'MemberExpression') return nameOf(callee.object);
  return callee.type === 'CallExpression' ? nameOf(callee.callee) : undefined;
}

function visit(node, see) {
  if (node === null || typeof node !== 'object') return;
  if (node.type === 'CallExpression') see(node);
  for (const child of Object.values(node)) visit(child, see);
}
