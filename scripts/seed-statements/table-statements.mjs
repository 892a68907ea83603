import { tableCells } from './read-markdown.mjs';
import { rowNames } from './row-names.mjs';

/** The statements of a table: each of its rows is one. */
export function tableStatements(seed, part) {
  const { header, rows } = tableCells(part);
  const number = sectionNumber(part.section) || nameOf(part.section);
  // The one wide table: what an event may do is a statement a cell.
  if (header[0] === 'Event') return cellStatements(`${seed}/${number}`, part);
  if (header[0] === 'Scenario') {
    const texts = rows.map((cells) => cells.join(' | '));
    return named(`${seed}/${number}`, part.section, texts);
  }
  return rows.map((cells) => ({
    id: `${seed}/${tablePath(number, header[0])}${nameOf(cells[0])}`,
    section: part.section,
    text: cells.join(' | '),
  }));
}

/** The statements of a table whose rows say something else in each column. */
export function cellStatements(group, part) {
  const { header, rows } = tableCells(part);
  return rows.flatMap(([row, ...cells]) =>
    cells.map((cell, column) => ({
      id: `${group}/${row.replaceAll('`', '')}/${nameOf(header[column + 1])}`,
      section: part.section,
      text: [row, header[column + 1], cell].join(' | '),
    })),
  );
}

/** Rows that have no identifier of their own, under the names that are given to them here. */
export function named(group, section, rows) {
  const names = Object.keys(rowNames[group] ?? {});
  return rows.map((text, index) => ({ id: `${group}/${names[index] ?? index + 1}`, section, text }));
}

export function sectionNumber(section) {
  return /^(\d+(?:\.\d+)*)\.? /.exec(section)?.[1] ?? '';
}

/** A cell as part of an id: identifiers as they are, words with hyphens. */
export function nameOf(cell) {
  const identifier = /^`([\w.[\]]+)`$/.exec(cell)?.[1];
  if (identifier !== undefined) return identifier.replace('[]', '');
  const words = cell
    .replace(/[*?`]/g, '')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');
  return /^[A-Z_]+$|^\w*[a-z][A-Z]/.test(words) ? words : words.toLowerCase();
}

/** Where the rows of a table are found: by section, and by what its first column holds. */
function tablePath(number, column) {
  if (column === 'Exit Code') return `${number}/exit-`;
  if (column === 'Action') return `${number}/action/`;
  if (/^3\./.test(number)) return `${number}/input/`;
  const short = { 'environment-variables': 'environment', 'channel-names': 'channels' };
  return `${short[number] ?? number}/`;
}
