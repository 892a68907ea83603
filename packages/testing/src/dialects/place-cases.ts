import type { DialectContext } from '@tenterhook/protocol';
import type { DialectCase } from './dialect-case.js';
import { notPlainJson } from './plain-json.js';
import { projectDir } from './sample-inputs.js';
import { emptyMachine, usualMachine } from './sample-settings.js';
import { shown } from './violations.js';

/** Every file there is, and each says what could be the beginning of settings. */
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

/** Where settings are looked for. */
export const placeCases: readonly DialectCase[] = [
  {
    title: 'nothing that looks for settings throws, and all of it is pure, whatever the machine has',
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
    title: 'locations() are absolute, each once, and claims() knows the files that are looked for',
    run: ({ dialect, violations }) => {
      for (const [name, machine] of Object.entries(machines)) {
        const locations = violations.attempt(`locations() on ${name}`, () => dialect.locations(machine))?.value ?? [];
        const elsewhere =
          violations.attempt(`locations() on ${name}`, () => dialect.locations({ ...machine, home: '/home/another' }))?.value ?? [];
        const files = new Set<string>();
        for (const { source, file } of locations) {
          // What would lie in a home directory that there is not is left out by whoever asks.
          if (machine.home === '' && !elsewhere.some((other) => other.source === source && other.file === file)) continue;
          const done = `locations() on ${name}`;
          violations.require(isAbsolute(file), done, { source, file }, 'an absolute path');
          violations.require(!files.has(`${source} ${file}`), done, { source, file }, 'each file of a source once');
          files.add(`${source} ${file}`);
          const claim = violations.attempt(`claims() of ${file}`, () => dialect.claims?.(file, machine))?.value;
          const own = source === 'project' ? { projectDir: machine.projectDir } : {};
          violations.require(claim !== undefined, `claims() of ${file}, which is looked for on ${name}`, claim, shown(own));
          const isProject = source !== 'project' || claim?.projectDir === undefined || claim.projectDir === machine.projectDir;
          violations.require(isProject, `claims() of ${file}, which is looked for on ${name}`, claim, shown(own));
        }
      }
    },
  },
  {
    title: 'lookalikes() are absolute, and each names the file that is read in its place',
    run: ({ dialect, violations }) => {
      for (const [name, machine] of Object.entries(machines)) {
        const locations = violations.attempt(`locations() on ${name}`, () => dialect.locations(machine))?.value ?? [];
        const lookalikes = violations.attempt(`lookalikes() on ${name}`, () => dialect.lookalikes?.(machine) ?? [])?.value ?? [];
        // Without a home directory those of the user are left out by whoever asks.
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
    title: 'claims() does not take a file that is no settings file',
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
];

function isAbsolute(file: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(file);
}
