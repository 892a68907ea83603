import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sha256 } from '@tenterhook/trust';
import fc from 'fast-check';
import type { Hooks } from 'tenterhook';
import { withLevels } from '../attacks/levels/places.js';
import { atOnce } from '../support/at-once.js';
import { withEnvironment } from '../support/environment.js';
import { formatNamed, formatNames } from '../support/formats.js';
import type { Places } from '../support/places.js';

/**
 * Each run has one repository in which hooks are accepted, and so many others that take its place. One of ten has other settings,
 * which are read again. The others have the same settings with other files, which must be noticed without reading the settings.
 */
const others = 19;
const settingsEvery = 10;
const repositories = 10_000;
const patienceMs = 600_000;

/** A repository: the commands of its hook and of a hook of the user in each format, the scripts, and files that pretend to be decisions. */
interface Repository {
  readonly commands: readonly (string | undefined)[];
  readonly ownCommands: readonly (string | undefined)[];
  /** The content of each file by its path; undefined if it does not exist. A content `-> path` is a link. */
  readonly files: Readonly<Record<string, string | undefined>>;
  readonly isExecutable: boolean;
  /** The fields that the settings have besides the hooks. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether decisions about every hook lie in the repository, where no store is looked for. */
  readonly bringsDecisions: boolean;
}

/** What a command runs, as far as this test knows. If one of these files differs, it is another hook. */
const runs: Readonly<Record<string, readonly string[]>> = {
  'echo hello': [],
  './hooks/guard.sh': ['hooks/guard.sh'],
  'sh hooks/guard.sh | cat': ['hooks/guard.sh'],
  './run.sh': ['run.sh'],
  'python3 -c "import json"': ['json.py'],
};

/**
 * The same of hooks of the user. The second one is a script in the home directory. Of the last ones it is unknown which files they run, so
 * they are asked about once, whatever the files are.
 */
const ownRuns: typeof runs = {
  'sh ./hooks/guard.sh': ['hooks/guard.sh'],
  '~/wrap.sh': ['hooks/guard.sh'],
  'sh hooks/*.sh': ['hooks/guard.sh', 'hooks/lib.sh'],
  'for f in hooks/*.sh; do . "$f"; done': ['hooks/guard.sh', 'hooks/lib.sh'],
  'ls hooks/*.sh | xargs -n1 sh': [],
  "find . -name '*.sh' -exec sh {} ';'": [],
  'eval "$RULES"': [],
};
const namesOneFile = (command: string) => command === 'sh ./hooks/guard.sh' || command === '~/wrap.sh';

/** The formats whose user hooks start in the project, so that their relative paths name files of it. */
const inProject = formatNames.filter((name) => formatNamed(name).startsUserHooksElsewhere !== true);

const content = fc.constantFrom('echo one', 'echo two');
const anyRepository: fc.Arbitrary<Repository> = fc.record({
  commands: fc.array(fc.option(fc.constantFrom(...Object.keys(runs)), { nil: undefined }), {
    minLength: formatNames.length,
    maxLength: formatNames.length,
  }),
  // Every third repository has one hook of the user in one format: each takes the time of a hook of the repository.
  ownCommands: fc
    .tuple(
      fc.constantFrom(...Object.keys(ownRuns)),
      fc.constantFrom(...inProject, ...Array<undefined>(2 * inProject.length).fill(undefined)),
    )
    .map(([command, format]) => formatNames.map((name) => (name === format ? command : undefined))),
  files: fc.record({
    'hooks/guard.sh': fc.oneof(content, fc.constantFrom(undefined, '-> ../run.sh', '. "$(dirname "$0")"/lib.sh')),
    'hooks/lib.sh': fc.oneof(content, fc.constant(undefined)),
    'run.sh': fc.oneof(content, fc.constantFrom('. ./hooks/lib.sh')),
    'json.py': fc.option(content, { nil: undefined }),
  }),
  isExecutable: fc.boolean(),
  fields: fc.constantFrom<Record<string, unknown>>(
    {},
    { trust: 'all', trusted: true, policy: { trustAll: true }, isTrusted: true },
    { env: { XDG_STATE_HOME: 'state', HOME: '.', TENTERHOOK_TRUST: 'all' } },
  ),
  bringsDecisions: fc.boolean(),
});

/** The hooks that were started. */
let started: string[] = [];
const noting = atOnce((invocation, dialect) => {
  if (invocation.kind === 'command' && invocation.command.kind === 'shell') started.push(factOf(dialect, invocation.command.text));
});

const factOf = (dialect: string, command: string, repository: Repository = current) =>
  JSON.stringify([
    dialect,
    command,
    // Variables that settings of the repository set do not count for a hook of the user.
    repository.fields['env'] === undefined || dialect !== 'claude-code' || command in ownRuns,
    ...(runs[command] ?? ownRuns[command] ?? ['unknown'])
      .flatMap((file) => [file, ...readBy(file, repository.files)])
      .flatMap((file) => {
        const text = repository.files[file];
        return text === undefined ? [null] : [text, text.startsWith('-> ') || repository.isExecutable];
      }),
  ]);

/** What a script may read: its folder, the target of a link, or the library that it names. */
function readBy(file: string, files: Repository['files']): string[] {
  const text = files[file];
  if (text === '-> ../run.sh') return ['run.sh', ...readBy('run.sh', files)];
  const isInFolder = file === 'hooks/guard.sh' && text !== undefined;
  return isInFolder || text?.includes('hooks/lib.sh') === true ? ['hooks/lib.sh'] : [];
}

/** Whether a hook of the user runs one file, which does not exist. Then it needs no decision. */
function runsNothing(fact: string): boolean {
  const [, command, , ...files] = JSON.parse(fact) as [string, string, boolean, ...unknown[]];
  return namesOneFile(command) && files[0] === null;
}

let current: Repository;

/** The formats that have hooks in this run. With all formats in each run, the time of the test would grow with each new format. */
let present: ReadonlySet<string>;
const anyFormats = fc.uniqueArray(fc.constantFrom(...formatNames), { minLength: 1, maxLength: 3 });

/** Replaces the repository. Its directories stay, because making them anew for each repository would take most of the time. */
function write(places: Places, repository: Repository): void {
  current = repository;
  for (const [index, name] of formatNames.entries()) {
    const { project, user, settings } = formatNamed(name);
    const command = present.has(name) ? repository.commands[index] : undefined;
    if (command === undefined) rmSync(places.at(project), { force: true });
    else places.write(project, { ...settings([{ command }]), ...repository.fields });
    const own = repository.ownCommands[index];
    if (own === undefined) rmSync(places.at(user), { force: true });
    else places.write(user, settings([{ command: own }]));
  }
  mkdirSync(join(places.project, 'hooks'), { recursive: true });
  for (const [file, text] of Object.entries(repository.files)) {
    const path = join(places.project, file);
    rmSync(path, { force: true });
    if (text?.startsWith('-> ')) symlinkSync(text.slice(3), path);
    else if (text !== undefined) writeFileSync(path, text, { mode: repository.isExecutable ? 0o755 : 0o644 });
  }
  for (const folder of broughtFolders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** The folders with records that the repository brings. */
const broughtFolders: string[] = [];

/** Puts records of every hook where a repository could hope that they are found. */
function bringDecisions(places: Places, hooks: Hooks): void {
  for (const { hook } of hooks.list()) {
    if (hook.trust === undefined) continue;
    for (const folder of ['.local', 'state', '.tenterhook']) {
      const store = folder === '.tenterhook' ? 'trust' : folder === 'state' ? 'tenterhook/trust' : 'state/tenterhook/trust';
      const file = join(places.project, folder, store, sha256(places.project), `${hook.trust.pin}.json`);
      broughtFolders.push(join(places.project, folder));
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, JSON.stringify({ v: 1, pin: hook.trust.pin, project: places.project }), { mode: 0o600 });
    }
  }
}

/** Uses a file system in memory, if there is one: the repositories are many small files. */
function inMemory(use: Parameters<typeof withLevels>[0]): Promise<void> {
  return withEnvironment({ TMPDIR: existsSync('/dev/shm') ? '/dev/shm' : tmpdir() }, () => withLevels(use));
}

const fire = (hooks: Hooks) => hooks.fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'ls' } });

test(
  'case 39: whatever a repository holds, only hooks run that were accepted as they are',
  () =>
    inMemory(async (places, discover) => {
      let acceptedRuns = 0;
      places.write('home/wrap.sh', '#!/bin/sh\nexec ./hooks/guard.sh\n', 0o755);
      await discover(
        async ({ hooks }) => {
          const property = fc.asyncProperty(
            anyFormats,
            anyRepository,
            fc.array(fc.boolean(), { minLength: formatNames.length, maxLength: formatNames.length }),
            fc.array(anyRepository, { minLength: others, maxLength: others }),
            async (formats, first, accepts, following) => {
              present = new Set(formats);
              rmSync(places.at('state'), { recursive: true, force: true });
              write(places, first);
              await hooks.reload();
              const accepted = new Set<string>();
              for (const { hook } of hooks.list()) {
                const pin = hook.trust?.pin;
                const isWanted = accepts[formatNames.indexOf(hook.dialect)];
                if (pin === undefined || !isWanted || hook.action.kind !== 'command') continue;
                await hooks.trust.accept(pin);
                accepted.add(factOf(hook.dialect, hook.action.command));
              }
              for (const [index, repository] of [first, ...following].entries()) {
                const { commands, ownCommands, fields } = index % settingsEvery === 0 ? repository : current;
                write(places, { ...repository, commands, ownCommands, fields });
                if (repository.bringsDecisions) bringDecisions(places, hooks);
                if (index % settingsEvery === 0) await hooks.reload();
                started = [];
                await fire(hooks);
                acceptedRuns += started.length;
                expect(started.filter((fact) => !accepted.has(fact) && !runsNothing(fact))).toEqual([]);
              }
            },
          );
          await fc.assert(property, { numRuns: repositories / (others + 1) });
        },
        { trust: { mode: 'store', directory: places.at('state') }, advanced: { executors: [noting] } },
      );
      // Accepted hooks do run, so the property is not about systems in which nothing runs.
      expect(acceptedRuns).toBeGreaterThan(0);
    }),
  patienceMs,
);
