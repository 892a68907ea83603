/**
 * The pages of the API reference, written by TypeDoc from the declarations that users of the packages get, so build before. TypeDoc needs the
 * interface that TypeScript had for programs until version 6: this folder is a package of its own, with its own TypeScript.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Application, Converter, ReflectionKind } from 'typedoc';
import { schemaSections } from './schema-sections.mjs';
import { tidyPages } from './tidy-pages.mjs';

const root = join(import.meta.dirname, '../..');
const folder = 'docs/reference';
const declarations = join(root, 'packages/tenterhook/dist');

/** One page for each entry, and for each package whose names the main entry exports: a page for each of 300 names could not be read. */
const pages = [
  {
    name: 'tenterhook',
    names: ['.'],
    about: 'What `tenterhook` itself declares: `createHooks()`, the object that it returns, settings, and the terminal.',
  },
  {
    name: 'agent',
    entry: 'agent.d.ts',
    about:
      "Every name of `tenterhook/agent`: the agent's side. `tenterhook` exports the functions too, and the types that most programs need.",
  },
  {
    name: 'handlers',
    entry: 'handlers.d.ts',
    about: 'Every name of `tenterhook/handlers`: hooks that are functions. `tenterhook` exports most of them too.',
  },
  {
    name: 'protocol',
    names: ['@tenterhook/protocol'],
    about:
      'Events and their fields, results, messages, and the contracts of dialects, sources and executors. Import these names from `tenterhook`.',
  },
  {
    name: 'bus',
    names: ['@tenterhook/bus', '@tenterhook/transport-socket'],
    about: 'The bus, and the bus between processes. Import these names from `tenterhook`.',
  },
  {
    name: 'engine',
    names: ['@tenterhook/engine'],
    about: 'The hook system without settings files, which `createHooks()` creates. Import these names from `tenterhook`.',
  },
  {
    name: 'dialects',
    names: ['@tenterhook/dialects'],
    about: 'The formats of settings, and their options. Import these names from `tenterhook`.',
  },
];

const intro = `Look up a public name: its signature, meaning, unit, default and errors. [The library](../library.md) and [Embedding](../agent.md) explain how the parts work together, with programs that run.

These pages are generated from the doc comments: \`npm run reference\` writes them. "Decision n", "field failure n" and "seed n" are entries of the [design notes](../design-notes.md).`;

/** Every page: its path and its text. */
export async function referencePages() {
  const temporary = await mkdtemp(join(tmpdir(), 'tenterhook-reference-'));
  try {
    const entries = join(temporary, 'entries');
    await mkdir(entries);
    for (const page of pages) await writeFile(join(entries, `${page.name}.ts`), await entryOf(page));
    const written = join(temporary, 'pages');
    await writePages(entries, written);
    const texts = await Promise.all(
      pages.map(async (page) => ({ ...page, text: await readFile(join(written, `${page.name}.md`), 'utf8') })),
    );
    const tidied = tidyPages(texts, await schemaSections());
    const index = { file: `${folder}/README.md`, text: indexOf(tidied) };
    return [index, ...tidied.map(({ name, text }) => ({ file: `${folder}/${name}.md`, text }))];
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * An entry for TypeDoc, which exports the names of a page from the files that declare them. TypeDoc would take the comment of an entry of ours for
 * that of each name without one.
 */
async function entryOf({ entry = 'index.d.ts', names }) {
  const text = await readFile(join(declarations, entry), 'utf8');
  return [...text.matchAll(/^export (type )?\{([^}]*)\} from '([^']+)'/gm)]
    .filter(([, , , from]) => names === undefined || names.includes(from.startsWith('.') ? '.' : from))
    .map(
      ([, type = '', list, from]) =>
        `export ${type}{${list}} from '${from.startsWith('.') ? join(declarations, from) : packageEntry(from)}';\n`,
    )
    .join('');
}

/** By its path: from the folder of the entries, packages cannot be found by name. */
function packageEntry(name) {
  return join(root, 'packages', name.replace('@tenterhook/', ''), 'dist/index.js');
}

async function writePages(entries, out) {
  const tsconfig = join(entries, 'tsconfig.json');
  const compilerOptions = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')], noEmit: true };
  await writeFile(join(entries, 'package.json'), '{ "type": "module" }');
  await writeFile(tsconfig, JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include: [entries] }));
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    name: 'Tenterhook',
    entryPoints: pages.map(({ name }) => join(entries, `${name}.ts`)),
    tsconfig,
    out,
    router: 'module',
    readme: 'none',
    // With places in the sources, every commit would change the pages.
    disableSources: true,
    disableGit: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    expandObjects: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    enumMembersFormat: 'table',
    typeDeclarationFormat: 'table',
    tableColumnSettings: { hideInherited: true, hideOverrides: true, hideModifiers: true },
    // A name without a comment, or a link in a comment that leads nowhere, stops the generation.
    validation: { notDocumented: true, invalidLink: true, notExported: false, rewrittenLink: false, unusedMergeModuleWith: false },
    requiredToBeDocumented: ['Class', 'Function', 'Interface', 'TypeAlias', 'Variable', 'Method'],
    packagesRequiringDocumentation: (await readdir(join(root, 'packages'))).map((name) =>
      name === 'tenterhook' ? name : `@tenterhook/${name}`,
    ),
    // Derived from another name, so that there is no place for a comment.
    intentionallyNotDocumented: ['handlers.HookResponse.__type.continue_with'],
    logLevel: 'Warn',
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => removeInherited(project));
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc could not read the declarations. Run npm run build.');
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('The API reference is not complete: see the warnings above.');
}

/** What a class inherits is on the page of its base, or is that of Error. */
function removeInherited(project) {
  for (const reflection of project.getReflectionsByKind(ReflectionKind.ClassMember)) {
    if (reflection.inheritedFrom !== undefined && reflection.parent?.kindOf(ReflectionKind.Class)) project.removeReflection(reflection);
  }
}

function indexOf(tidied) {
  const lists = tidied.map(({ name, about, headings }) => {
    const links = [...headings]
      .sort(([a], [b]) => a.localeCompare(b, 'en'))
      .map(([heading, anchor]) => `[\`${heading}\`](${name}.md#${anchor})`);
    return `## ${name}\n\n[${name}.md](${name}.md): ${about}\n\n${links.join(', ')}\n`;
  });
  return `# API reference\n\n${intro}\n\n${lists.join('\n')}`;
}
