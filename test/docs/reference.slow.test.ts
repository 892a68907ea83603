import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/sources.js';

const program = `
  import { referencePages } from './scripts/reference/reference-pages.mjs';
  process.stdout.write(JSON.stringify(await referencePages()));
`;

/** Runs in a separate process: TypeDoc has its own compiler, which the modules of jest would slow down. */
const pages = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' })) as {
  file: string;
  text: string;
}[];

test.each(pages)('$file is what the doc comments generate (npm run reference writes it)', ({ file, text }) => {
  expect(readFileSync(join(root, file), 'utf8')).toBe(text);
});

test('docs/reference has no other page', () => {
  const generated = pages.map(({ file }) => file).sort();
  expect(
    readdirSync(join(root, 'docs/reference'), { recursive: true })
      .map((name) => `docs/reference/${String(name)}`)
      .sort(),
  ).toEqual(generated);
});

test.each([
  ['tenterhook', 'tenterhook'],
  ['tenterhook/agent', 'agent'],
  ['tenterhook/handlers', 'handlers'],
  ['tenterhook/recording', 'recording'],
])('every name that %s exports has a heading', async (entry, name) => {
  const exported = Object.keys((await import(entry)) as object);
  const texts = pages.filter(({ file }) => name === 'tenterhook' || file.endsWith(`/${name}.md`)).map(({ text }) => text);
  const headings = texts.flatMap((text) => [...text.matchAll(/^### (\w+)/gm)].map((match) => match[1] as string));
  expect(exported.length).toBeGreaterThan(5);
  expect(exported.filter((each) => !headings.includes(each))).toEqual([]);
});
