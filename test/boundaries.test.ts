import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importedFile, pageFiles, root, type SourceFile, sourceFiles } from './support/sources.js';

const files = sourceFiles();
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** Which package may import which: the table of packages in CONTRIBUTING.md. */
const mayImport: Record<string, readonly string[]> = {
  runtime: [],
  protocol: ['runtime'],
  bus: ['runtime', 'protocol'],
  patterns: ['runtime'],
  spawner: ['runtime'],
  engine: ['runtime', 'protocol', 'bus', 'spawner'],
  dialects: ['runtime', 'protocol', 'patterns'],
  migrate: ['runtime', 'protocol', 'patterns', 'dialects'],
  trust: ['runtime', 'protocol'],
  relay: ['runtime', 'protocol', 'migrate'],
  'relay-client': [],
  agent: ['runtime', 'protocol', 'bus'],
  handlers: ['runtime', 'protocol', 'bus', 'patterns', 'engine'],
  'ai-sdk': ['runtime', 'agent'],
  langchain: ['runtime', 'protocol', 'agent'],
  'openai-agents': ['runtime', 'protocol', 'agent'],
  'transport-socket': ['runtime', 'protocol', 'bus'],
  'transport-nats': ['runtime', 'protocol', 'bus'],
  otel: ['runtime', 'protocol'],
  recording: ['runtime', 'protocol', 'bus'],
  inspector: ['runtime', 'protocol', 'bus', 'recording', 'transport-socket'],
  testing: ['runtime', 'protocol', 'bus', 'recording'],
  tenterhook: [
    'runtime',
    'protocol',
    'bus',
    'patterns',
    'spawner',
    'engine',
    'dialects',
    'migrate',
    'agent',
    'handlers',
    'transport-socket',
    'recording',
    'inspector',
    'trust',
    'relay',
    'relay-client',
  ],
  mcp: ['runtime', 'spawner', 'agent', 'tenterhook'],
};

/** Doors: the only file that imports each dependency, so that it can be examined, limited and replaced there. */
const doors: Record<string, string> = {
  'cross-spawn': 'packages/spawner/src/run/spawn-process.ts',
  'p-limit': 'packages/spawner/src/limiter.ts',
  'signal-exit': 'packages/spawner/src/kill/at-exit.ts',
  eventemitter3: 'packages/bus/src/memory-transport.ts',
  nanoid: 'packages/bus/src/requests/request-table.ts',
  rxjs: 'packages/bus/src/streams.ts',
  debug: 'packages/runtime/src/log/log.ts',
  zod: 'packages/runtime/src/schema/schema.ts',
  re2js: 'packages/patterns/src/regex.ts',
  '@noble/hashes': 'packages/dialects/src/codex/settings/definition-hash.ts',
  'jsonc-parser': 'packages/runtime/src/jsonc/index.ts',
  'smol-toml': 'packages/runtime/src/toml/index.ts',
  commander: 'packages/tenterhook/src/cli/run.ts',
  diff: 'packages/tenterhook/src/output/reports/text-diff.ts',
  yaml: 'packages/tenterhook/src/hook-tests/yaml-document.ts',
  '@nats-io/transport-node': 'packages/transport-nats/src/client/nats-library.ts',
  '@nats-io/obj': 'packages/transport-nats/src/objects/object-library.ts',
  '@openai/agents': 'packages/openai-agents/src/agents-sdk.ts',
  'get-east-asian-width': 'packages/tenterhook/src/output/terminal/text-layout.ts',
  langchain: 'packages/langchain/src/langchain-library.ts',
  '@langchain/core': 'packages/langchain/src/langchain-library.ts',
  '@langchain/langgraph': 'packages/langchain/src/langchain-library.ts',
};

/** Packages that run without Node: they use nothing of Node. */
const withoutNode = ['protocol', 'patterns', 'dialects', 'agent', 'handlers', 'ai-sdk', 'langchain', 'openai-agents'];

/** Files of at most 25 lines that only one file imports, and that are kept nevertheless. Each has its reason. */
const fragments: Record<string, string> = {
  'packages/ai-sdk/src/model/generate-with-hooks.ts': 'around doGenerate, beside stream-with-hooks.ts',
  'packages/dialects/src/cursor/relay/unread-file.ts': 'reads a settings file; the rest of its folder reads and writes events',
  'packages/dialects/src/cursor/settings/relative-path.ts': 'reads the words of a command, not an entry',
  'packages/tenterhook/src/cli/commands/diff.ts': 'a command; each has its own file',
  'packages/tenterhook/src/cli/commands/report.ts': 'a command; each has its own file',
  'packages/tenterhook/src/cli/commands/relay/trust.ts': 'an action; each has its own file',
  'packages/tenterhook/src/settings/checks/relay-entries.ts': 'a check of settings; each has its own file',
  'packages/spawner/src/run/start-detached.ts': 'starts a program outside of the jobs, beside run-attached.ts',
  'packages/openai-agents/src/turn/hooked-runner.ts': 'makes a runner, and its neighbour runs it',
  'packages/recording/src/report/report-of.ts': 'a public function, beside the builder that the inspector uses too',
  'packages/recording/src/write/write-recording.ts': 'a public function, beside write-minimal.ts',
  'packages/runtime/src/text/require-options.ts': 'a check of six packages, exported by the folder',
};

/** Pure stages. Everything that they need is an argument, including the time. */
const pure = ['packages/engine/src/planner/', 'packages/engine/src/aggregator/'];

test('every package is in the table', () => {
  expect([...new Set(files.map((file) => file.package))].sort()).toEqual(Object.keys(mayImport).sort());
});

test.each(Object.keys(mayImport))('%s imports only what the table allows', (name) => {
  const foreign = files
    .filter((file) => file.package === name)
    .flatMap((file) => file.imports.map(ourPackage).filter((target) => target !== undefined && !mayImport[name]?.includes(target)));
  expect(foreign).toEqual([]);
});

test.each(Object.keys(mayImport))('%s declares what it imports, and nothing else', (name) => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
    peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  };
  const imported = [...files, ...pageFiles()]
    .filter((file) => file.package === name)
    .flatMap((file) => file.imports.filter((specifier) => !/^(\.|node:)/.test(specifier)));
  const packages = new Set(imported.map(packageOf));
  // Declarations name types of zod wherever a schema is made with `packages/runtime/src/schema`.
  if (imported.includes('@tenterhook/runtime/schema')) packages.add('zod');
  // A library that is bundled is needed only for the build.
  const { dependencies, devDependencies, peerDependencies, peerDependenciesMeta = {} } = manifest;
  // An optional peer is a library whose objects the package takes without importing it. It is declared for its range of versions.
  const declared = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
  expect(declared.filter((name) => packages.has(name) || peerDependenciesMeta[name]?.optional !== true).sort()).toEqual(
    [...packages].sort(),
  );
});

test('no circle of imports, between files or between packages', () => {
  const edges = new Map(
    files.map((file) => [
      file.file,
      file.imports.map((specifier) => importedFile(file, specifier)).filter((target) => target !== undefined),
    ]),
  );
  expect(findCircle(edges)).toBeUndefined();
  expect(findCircle(new Map(Object.entries(mayImport)))).toBeUndefined();
});

test('relative imports stay inside their package', () => {
  const leaving = files.flatMap((file) =>
    file.imports.filter((specifier) => importedFile(file, specifier)?.startsWith(`packages/${file.package}/src/`) === false),
  );
  expect(leaving.filter((specifier) => !specifier.endsWith('package.json'))).toEqual([]);
});

test.each(Object.entries(doors))('%s is imported by %s alone', (dependency, door) => {
  const importers = files.filter((file) => file.imports.some((specifier) => packageOf(specifier) === dependency));
  expect(importers.map(named)).toEqual([door]);
});

test('only packages/otel imports OpenTelemetry, and only its API', () => {
  const importers = files.flatMap((file) =>
    file.imports.filter((specifier) => specifier.startsWith('@opentelemetry/')).map((specifier) => `${file.package} ${specifier}`),
  );
  expect([...new Set(importers)]).toEqual(['otel @opentelemetry/api']);
});

test('only the spawner touches child processes', () => {
  const importers = files.filter((file) => file.imports.some((specifier) => ['node:child_process', 'cross-spawn'].includes(specifier)));
  expect([...new Set(importers.map((file) => file.package))]).toEqual(['spawner']);
});

test.each(withoutNode)('%s uses nothing of Node', (name) => {
  const own = files.filter((file) => file.package === name);
  expect(
    own
      .filter(
        (file) => file.imports.some((specifier) => specifier.startsWith('node:')) || /\bprocess\.[a-z]|\bBuffer\.[a-z]/.test(file.text),
      )
      .map(named),
  ).toEqual([]);
});

test.each(pure)('%s is pure: no file, no process, no clock, no logger', (folder) => {
  const own = files.filter((file) => file.file.startsWith(folder));
  expect(own.length).toBeGreaterThan(0);
  const impure = own.filter(
    (file) =>
      file.imports.some((specifier) => /^node:|(?<!protocol\/)internal$|spawner|^@tenterhook\/bus/.test(specifier)) ||
      /\b(Date\.|new Date|performance\.|process\.|Math\.random|console\.)/.test(file.text),
  );
  expect(impure.map(named)).toEqual([]);
});

test('inside the engine the flow has one direction: a stage knows only what comes before it', () => {
  const before: Record<string, readonly string[]> = { registry: [], planner: ['registry'], runner: ['planner'], aggregator: [] };
  const against = files.flatMap((file) => {
    const stage = /^packages\/engine\/src\/(registry|planner|runner|aggregator)\//.exec(file.file)?.[1];
    const targets = file.imports.map(
      (specifier) => /engine\/src\/(registry|planner|runner|aggregator)\//.exec(importedFile(file, specifier) ?? '')?.[1],
    );
    return targets
      .filter((target) => stage !== undefined && target !== undefined && target !== stage && !before[stage]?.includes(target))
      .map((target) => `${file.file} → ${target}`);
  });
  expect(against).toEqual([]);
});

test('examples use what people install, and the agent of another example, and nothing deeper', () => {
  const installed = [
    'tenterhook',
    'tenterhook/agent',
    'tenterhook/handlers',
    'tenterhook/recording',
    'tenterhook/resident',
    '@tenterhook/ai-sdk',
    '@tenterhook/handlers',
    '@tenterhook/langchain',
    '@tenterhook/openai-agents',
    '@tenterhook/otel',
    '@tenterhook/transport-nats',
    '@tenterhook/transport-socket',
    '@tenterhook/example-agent-loop',
  ];
  // What an example is about: a collector of spans, or a framework of agents.
  const isLibrary = (specifier: string) =>
    /^(?:@opentelemetry\/|ai-v7(?:\/test)?$|langchain$|@openai\/agents(?:\/testing)?$|@modelcontextprotocol\/sdk\/|zod$)/.test(specifier);
  const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?:[^/]+\/src\/.*|adapters\/(?:mcp\/)?[^/]*)\.ts$/.test(file),
  );
  const foreign = examples.flatMap((file) =>
    [...readFileSync(join(root, 'examples', file), 'utf8').matchAll(/from '([^'.][^']*)'/g)]
      .map((match) => match[1] as string)
      .filter((specifier) => !specifier.startsWith('node:') && !isLibrary(specifier) && !installed.includes(specifier)),
  );
  expect(examples.length).toBeGreaterThan(0);
  expect(foreign).toEqual([]);
});

/** A long file may contain two ideas. This is a warning, which the title of the test shows. */
const long = files.filter((file) => file.lines > 300).map((file) => `${file.file} ${file.lines}`);

test(`no file is longer than 450 lines (longer than 300: ${long.join(', ') || 'none'})`, () => {
  expect(files.filter((file) => file.lines > 450).map((file) => `${file.file}: ${file.lines}`)).toEqual([]);
});

test('a file of 25 lines or less with one importer is in the list of fragments, with its reason', () => {
  const importers = new Map<string, Set<string>>();
  for (const file of files) {
    for (const specifier of file.imports) {
      const target = importedFile(file, specifier);
      if (target !== undefined) importers.set(target, (importers.get(target) ?? new Set()).add(file.file));
    }
  }
  const entry = /\/src\/(?:index|internal|parts|cli\/main)\.ts$|\/index\.ts$/;
  // Every dialect has these rooms, also if there is little in them.
  const room = /^packages\/dialects\/src\/[^/]+\/(?:lint\/misplaced|matching\/select)\.ts$/;
  const found = files.filter(
    (file) => file.lines <= 25 && !entry.test(file.file) && !room.test(file.file) && importers.get(file.file)?.size === 1,
  );
  expect(found.map(named).sort()).toEqual(Object.keys(fragments).sort());
});

test('the table of packages in CONTRIBUTING.md says who may import whom', () => {
  const rows = [...contributing.matchAll(/^\| `packages\/([\w-]+)` \|.*\| ([^|]*) \|$/gm)];
  const written = Object.fromEntries(rows.map(([, name, allowed]) => [name, allowed === '–' ? [] : allowed?.split(', ')]));
  expect(written).toEqual(mayImport);
});

test('every file and folder that CONTRIBUTING.md names exists', () => {
  const inText = [...contributing.matchAll(/`((?:packages|test|scripts|docs|examples|bench|soak)\/[\w./-]*|\.ci\/run)`/g)];
  const inTree = [...contributing.matchAll(/^([a-z][\w-]*\/src\/[\w./-]+) /gm)];
  const paths = [...inText.map(([, path]) => path as string), ...inTree.map(([, path]) => `packages/${path}`)];
  expect(inTree.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('folders and files have names that say what they are', () => {
  expect(files.filter((file) => /(^|[/-])(utils?|helpers?|common|misc)([-./]|$)/.test(file.file)).map(named)).toEqual([]);
  expect(files.filter((file) => !/^[a-z0-9-]+\.ts$/.test(file.file.split('/').at(-1) as string)).map(named)).toEqual([]);
});

test('what is kept out of the house: default exports, star exports, exported variables, notes to self', () => {
  // A package that re-exports another one whole has no list that could lack a name.
  expect(files.filter((file) => /^export default|^export \*(?! from '@tenterhook\/)/m.test(file.text)).map(named)).toEqual([]);
  // A bundle exports the values that the names have at its end.
  expect(files.filter((file) => /^export (let|var)\b|^export \{[^}]*\};/m.test(file.text)).map(named)).toEqual([]);
  expect(files.filter((file) => /\b(TODO|FIXME)\b|@ts-ignore|@ts-expect-error/.test(file.text)).map(named)).toEqual([]);
});

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function ourPackage(specifier: string): string | undefined {
  return specifier === 'tenterhook' ? 'tenterhook' : /^@tenterhook\/([^/]+)/.exec(specifier)?.[1];
}

function named(file: SourceFile): string {
  return file.file;
}

/** Finds a circle of imports, as a path that begins and ends with the same file. Undefined if there is none. */
function findCircle(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of edges.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle !== undefined) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const circle = visit(node, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
