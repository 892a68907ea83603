import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelOf } from './labels.mjs';
import { declarationRows, sketchRows } from './read-declarations.mjs';
import { readHooksPage } from './read-hooks-page.mjs';
import { markdownParts } from './read-markdown.mjs';
import { listGroups } from './row-names.mjs';
import { named, nameOf, sectionNumber, tableStatements } from './table-statements.mjs';

/**
 * The statements of the source documents: every row of their tables, every member of their interfaces, enums, classes and format
 * sketches, every rule of their lists about merging and conflicts; of ECA's page every sentence and example too. The documents are no
 * part of this repository; whoever has them can check that the committed list is still what they say.
 */
const readers = { '000': readApi, '001': readSpecification, '002': readApi, '003': readArchitecture, '004': readHooksPage };

/** Every statement of the documents in a directory, in which each begins with its number (`000_….txt`). */
export function extractFrom(directory) {
  const files = readdirSync(directory);
  return Object.keys(readers).flatMap((seed) => {
    const file = files.find((name) => name.startsWith(seed));
    if (file === undefined) throw new Error(`no document in ${directory} begins with ${seed}`);
    return extractStatements(seed, readFileSync(join(directory, file), 'utf8'));
  });
}

/** The statements of one document: `{ id, seed, section, label, hash }`, in the order of the text. */
export function extractStatements(seed, text) {
  return readers[seed](text.replaceAll('\r\n', '\n'), seed).map(({ id, section, text: row }) => {
    // A label is ours to write; a row that has none yet is still a statement.
    return { id, seed, section, label: labelOf(id) ?? 'not named yet', hash: hashOf(row) };
  });
}

/** White space is not part of a statement: it is collapsed and trimmed before the text is hashed. */
export function hashOf(text) {
  return createHash('sha256').update(text.replace(/\s+/g, ' ').trim()).digest('hex');
}

function readApi(text, seed) {
  const tables = markdownParts(text).flatMap((part) => (part.kind === 'table' ? tableStatements(seed, part) : listStatements(seed, part)));
  return [...declarations(seed, text), ...tables];
}

function readSpecification(text) {
  return markdownParts(text).flatMap((part) => {
    const number = sectionNumber(part.section);
    if (part.kind === 'table') return tableStatements('001', part);
    if (part.kind === 'list') return listStatements('001', part);
    if (part.kind === 'block' && /^5\.\d$/.test(number)) {
      return sketchRows(part.lines.join('\n')).map(({ path, text: row }) => ({
        id: `001/${number}/${path.join('/')}`,
        section: part.section,
        text: row,
      }));
    }
    return number === '8' && part.kind === 'text' ? remarks(part) : [];
  });
}

/** This one is plain text: a table is its header line and the lines below it, up to the first empty one. */
function readArchitecture(text) {
  const below = (header) => text.split(`\n${header}\n`)[1]?.replace(/^\n/, '').split('\n\n')[0]?.split('\n') ?? [];
  const rows = (group, section, lines) =>
    lines.map((line) => ({ id: `003/${group}/${nameOf(line.trim().split(' ')[0])}`, section, text: line }));
  const parent = /^Plus all .*$/m.exec(text)?.[0];
  const texts = below('If your hook outputs plain text instead of JSON:').map((line) => line.replace('•', '').trim());
  return [
    ...rows('components', 'Component Responsibilities', below('Component Responsibility')),
    ...rows('aggregation', 'Aggregation Phase', below('Event Type Aggregation Strategy')),
    ...declarations('003', text),
    ...rows('exit-codes', 'Exit Code Semantics', below('Exit Code Meaning Behavior')),
    ...named('003/plain-text', 'Plain Text Fallback', texts),
    ...rows('environment', 'Environment Variables', below('Variable Description')),
    ...(parent === undefined ? [] : [{ id: '003/environment/parent', section: 'Environment Variables', text: parent }]),
  ];
}

function declarations(seed, text) {
  return declarationRows(text).map(({ path, text: row }) => ({ id: `${seed}/${path.join('/')}`, section: path[0], text: row }));
}

function listStatements(seed, part) {
  if (part.kind !== 'list') return [];
  const heading = Object.keys(listGroups[seed]).find((words) => (part.lead || part.section).startsWith(words));
  return heading === undefined ? [] : named(listGroups[seed][heading], part.section, part.lines);
}

/** Two remarks below the table of §8 are as much a part of it as its cells. */
function remarks(part) {
  const text = part.lines[0];
  const name = text.startsWith('*\\*') ? 'AfterTool/footnote' : text.startsWith('Note:') ? 'BeforeToolSelection/note' : undefined;
  return name === undefined ? [] : [{ id: `001/8/${name}`, section: part.section, text }];
}
