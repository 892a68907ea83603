import { realpathSync } from 'node:fs';
import type { Diagnostic, Dialect, DialectContext, HookDefinition, PinnedParts } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import {
  createOwnerCheck,
  findReach,
  findTrustedOwners,
  openTrustStore,
  type PolicyFile,
  ProjectTrust,
  ReachProject,
  readPolicy,
  startedCommand,
  type TrustRules,
  type TrustStore,
} from '@tenterhook/trust';
import { HostQuestions } from './ask-host.js';
import type { HooksTrust, TrustMode, TrustOptions } from './trust-options.js';

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

/** The trust of the hooks of one project, and how it is connected to settings and to the host. */
export interface OpenTrust {
  /** Decides for an engine. */
  readonly gate: ProjectTrust;
  readonly api: HooksTrust;
  readonly store: TrustStore;
  /** Decides about hooks that were loaded, and asks the host about those that are new. Returns the diagnostics. */
  load(hooks: readonly HookDefinition[]): readonly Diagnostic[];
  dispose(): void;
}

/** Opens the trust of a project. */
export function openTrust(
  given: TrustMode | TrustOptions,
  { context, dialects, cwd, isDiscovered, decidedAt = 'host', policy = readPolicy() }: TrustSurroundings,
): OpenTrust {
  const options: TrustOptions = typeof given === 'string' ? { mode: given } : given;
  const { projectDir, home, environment } = context;
  const store = openTrustStore({
    projectDir,
    home: home === '' ? undefined : home,
    environment,
    platform: process.platform,
    ...(options.directory === undefined ? {} : { directory: options.directory }),
  });
  const project = new ReachProject({
    directory: projectDir,
    createOwnerCheck: (directory) =>
      createOwnerCheck(directory, findTrustedOwners([...(options.allowOwners ?? []), ...store.read().owners])),
  });
  const gate = new ProjectTrust({
    store,
    rules: rulesOf(options, policy),
    pins: pinsOf(options, policy),
    findReach: (command, directory) => findReach(command, project, directory),
    isDiscovered,
    isInProject: (path) => project.relative(realPath(path)) !== undefined,
  });
  const questions = options.ask === undefined ? undefined : new HostQuestions(gate, options.ask);
  return {
    gate,
    store,
    api: {
      requests: () => gate.requests(),
      accept: async (pin) => gate.accept(pin, decidedAt, new Date()),
      deny: async (pin) => gate.deny(pin, decidedAt, new Date()),
      revoke: async (pin) => {
        gate.revoke(pin);
      },
      stateOf: (hookId) => gate.stateOf(hookId),
    },
    load: (hooks) => {
      const loaded = hooks.map((hook) => {
        const dialect = dialects.find(({ name }) => name === hook.dialect);
        const command = dialect === undefined ? undefined : startedCommand(hook, dialect, { projectDir, cwd, home, environment });
        return { hook, parts: partsOf(hook, dialect), command };
      });
      // In one pass, a file that several hooks reach is examined once.
      project.pass(() => gate.load(loaded));
      questions?.ask();
      return [...(policy.problem === undefined ? [] : [policy.problem]), ...gate.diagnostics];
    },
    dispose: () => questions?.dispose(),
  };
}

/** Without the parts that the dialect adds, a hook could look like another one. So its pin is then one that no hook ever had. */
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

/** The path without links. A path that does not exist stays as it is written. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
