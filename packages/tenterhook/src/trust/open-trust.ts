import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { Diagnostic, Dialect, DialectContext, HookDefinition, ParsedSettings, PinnedParts } from '@tenterhook/protocol';
import { isOfRepository, levelOfSource } from '@tenterhook/protocol/internal';
import { createLog } from '@tenterhook/runtime/log';
import {
  createOwnerCheck,
  findReach,
  findTrustedOwners,
  isTrustedPlace,
  objectionOf,
  type PolicyFile,
  PrivateCopies,
  ProjectTrust,
  ReachProject,
  readPolicy,
  startedCommand,
  type TrustRules,
  type TrustStore,
} from '@tenterhook/trust';
import type { FileOwners } from '../settings/read/file-owners.js';
import { HostQuestions } from './ask-host.js';
import { openProjectStore } from './project-store.js';
import { type HooksTrust, type TrustMode, type TrustOptions, trustsAll } from './trust-options.js';

const log = createLog('trust');

/** What `openTrust` needs besides the options. */
export interface TrustSurroundings {
  readonly context: DialectContext;
  readonly dialects: readonly Dialect[];
  /** The working directory of events that have none. */
  readonly cwd: string;
  /** Whether the settings of the project are read in this format. */
  readonly isDiscovered: (dialect: string) => boolean;
  /** How decisions of this process are made, for the store. @default 'host' */
  readonly decidedAt?: 'terminal' | 'host';
  /** The policy of the administrator. @default the file of this system */
  readonly policy?: PolicyFile;
}

/** The trust decisions for one project, and their connections to the settings and to the agent. */
export interface OpenTrust {
  /** Decides for an engine. Undefined if everything is trusted. */
  readonly gate: ProjectTrust | undefined;
  /** What the policy of the administrator says about all hooks. */
  readonly policy: ParsedSettings | undefined;
  readonly api: HooksTrust;
  /** Undefined if everything is trusted. */
  readonly store: TrustStore | undefined;
  /** Creates the owner check for one reading of the settings. Undefined if every owner is trusted. */
  readonly openOwners: (() => FileOwners) | undefined;
  /** Decides about the loaded hooks, and asks the agent about new ones. Returns the diagnostics. */
  load(hooks: readonly HookDefinition[]): readonly Diagnostic[];
  /** Aborts the open question. */
  dispose(): void;
  /** Removes private copies of hooks. Call it when no hook runs any more. */
  removeCopies(): void;
}

/** Opens the trust of a project. */
export function openTrust(
  given: TrustMode | TrustOptions,
  { context, dialects, cwd, isDiscovered, decidedAt = 'host', policy = readPolicy() }: TrustSurroundings,
): OpenTrust {
  const options: TrustOptions = typeof given === 'string' ? { mode: given } : given;
  const rules = rulesOf(options, policy);
  const problems = policy.problem === undefined ? [] : [policy.problem];
  if (rules.all)
    return {
      gate: undefined,
      store: undefined,
      policy: policy.settings,
      api: trustsAll,
      openOwners: undefined,
      load: () => problems,
      dispose: () => {},
      removeCopies: () => {},
    };
  const { projectDir, home, environment } = context;
  const store = openProjectStore(context, options.directory);
  const copies = options.run === 'snapshot' || policy.policy.run === 'snapshot' ? new PrivateCopies() : undefined;
  const ownerCheck = (directory: string) =>
    createOwnerCheck(directory, findTrustedOwners([...(options.allowOwners ?? []), ...store.owners()]));
  const project = new ReachProject({ directory: projectDir, createOwnerCheck: ownerCheck });
  const isInProject = (path: string) => project.relative(realPath(path)) !== undefined;
  const gate = new ProjectTrust({
    store,
    rules,
    pins: pinsOf(options, policy),
    copies,
    pass: (run) => project.pass(run),
    findReach: (command, directory) => findReach(command, project, directory),
    isDiscovered,
    isInProject,
    isHome: home !== '' && realPath(home) === project.directory,
  });
  const questions = options.ask === undefined ? undefined : new HostQuestions(gate, options.ask);
  return {
    gate,
    store,
    policy: policy.settings,
    api: {
      requests: () => gate.requests(),
      accept: async (pin) => gate.accept(pin, decidedAt, new Date()),
      deny: async (pin) => gate.deny(pin, decidedAt, new Date()),
      revoke: async (pin) => {
        gate.revoke(pin);
      },
      stateOf: (hookId) => gate.stateOf(hookId),
    },
    openOwners: () => {
      const check = ownerCheck(project.directory);
      // The owner check expects paths below the real path of the project. So the links that lead to the project are resolved here.
      const refusalOf = (file: string) => {
        const path = relative(projectDir, file);
        return check(path.startsWith('..') || isAbsolute(path) ? file : join(project.directory, path));
      };
      return {
        refuseToRead: (file, source) => (comesWithRepository(file, source, isInProject) ? refusalOf(file) : undefined),
        refuseToRun: (file, source) => (isTrustedPlace({ source }) ? refusalOf(file) : undefined),
        objectionOf: (hook) => objectionOf(hook, rules),
      };
    },
    load: (hooks) => {
      const loaded = hooks.map((hook) => {
        const dialect = dialects.find(({ name }) => name === hook.dialect);
        const command = dialect === undefined ? undefined : startedCommand(hook, dialect, { projectDir, cwd, home, environment });
        return { hook, parts: partsOf(hook, dialect), command };
      });
      // One pass examines a file once, even if several hooks use it.
      project.pass(() => gate.load(loaded));
      questions?.ask();
      return [...problems, ...gate.diagnostics];
    },
    dispose: () => questions?.dispose(),
    removeCopies: () => copies?.dispose(),
  };
}

/**
 * Returns what the dialect adds to the pin of a hook. If the dialect throws, two different hooks could have the same pin. So the hook then
 * gets a pin that no hook ever had.
 */
function partsOf(hook: HookDefinition, dialect: Dialect | undefined): PinnedParts {
  try {
    return dialect?.pinnedParts?.(hook) ?? {};
  } catch (error) {
    log('the dialect "%s" could not describe %s, which is not trusted: %O', hook.dialect, hook.id, error);
    return { definition: { undescribed: crypto.randomUUID() } };
  }
}

function rulesOf({ mode, onChanged = 'ask' }: TrustOptions, { policy, file }: PolicyFile): TrustRules {
  const stricter = policy.onChanged === 'deny' ? 'deny' : onChanged;
  const base = { open: policy.open, onChanged: stricter, pinsOnly: policy.project === 'pinned' } as const;
  if (policy.managedHooksOnly) return { ...base, all: false, forbidden: `the policy ${file} allows only hooks of the administrator.` };
  if (policy.project === 'never') return { ...base, all: false, forbidden: `the policy ${file} forbids hooks of projects.` };
  if (mode === 'none') return { ...base, all: false, forbidden: 'the agent runs no hooks of projects.' };
  return { ...base, all: mode === 'all' && policy.trustAll && policy.project === 'ask' };
}

function pinsOf({ pins = [] }: TrustOptions, { policy }: PolicyFile): readonly string[] {
  return policy.project === 'pinned' ? (policy.pins ?? []) : [...pins, ...(policy.pins ?? [])];
}

/**
 * Tests whether a settings file may come with a repository. A file of an extension comes with the repository only if the file is in the
 * project.
 */
function comesWithRepository(file: string, source: string, isInProject: (path: string) => boolean): boolean {
  const level = levelOfSource(source) ?? 'project';
  return isOfRepository(level) && (level !== 'extension' || isInProject(file));
}

/** Returns the path with its links resolved. A path that does not exist is returned unchanged. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
