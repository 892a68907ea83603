/** Writes all generated files. With the argument `reference`, writes only the API reference. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './generated-files.mjs';
import { referencePages } from './reference/reference-pages.mjs';

const others = process.argv[2] === 'reference' ? [] : await generatedFiles();
for (const { file, text } of [...others, ...(await referencePages())]) {
  const path = join(import.meta.dirname, '..', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`${file}\n`);
}
