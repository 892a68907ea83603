import { type DialectContext, diagnosticCodes, type ParsedSettings } from '@tenterhook/protocol';
import { diagnosticSchema } from '@tenterhook/protocol/internal';
import type { DialectCase, DialectScene } from './dialect-case.js';
import {
  emptyMachine,
  fileDocument,
  givenDocument,
  parse,
  projectDir,
  sampleHook,
  sampleHooks,
  settingsFile,
  settingsOf,
  usualMachine,
} from './samples.js';
import { notPlainJson, shown } from './violations.js';

/** A machine on which every file exists and looks like the beginning of a settings file. */
const fullMachine: DialectContext = {
  ...usualMachine,
  files: { isFile: () => true, isExecutable: () => true, head: (_path, bytes) => '{ "hooks": {} }'.slice(0, bytes) },
};

const machines: Readonly<Record<string, DialectContext>> = {
  'a usual machine': usualMachine,
  'a machine on which every file exists': fullMachine,
  'a machine without files, home and environment': emptyMachine,
  'a project at the root of the disk': { ...usualMachine, projectDir: '/' },
  'a project in the home directory': { ...usualMachine, projectDir: '/home/u' },
  Windows: { ...usualMachine, projectDir: 'C:\\srv\\app', home: 'C:\\Users\\u', platform: 'win32' },
};

/** Settings of unknown programs, and values that are not settings. */
const foreignSettings: readonly unknown[] = [
  {},
  null,
  undefined,
  ...[true, 7, '', 'hooks', [], ['hooks'], [{}]],
  ...[{ hooks: null }, { hooks: 7 }, { hooks: 'x' }, { hooks: [] }, { hooks: {} }, { hooks: [null] }],
  { hooks: { 'pre-commit': ['lint'], 'post-merge': { run: 'make' } } },
  { hooks: { lint: null, format: 7, test: [], build: {}, deploy: { type: 7, actions: 'x' } } },
  { repos: [{ repo: 'local', hooks: [{ id: 'lint', entry: 'lint' }] }] },
  { compilerOptions: { strict: true }, include: ['src'] },
  JSON.parse('{"hooks":{"__proto__":[],"constructor":[{}],"toString":{"type":"constructor"}}}'),
];

export const fileCases: readonly DialectCase[] = [
  {
    title: 'the methods that look for settings do not throw and are pure, on any machine',
    run: ({ dialect, violations }) => {
      for (const [name, machine] of Object.entries(machines)) {
        violations.pure(`locations() on ${name}`, () => dialect.locations(machine));
        violations.pure(`lookalikes() on ${name}`, () => dialect.lookalikes?.(machine));
        for (const file of ['', '/', 'x', 'a\0b', '.', '..', 'C:\\', '\\\\host\\share', `/${'x/'.repeat(5000)}`]) {
          violations.pure(`claims() of ${shown(file)} on ${name}`, () => dialect.claims?.(file, machine));
        }
      }
    },
  },
  {
    title: 'locations() returns each absolute path once, and claims() recognises these files',
    run: ({ dialect, violations }) => {
      for (const [name, machine] of Object.entries(machines)) {
        const locations = violations.attempt(`locations() on ${name}`, () => dialect.locations(machine))?.value ?? [];
        const elsewhere =
          violations.attempt(`locations() on ${name}`, () => dialect.locations({ ...machine, home: '/home/another' }))?.value ?? [];
        const files = new Set<string>();
        for (const { source, file, folder } of locations) {
          // Callers ignore locations in the home directory if there is no home directory.
          if (machine.home === '' && !elsewhere.some((other) => other.source === source && other.file === file)) continue;
          const done = `locations() on ${name}`;
          violations.require(isAbsolute(file), done, { source, file }, 'an absolute path');
          violations.require(!files.has(`${source} ${file}`), done, { source, file }, 'each file of a source once');
          files.add(`${source} ${file}`);
          const claim = violations.attempt(`claims() of ${file}`, () => dialect.claims?.(file, machine))?.value;
          const own = source === 'project' ? { projectDir: machine.projectDir } : {};
          violations.require(claim !== undefined, `claims() of ${file}, which is looked for on ${name}`, claim, shown(own));
          if (folder !== undefined) {
            violations.require(file.startsWith(folder), done, { source, file, folder }, 'the folder of the file');
            const other = `${folder}/other-hooks.json`;
            const claimed = violations.attempt(`claims() of ${other}`, () => dialect.claims?.(other, machine))?.value;
            violations.require(claimed !== undefined, `claims() of ${other}, which is looked for on ${name}`, claimed, shown(own));
          }
          const isProject = source !== 'project' || claim?.projectDir === undefined || claim.projectDir === machine.projectDir;
          violations.require(isProject, `claims() of ${file}, which is looked for on ${name}`, claim, shown(own));
        }
      }
    },
  },
  {
    title: 'lookalikes() returns absolute paths, each with the file that is read instead',
    run: ({ dialect, violations }) => {
      for (const [name, machine] of Object.entries(machines)) {
        const locations = violations.attempt(`locations() on ${name}`, () => dialect.locations(machine))?.value ?? [];
        const lookalikes = violations.attempt(`lookalikes() on ${name}`, () => dialect.lookalikes?.(machine) ?? [])?.value ?? [];
        // Callers ignore files of the user if there is no home directory.
        for (const lookalike of lookalikes.filter(({ source }) => machine.home !== '' || source !== 'user')) {
          const { file, source, insteadOf } = lookalike;
          const isRight = isAbsolute(file) && locations.some((read) => read.source === source && read.file === insteadOf);
          violations.require(isRight, `lookalikes() on ${name}`, lookalike, `an absolute path, and one of ${shown(locations)}`);
          const isRead = locations.some((read) => read.file === file);
          violations.require(!isRead, `lookalikes() on ${name}`, lookalike, 'a file that is not read');
        }
      }
    },
  },
  {
    title: 'claims() does not claim a file that is not a settings file',
    run: ({ dialect, violations }) => {
      for (const file of [`${projectDir}/package.json`, `${projectDir}/src/index.ts`, '/etc/passwd', '/', '', 'README.md']) {
        const claim = violations.attempt(`claims() of ${shown(file)}`, () => dialect.claims?.(file, usualMachine))?.value;
        violations.require(claim === undefined, `claims() of ${shown(file)}`, claim, 'undefined');
      }
    },
  },
  {
    title: 'settingsJsonSchema() is plain JSON',
    run: ({ dialect, violations }) => {
      const schema = violations.pure('settingsJsonSchema()', () => dialect.settingsJsonSchema?.())?.value;
      const problem = schema === undefined ? undefined : notPlainJson(schema);
      violations.require(problem === undefined, 'settingsJsonSchema()', problem, 'plain JSON');
    },
  },
  {
    title: 'combine() loses no hook of any document: each is on or off',
    run: (scene) => {
      const { dialect, violations } = scene;
      if (dialect.combine === undefined) return;
      const parsed = ['project', 'user', 'settings', 'extension:x'].map((source) => parsedFrom(scene, source));
      const sets = [[], ...parsed.map((one) => [one]), parsed.slice(0, 2), parsed];
      for (const set of sets) {
        const done = `combine() of the sample settings as ${set.map(({ source }) => source).join(', ') || 'no document'}`;
        const came = violations.pure(done, () => {
          const { hooks = [], off = [], diagnostics = [] } = dialect.combine?.(set) ?? {};
          return { hooks: hooks.map(({ id }) => id), off: off.map(({ hook }) => hook.id), diagnostics };
        })?.value;
        if (came === undefined) continue;
        for (const diagnostic of came.diagnostics) {
          const isAbout = diagnostic.dialect === dialect.name && set.some(({ source }) => source === diagnostic.source);
          const isDocumented = Object.hasOwn(diagnosticCodes, diagnostic.code) && diagnosticSchema.safeParse(diagnostic).success;
          violations.require(
            isAbout && isDocumented,
            done,
            diagnostic,
            `a code of diagnosticCodes, ${dialect.name}, and the source of a document`,
          );
        }
        const given = set.flatMap(({ hooks }) => hooks.map(({ id }) => id));
        const kept = [...came.hooks, ...came.off];
        const lost = given.filter((id) => !kept.includes(id));
        const made = kept.filter((id, index) => !given.includes(id) || kept.indexOf(id) < index);
        violations.require(lost.length + made.length === 0, done, { lost, made }, 'every hook of the documents once, in hooks or in off');
      }
    },
  },
  {
    title: 'eventsIn() returns the events of settings of its dialect, and an empty list for others',
    run: ({ dialect, events: all, options, violations }) => {
      if (dialect.eventsIn === undefined) return;
      const events = all.filter(({ dialectEvent }) => !options.sharedEvents?.includes(dialectEvent));
      const namedIn = (value: unknown) =>
        violations.pure(`eventsIn() of ${shown(value)}`, () => [...(dialect.eventsIn?.(value) ?? [])])?.value ?? [];
      for (const event of events) {
        const value = settingsOf(options, [sampleHook(event, 0)]);
        const named = namedIn(value);
        violations.require(String(named) === event.dialectEvent, `eventsIn() of ${shown(value)}`, named, shown([event.dialectEvent]));
      }
      const spellings = events.map((event) => event.dialectEvent);
      const named = namedIn(
        settingsOf(
          options,
          events.map((event, number) => sampleHook(event, number)),
        ),
      );
      const missing = spellings.filter((spelling) => !named.includes(spelling));
      violations.require(missing.length === 0, 'eventsIn() of settings with a hook of each event', named, `${shown(missing)} too`);
      for (const value of foreignSettings) {
        const strange = namedIn(value);
        violations.require(
          strange.length === 0,
          `eventsIn() of ${shown(value)}`,
          strange,
          '[], because the settings are not of this dialect',
        );
      }
    },
  },
];

function isAbsolute(file: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(file);
}

function parsedFrom(scene: DialectScene, source: string): ParsedSettings {
  const value = settingsOf(scene.options, sampleHooks(scene));
  const file = source.includes('extension') || source === 'settings' ? undefined : `${settingsFile}.${source}`;
  const document = file === undefined ? givenDocument(value, source) : fileDocument(value, source, file);
  const parsed = parse(scene, `the sample settings as ${source}`, value, document) ?? { hooks: [], diagnostics: [] };
  return { source, ...(file === undefined ? {} : { file }), ...parsed };
}
