import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the committed list stands: one entry a statement, in the order of the documents. */
export const listFile = join(import.meta.dirname, '../../test/seed-statements/statements.json');

export function readList() {
  return JSON.parse(readFileSync(listFile, 'utf8'));
}

export function listOf(statements) {
  return { checksum: checksumOf(statements), statements };
}

/** Of the entries alone, so that nobody changes one by hand without noticing. */
export function checksumOf(statements) {
  return createHash('sha256').update(JSON.stringify(statements)).digest('hex');
}

/** What the documents say and the list does not, and the other way round; empty when they agree. */
export function differences(listed, extracted) {
  const found = new Map(extracted.map((statement) => [statement.id, statement]));
  const known = new Map(listed.map((statement) => [statement.id, statement]));
  return [
    ...listed.filter(({ id }) => !found.has(id)).map(({ id }) => `${id} is on the list, and no row of the documents says it`),
    ...extracted.filter(({ id }) => !known.has(id)).map(({ id }) => `${id} is a row of the documents and not on the list`),
    ...listed
      .filter(({ id, hash }) => found.has(id) && found.get(id).hash !== hash)
      .map(({ id }) => `${id} has another text in the documents than the one the list was made of`),
  ];
}
