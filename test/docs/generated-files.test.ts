import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/sources.js';

const { generatedFiles } = (await import('../../scripts/generated-files.mjs' as string)) as {
  generatedFiles: () => Promise<{ file: string; text: string }[]>;
};

test.each(await generatedFiles())('$file is what the sources generate (npm run schema writes it)', ({ file, text }) => {
  expect(readFileSync(join(root, file), 'utf8')).toBe(text);
});
