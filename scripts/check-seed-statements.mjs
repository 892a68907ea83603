/**
 * Compares test/seed-statements/statements.json with the source documents, which are not part of this repository:
 * `node scripts/check-seed-statements.mjs <directory>`. With `--write` the list is written anew.
 */
import { writeFileSync } from 'node:fs';
import { extractFrom } from './seed-statements/extract.mjs';
import { differences, listFile, listOf, readList } from './seed-statements/statement-list.mjs';

const directory = process.argv.slice(2).find((argument) => !argument.startsWith('-'));
if (directory === undefined) {
  process.stderr.write('Usage: node scripts/check-seed-statements.mjs <directory of the source documents> [--write]\n');
  process.exit(64);
}
const extracted = extractFrom(directory);
if (process.argv.includes('--write')) writeFileSync(listFile, `${JSON.stringify(listOf(extracted), null, 2)}\n`);

const problems = differences(readList().statements, extracted);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(
  problems.length === 0
    ? `${extracted.length} statements: the list is what the documents say.\n`
    : `${problems.length} differences. Read them, mend the tests they concern, then write the list anew with --write.\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
