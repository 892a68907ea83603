import { AsyncLocalStorage } from 'node:async_hooks';
import type { AggregatedHookResult, FireOptions, HeardInput } from '@tenterhook/protocol';
import { dialectsFor, engineWithCanonicalCalls, type HeardEvent } from '@tenterhook/relay';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { OpenHooks } from '../../../../hooks.js';
import { openHooks } from '../../../../open/open-hooks.js';
import { dialectContext } from '../../../../settings/discover/dialect-context.js';
import type { SettingsSource } from '../../../../settings/settings-source.js';
import { isCurrent } from '../../../../settings/watch/file-stamps.js';
import type { OpenTrust } from '../../../../trust/open-trust.js';
import { type FoundGuards, importEngines } from '../guards.js';
import { dialects, type RelayedDialect } from '../relayed-agent.js';
import type { Place } from './place.js';

/** What decides which hooks run, and how. Events with an equal request can share one system. */
export interface SystemRequest {
  readonly agent: RelayedDialect;
  readonly place: Place;
  /** The variables that hooks receive. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly found: FoundGuards;
  /** Absolute paths of settings files that the user named. No others are read then. */
  readonly settings: readonly string[] | undefined;
  readonly dialect: string | undefined;
}

/** A system of hooks that answers the events of an agent. */
export interface RelaySystem {
  readonly hooks: OpenHooks;
  /** Why some guards do not run, as sentences. */
  readonly problems: readonly string[];
  /** Fires one part of an event. `heard` is the event as the agent wrote it. */
  fire(input: HeardInput, heard: HeardEvent, options: FireOptions): Promise<AggregatedHookResult>;
  /** Reads settings and decisions about trust again if they have changed. */
  refresh(): Promise<void>;
}

/** What the agent wrote, for the hooks in the agent's own format. Events of one system run side by side. */
const heardNow = new AsyncLocalStorage<HeardEvent>();

/** Opens a system. */
export async function openSystem({ agent, place, environment, found, settings, dialect }: SystemRequest): Promise<RelaySystem> {
  const { projectDir, cwd } = place;
  const isNamed = settings !== undefined;
  const { engines, problems } = isNamed ? { engines: [], problems: [] } : await importEngines(found.modules);
  const { otherTools } = agent.relay;
  const handlers = otherTools === undefined ? engines : engines.map((engine) => engineWithCanonicalCalls(engine, otherTools));
  const opened: { source?: SettingsSource; trust?: OpenTrust } = {};
  const hooks = await openHooks(
    {
      projectDir,
      dialects: dialectsFor(dialects, {
        dialect: agent,
        context: dialectContext(projectDir, place.environment),
        runsToo: found.settings.claudeFiles,
        heard: () => heardNow.getStore(),
      }),
      advanced: { cwd },
      ...omitUndefined({ dialect, settings }),
      ...(isNamed ? {} : { handlers }),
    },
    {
      commandLine: true,
      watchesInput: false,
      env: environment,
      onSource: (source) => {
        opened.source = source;
      },
      onTrust: (trust) => {
        opened.trust = trust;
      },
      ...(isNamed ? {} : { guards: found.guards, discovers: found.settings.discover }),
    },
  );
  const { source, trust } = opened;
  let decisions = trust?.store?.stamp();
  return {
    hooks,
    problems: isNamed ? [] : [...found.problems, ...problems],
    fire: ({ eventName, input }, heard, options) => {
      const fields = { ...input, ...(typeof input['cwd'] === 'string' ? { cwd } : {}) };
      return heardNow.run(heard, () => hooks.fire(eventName, fields as never, options));
    },
    refresh: async () => {
      const stored = trust?.store?.stamp();
      if (stored === decisions && isCurrent(source?.stamps ?? new Map())) return;
      await hooks.reload();
      decisions = stored;
    },
  };
}
