import type { HookDefinition } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { riskyVariables } from '../pin/definition.js';
import type { OpenReason } from '../reach/open-reasons.js';
import type { ReachedEntry, ReachedFile } from '../reach/reach.js';
import type { TrustState, TrustSubject } from '../states/states.js';
import type { TrustRecord } from '../store/record.js';

/**
 * A question to a person: may this hook run? Plain data. Its texts come from the repository, so a program must escape them before it shows
 * them.
 */
export interface TrustRequest {
  /** The pin that an answer accepts or denies. */
  readonly pin: string;
  readonly state: 'new' | 'changed';
  /**
   * Why the hook does not run: what has changed, or why the user is asked about a hook of their own settings. Begins in lower case,
   * because the name of the hook is written before it.
   */
  readonly reason: string;
  /** Where the hook comes from. A hook of the level `user` or above is asked about because it runs, or may run, files of the project. */
  readonly source: HookDefinition['source'];
  /** The hooks with this pin. */
  readonly hookIds: readonly string[];
  /** The settings file and the line of the first hook. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly dialect: string;
  /** The settings that decide when, how, how long and with what the hook runs. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The variables that settings of the repository set for the hook. */
  readonly environment: Readonly<Record<string, string>>;
  /** The files, folders and links of the project that decide what the hook does. */
  readonly reach: readonly ReachedEntry[];
  /** The regular files that the hook uses, including those in folders. */
  readonly files: readonly ReachedFile[];
  /** Why the hook may run or read something that is not listed. */
  readonly open: readonly OpenReason[];
  /** The version of the hook that was trusted before. Absent for a new hook. */
  readonly before?: Pick<TrustRecord, 'pin' | 'definition' | 'environment' | 'reach' | 'at'> | undefined;
  /** Other projects in which the same hook is trusted. */
  readonly elsewhere: readonly string[];
  /** Sentences about what is risky, such as a variable that changes which program runs. */
  readonly risks: readonly string[];
}

/** A hook that comes with the repository or may run its files, with the decision about the hook. */
export interface TrustEntry extends Omit<TrustRequest, 'state' | 'reason'>, Pick<TrustState, 'state' | 'reason'> {
  /** The names and the place of the hook, as in the record of a decision. */
  readonly hook: TrustRecord['hook'];
  /** When and by whom the decision was made. Absent if there is no decision. */
  readonly decided?: Pick<TrustRecord, 'at' | 'by'> | undefined;
}

/** What is known about a hook before a decision, and the decision. */
export function entryFor(
  { hook, pin, pinned, reach }: TrustSubject,
  known: Pick<TrustEntry, 'state' | 'reason' | 'hookIds' | 'files' | 'before' | 'elsewhere' | 'decided'>,
): TrustEntry {
  const { dialect, definition, environment } = pinned;
  const place = { ...(hook.file === undefined ? {} : { file: hook.file }), ...(hook.line === undefined ? {} : { line: hook.line }) };
  return {
    pin,
    source: hook.source,
    ...place,
    hook: describe(hook),
    dialect,
    definition,
    environment,
    reach: reach.entries,
    open: reach.open,
    risks: risksOf(pinned),
    ...known,
  };
}

/** Returns the record of a decision about a hook. */
export function recordOf({ hook, pin, pinned }: TrustSubject, by: TrustRecord['by'], now: Date): TrustRecord {
  const { project, definition, environment, reach } = pinned;
  return {
    v: 1,
    pin,
    project,
    hook: describe(hook),
    definition,
    environment,
    reach,
    at: now.toISOString(),
    by,
  };
}

/** Returns the names of a hook and what it runs, for display. */
function describe({ id, name, dialect, dialectEvent, action }: TrustSubject['hook']): TrustRecord['hook'] {
  const command = commandOf(action);
  return { label: name ?? id, dialect, event: dialectEvent, ...(command === undefined ? {} : { command }) };
}

function commandOf(action: TrustSubject['hook']['action']): string | undefined {
  switch (action.kind) {
    case 'command':
      return [action.command, ...(action.args ?? [])].join(' ');
    case 'http':
      return action.url;
    case 'host':
      return action.type;
    case 'call':
      return undefined;
  }
}

function risksOf({ definition, environment, reach }: TrustSubject['pinned']): string[] {
  const variables = riskyVariables({
    ...environment,
    ...(isPlainObject(definition['env']) ? (definition['env'] as Record<string, string>) : {}),
  });
  const action = isPlainObject(definition['action']) ? definition['action'] : {};
  const sent = Array.isArray(action['allowedEnvVars']) ? action['allowedEnvVars'].filter((name) => typeof name === 'string') : [];
  return [
    ...variables.map((name) => `The variable ${JSON.stringify(name)} can change which program the command runs.`),
    ...(action['kind'] === 'http' ? [`It sends the data of the event to ${JSON.stringify(action['url'])}.`] : []),
    ...sent.map((name) => `It sends the value of the variable ${JSON.stringify(name)}.`),
    ...(reach.open.some(({ kind }) => kind !== 'data') ? ['It runs code that is not listed.'] : []),
  ];
}
