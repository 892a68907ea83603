/**
 * Makes the pages of the API reference with TypeDoc, from the declarations that users of the packages receive, so run the build before.
 * TypeDoc needs the programming interface of TypeScript up to version 6, so this folder is a package with its own TypeScript.
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

/**
 * One page for each entry, and one for each package whose names the main entry exports. A single page with 300 names would be too long to
 * read.
 */
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
    name: 'recording',
    entry: 'recording.d.ts',
    about: 'Every name of `tenterhook/recording`: recordings of the bus.',
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

/** Returns every page: its path and its text. */
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
 * Writes an entry for TypeDoc, which exports the names of a page from the files that declare them. With an entry of ours, TypeDoc would use
 * the comment of an export statement for each name that has none.
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

/** Finds a package by its path, because packages cannot be found by name from the folder of these entries. */
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
    // Line numbers of the sources are left out: with them, every commit would change the pages.
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
    // The generation stops at a name without a comment, and at a link in a comment that leads nowhere.
    validation: { notDocumented: true, invalidLink: true, notExported: false, rewrittenLink: false, unusedMergeModuleWith: false },
    requiredToBeDocumented: ['Class', 'Function', 'Interface', 'TypeAlias', 'Variable', 'Method'],
    packagesRequiringDocumentation: (await readdir(join(root, 'packages'))).map((name) =>
      name === 'tenterhook' ? name : `@tenterhook/${name}`,
    ),
    // This name is derived from another one, so there is no place for a comment.
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

/** Removes inherited members. They are on the page of the base class, or are those of Error. */
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
