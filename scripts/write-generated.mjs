/** Writes all generated files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './generated-files.mjs';

for (const { file, text } of await generatedFiles()) {
  const path = join(import.meta.dirname, '..', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`${file}\n`);
}
