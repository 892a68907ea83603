import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** An id as a test cites it: in brackets, in its name or in the row of a table that is its name. */
const citation = /\[(\d{3}\/[\w./-]+)\]/g;

/** Tests of the list itself speak of ids that do not exist. */
const aboutTheList = /seed-statements\/(statements|extract)\.test\.ts$/;

/** Which test files of a repository cite which ids: `Map` of id to files, relative to the root. */
export function citedIds(root) {
  const cited = new Map();
  for (const file of testFiles(root)) {
    for (const [, id] of codeOf(file).matchAll(citation)) cited.set(id, new Set([...(cited.get(id) ?? []), relative(root, file)]));
  }
  return cited;
}

/** Tests in files that cite ids, and are switched off, or alone switched on: then a citation says nothing. */
export function unusedTests(root) {
  return testFiles(root)
    .map((file) => ({ file, code: codeOf(file) }))
    .filter(
      ({ code }) => code.search(citation) !== -1 && /\b(?:test|it|describe)\.(?:skip|only|todo)\b|\b[xf](?:test|it|describe)\(/.test(code),
    )
    .map(({ file }) => relative(root, file));
}

/** Without comments: what is taken out of use by one must not go on counting as a citation. */
function codeOf(file) {
  return readFileSync(file, 'utf8').replace(/^\s*(\/\/.*|\/\*[\s\S]*?\*\/)/gm, '');
}

function testFiles(root) {
  const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'test'));
  return [join(root, 'test'), ...packages]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.test.ts') && !aboutTheList.test(file.replaceAll('\\', '/')));
}
