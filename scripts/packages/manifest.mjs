/** What the package.json of a package must have before the package is published, and the commands that add it. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Provenance is a signed record of the commit and the workflow from which a package was built. */
const publishConfig = { access: 'public', provenance: true };
const keywordsOfAll = ['coding-agent', 'hooks'];

/** Returns what is missing or wrong, each as a sentence. `root` is the folder of the workspace, `folder` that of the package. */
export function manifestProblems(root, folder) {
  const manifest = readManifest(folder);
  const { engines, license } = readManifest(root);
  const own = (file) => readIfThere(join(folder, file));
  const facts = [
    [manifest.private !== true, '"private" must be missing, because every folder in packages/ is published'],
    [/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(manifest.version), '"version" must be a version'],
    [(manifest.description ?? '').length > 20, '"description" must say in one line what the package is'],
    [
      new Set(manifest.keywords).size >= 3 && keywordsOfAll.every((word) => manifest.keywords.includes(word)),
      `"keywords" must be at least three different words, with ${keywordsOfAll.join(' and ')} among them`,
    ],
    [manifest.license === license, `"license" must be "${license}"`],
    [manifest.engines?.node === engines.node, `"engines.node" must be "${engines.node}", as in the workspace`],
    [same(manifest.publishConfig, publishConfig), `"publishConfig" must be ${JSON.stringify(publishConfig)}`],
    [Array.isArray(manifest.files) && manifest.files.length > 0, '"files" must list what is published'],
    // The workflow that publishes writes the address of the repository in which it runs, so that a copy does not name another one.
    [manifest.repository === undefined, '"repository" must be missing; scripts/release/name-repository.mjs writes it before a release'],
    [own('LICENSE') === readIfThere(join(root, 'LICENSE')), 'its LICENSE must be a copy of the one of the workspace'],
    [own('README.md')?.startsWith(`# ${manifest.name}\n`) === true, `its README.md must begin with "# ${manifest.name}"`],
  ];
  return facts.flatMap(([holds, sentence]) => (holds ? [] : [`${basename(folder)}/package.json: ${sentence}`]));
}

/** Adds to a package what is the same in every package. What only an author can write, such as the description, is left as it is. */
export function completeManifest(root, folder) {
  const { keywords = [], ...manifest } = readManifest(folder);
  const { engines, license } = readManifest(root);
  const words = [...new Set([...keywordsOfAll, ...(keywords.length > 0 ? keywords : [basename(folder)])])].sort();
  const completed = {};
  for (const [name, value] of Object.entries({ ...manifest, license, engines })) {
    if (name === 'publishConfig') continue;
    completed[name] = value;
    if (name === 'description') completed.keywords = words;
    if (name === 'files') completed.publishConfig = publishConfig;
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(completed, null, 2)}\n`);
  if (!existsSync(join(folder, 'LICENSE'))) copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
