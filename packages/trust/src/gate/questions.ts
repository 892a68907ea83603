import { isPlainObject } from '@tenterhook/runtime/json';
import { riskyVariables } from '../pin/definition.js';
import type { ReachedEntry, ReachedFile } from '../reach/reach.js';
import type { TrustState, TrustSubject } from '../states/states.js';
import type { TrustRecord } from '../store/record.js';

/** A question to a person: may this hook run? Plain data. Its texts come from the repository: a program that shows them must escape them. */
export interface TrustRequest {
  /** What the answer is about. */
  readonly pin: string;
  readonly state: 'new' | 'changed';
  /** The hooks with this pin. */
  readonly hookIds: readonly string[];
  /** The settings file and the line of the first of them. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly dialect: string;
  /** What decides when, how, how long and with what the hook runs. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The variables that settings of the repository set for it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The files, folders and links of the project that decide what it does. */
  readonly reach: readonly ReachedEntry[];
  /** The regular files among them, with those below reached folders, and their sizes. */
  readonly files: readonly ReachedFile[];
  /** A sentence for each reason why the hook may run code that is not listed. */
  readonly open: readonly string[];
  /** What was trusted before. Absent for a hook that is new. */
  readonly before?: Pick<TrustRecord, 'pin' | 'definition' | 'environment' | 'reach' | 'at'> | undefined;
  /** Other projects in which the same hook is trusted. */
  readonly elsewhere: readonly string[];
  /** A sentence for each thing that deserves a second look. */
  readonly risks: readonly string[];
}

/** A hook that comes with the repository or runs files of it, and what was decided about it. */
export interface TrustEntry extends Omit<TrustRequest, 'state'>, Pick<TrustState, 'state' | 'reason'> {
  /** What it is, as in the record of a decision. */
  readonly hook: TrustRecord['hook'];
  /** When and how it was decided. Absent if no decision about the pin is stored. */
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

/** What a hook is, for people. */
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
    ...variables.map((name) => `The variable ${JSON.stringify(name)} can make another program run than the command names.`),
    ...(action['kind'] === 'http' ? [`It sends the data of the event to ${JSON.stringify(action['url'])}.`] : []),
    ...sent.map((name) => `It sends the value of the variable ${JSON.stringify(name)}.`),
    ...(reach.open.length === 0 ? [] : ['It runs code that is not listed.']),
  ];
}
