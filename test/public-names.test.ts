import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './support/sources.js';

// A changed public name changes the snapshot, which is visible in review; `npm test -- public-names -u` writes it.
test.each(readdirSync(join(root, 'packages')).filter(hasMainEntry).sort())('the public names of %s', async (folder) => {
  const name = folder === 'tenterhook' ? 'tenterhook' : `@tenterhook/${folder}`;
  const exported = (await import(name)) as Record<string, unknown>;
  expect(Object.keys(exported).sort()).toMatchSnapshot();
});

test('the public names of the parts of dialects', async () => {
  expect(Object.keys(await import('@tenterhook/dialects/parts')).sort()).toMatchSnapshot();
});

// One install exports everything: if a subpath lacked a name, users would need a second package.
test.each(['agent', 'handlers', 'recording'])('tenterhook/%s has every public name of that package, types included', async (name) => {
  const [ofSubpath, ofPackage] = [(await import(`tenterhook/${name}`)) as object, (await import(`@tenterhook/${name}`)) as object];
  expect(ofSubpath).toEqual(ofPackage);
  expect(exportedNames(`packages/tenterhook/src/${name}.ts`)).toEqual(exportedNames(`packages/${name}/src/index.ts`));
});

function exportedNames(file: string): string[] {
  const lists = [...readFileSync(join(root, file), 'utf8').matchAll(/^export (type )?\{([^}]*)\}/gm)];
  const names = lists.flatMap(([, type = '', list = '']) =>
    list.split(',').flatMap((name) => (name.trim() === '' ? [] : type + name.trim())),
  );
  return names.sort();
}

/** A package for other packages of this repository has only subpaths. */
function hasMainEntry(folder: string): boolean {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as { exports: Record<string, unknown> };
  return manifest.exports['.'] !== undefined;
}
