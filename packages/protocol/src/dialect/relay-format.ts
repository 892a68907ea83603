import type { HookEventName } from '../events/event-catalogue.js';
import type { HookDefinition } from '../hooks/hook-definition.js';
import type { AggregatedHookResult } from '../results/aggregated-result.js';

/**
 * What an answer can make an agent do on an event:
 * - `deny`, `ask`, `allow`: decide about the operation; `stop`: end the agent loop
 * - `input`, `result`, `prompt`, `model`, `tools`: replace the arguments, the result, the prompt, the request or response of the model, the
 *   selection of tools
 * - `context`: add text for the model; `user`: show text to the user
 */
export const relayEffects = ['deny', 'ask', 'allow', 'stop', 'input', 'result', 'prompt', 'model', 'tools', 'context', 'user'] as const;

/** What an answer can make an agent do on an event. */
export type RelayEffect = (typeof relayEffects)[number];

/** Events at which a deny keeps nothing from happening: it is feedback. */
const afterwards: readonly HookEventName[] = ['AfterTool', 'AfterAgent', 'SubagentStop'];

/** Tests whether an event comes too late for a deny. */
export function isAfterwards(eventName: HookEventName): boolean {
  return afterwards.includes(eventName);
}

/** What the relay answers if hooks could not be asked, or if the agent cannot do what they said. */
export interface RelayPolicy {
  /** `open`: the operation proceeds if no hook could be asked. `closed`: it is denied, where the agent can deny it. */
  readonly onFailure: 'open' | 'closed';
  /** `native`: an ask is passed on where the agent can sometimes ask. `deny`: it is passed on only where the agent always asks. */
  readonly ask: 'deny' | 'native';
  /** `deny`: if a rewrite cannot be passed on, the operation is denied. `warn`: it proceeds without the rewrite. */
  readonly onLoss: 'deny' | 'warn';
}

/** The words of each part of a policy, the strictest first. Lists of guards, options and stored answers are read and written by this table. */
export const relayPolicyWords = {
  onFailure: ['closed', 'open'],
  ask: ['deny', 'native'],
  onLoss: ['deny', 'warn'],
} as const satisfies { readonly [Part in keyof RelayPolicy]: readonly RelayPolicy[Part][] };

/** Returns the strictest of several words of one part of a policy. */
export function strictestWord(part: keyof RelayPolicy, words: readonly string[]): string | undefined {
  return relayPolicyWords[part].find((word) => words.includes(word));
}

/** Returns the parts of a policy that a larger object has. */
export function policyIn(fields: Readonly<Partial<RelayPolicy>>): Readonly<Partial<RelayPolicy>> {
  return Object.fromEntries(
    Object.keys(relayPolicyWords).flatMap((part) => {
      const word = fields[part as keyof RelayPolicy];
      return word === undefined ? [] : [[part, word]];
    }),
  );
}

/** An event of the agent in canonical fields. */
export interface HeardInput {
  readonly eventName: HookEventName;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the agent wrote to stdin. */
export type Heard =
  /** The hooks are asked about each of `inputs`. There are several if one call of the agent has several parts. */
  | {
      readonly kind: 'events';
      readonly event: string;
      readonly payload: Readonly<Record<string, unknown>>;
      readonly inputs: readonly HeardInput[];
    }
  /** No hook is asked, and the answer has no opinion. */
  | { readonly kind: 'neutral'; readonly event: string }
  /** The input cannot be read. */
  | { readonly kind: 'refused'; readonly reason: string };

/** A part of the verdict that the agent cannot carry out as it is. */
export interface RelayLoss {
  readonly effect: RelayEffect;
  /** A sentence for people. */
  readonly message: string;
}

/** What the agent receives: the exit code and the two outputs of the command. */
export interface RelayAnswer {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly losses: readonly RelayLoss[];
}

/** The command that the agent starts for each event. */
export interface RelayCommand {
  /** The program: an absolute path, or a name that is found in PATH. */
  readonly program: string;
  readonly args: readonly string[];
  /** The shell command to write instead of program and arguments. @default the program with its arguments, quoted */
  readonly shell?: string;
}

/** How an entry in the agent's settings differs from the usual one. */
export interface RelayEntryOptions {
  /** The time in milliseconds after which the agent stops waiting. */
  readonly timeoutMs: number;
  readonly onFailure: RelayPolicy['onFailure'];
}

/** One entry for the settings of the agent. */
export interface SettingsAddition {
  /** The path of the list or object that the entry is added to. */
  readonly at: readonly string[];
  /** The key of the entry in an object. @default the entry is added to the end of a list */
  readonly key?: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Settings without which the agent would run no hook. A number is never changed: with another number, the file is not edited. */
  readonly switches?: readonly { readonly path: readonly string[]; readonly value: boolean | number }[];
}

/** An event of the agent for which an entry can be installed. */
export interface RelayEvent {
  readonly eventName: HookEventName;
  /** What an answer to this event can make the agent do. Several events of the agent can have one canonical name, and do different things. */
  readonly powers: readonly RelayEffect[];
  /** `asked`: the entry is installed only if the user names the event. */
  readonly install: 'always' | 'asked';
  /** The longest time in milliseconds that the agent waits for a hook of this event. @default no limit */
  readonly maxTimeoutMs?: number;
  /** True if the agent asks its user only sometimes when an answer asks. An ask is then passed on only with the policy `native`. @default false */
  readonly asksSometimes?: true;
}

/** The directories in which settings files are. */
export interface RelayPlaces {
  readonly projectDir: string;
  readonly home: string;
}

/** Where the settings of the user are. */
export interface UserPlaces {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** How an agent is recognised that runs the hooks in another agent's settings too. */
export interface RelayVisits {
  /** Tests whether this agent wrote the input. The environment does not tell: programs that an agent starts inherit it. */
  wrote(payload: Readonly<Record<string, unknown>>): boolean;
  /**
   * Returns the agent's own event for an event of another agent: the one that is fired for the same calls. Undefined if there is none.
   * `dialect` is the name of the other agent's dialect.
   */
  eventOf(dialect: string, event: string): string | undefined;
}

/** Results of hooks that a later event of the same call needs, and the key under which it asks for them. */
export interface RelayKept {
  readonly key: string;
  readonly results: readonly AggregatedHookResult[];
}

/**
 * How several events of the agent belong to one call of a tool. A process that answers many events can then run the hooks once for a call,
 * and give a text to the model with a later event. A process that answers one event does not use it.
 */
export interface RelayCallMemory {
  /** Splits the results: what is said now, and what is kept for later events of the call. */
  keep(
    heard: Heard,
    results: readonly AggregatedHookResult[],
  ): { readonly said: readonly AggregatedHookResult[]; readonly kept: readonly RelayKept[] };
  /** Returns the key of kept results that answer this event, so that no hook runs again. Undefined if the hooks must run. */
  answeredBy(heard: Heard): string | undefined;
  /** Returns the key of kept results that are said with this event, besides those of its own hooks. Undefined if there are none. */
  completedBy(heard: Heard): string | undefined;
}

/**
 * Tools of an agent that do the work of a canonical tool under a name of their own, such as a second shell. Hooks in the agent's own format
 * receive such a call as the agent has written it. Hooks of other formats receive it under the canonical name, and their matchers may use
 * either name. All methods are pure.
 */
export interface RelayOtherTools {
  /** Returns the canonical name of such a tool, or undefined for any other tool. */
  nameOf(tool: string): string | undefined;
  /** Returns the arguments of a call under the canonical keys. `cwd` is the working directory. */
  toCanonical(tool: string, input: Readonly<Record<string, unknown>>, cwd: string): Readonly<Record<string, unknown>>;
  /**
   * Converts arguments that a hook wrote to the keys of the tool. `given` are the arguments of the call. Returns undefined if the tool cannot
   * do what the hook wrote.
   */
  toAgent(
    tool: string,
    written: Readonly<Record<string, unknown>>,
    given: Readonly<Record<string, unknown>>,
    cwd: string,
  ): Readonly<Record<string, unknown>> | undefined;
}

/**
 * The way back of a dialect: the agent itself starts Tenterhook as its hook. All methods are pure. What the agent cannot carry out is said
 * stricter, never looser. If nothing stricter exists, `say` returns a loss and tells the user. A failure and a text are never an allow.
 */
export interface RelayFormat {
  /** What people call the agent. */
  readonly agent: string;
  /** True if the agent's settings must not have comments or trailing commas. @default they may */
  readonly strictJson?: boolean;
  /** The events by the agent's names. */
  readonly events: Readonly<Record<string, RelayEvent>>;
  /** Returns settings files of other agents whose hooks this agent runs. @default none */
  runsToo?(context: RelayPlaces): readonly string[];
  /**
   * The name of the file of the entries, if the agent reads all files of a folder (`SettingsLocation.folder`).
   * @default the entries are written into the file of the location
   */
  readonly ownFile?: string;
  /** How the agent runs the entries in the settings of other agents. @default it runs only its own */
  readonly visits?: RelayVisits;
  /** Tools that do the work of a canonical tool under a name of their own. @default the agent has none */
  readonly otherTools?: RelayOtherTools;
  /** How several events belong to one call. @default each event is a call of its own */
  readonly sameCall?: RelayCallMemory;
  /** Returns why the agent would not read a settings file with this text at all. Such a file is not edited. @default it reads any JSON */
  unread?(text: string): string | undefined;
  /** What the user has to do before the agent runs new entries, in full sentences. @default to restart the agent */
  readonly afterInstall?: string;
  /** What the agent's own hooks can do if they run after the entry, as a sentence. @default that they may rewrite what was judged */
  readonly laterHooks?: string;
  /** What is different if the agent runs without a person, such as in CI, as sentences. @default nothing */
  readonly unattended?: readonly string[];
  /** Returns the entry that makes the agent run the command on an event. */
  entry(event: string, command: RelayCommand, options: RelayEntryOptions): SettingsAddition;
  /**
   * Returns TOML with which the user of the agent accepts entries, and the file for it. `hooks` are the entries, as the dialect has parsed
   * them. @default the agent cannot be answered in a file
   */
  accepted?(hooks: readonly HookDefinition[], places: UserPlaces): { readonly file: string; readonly toml: string };
  /** Reads what the agent wrote to stdin. `payload` is the parsed JSON. */
  hear(payload: unknown, event: string): Heard;
  /** Writes the results, one for each input of `heard`, as the agent reads them. */
  say(results: readonly AggregatedHookResult[], heard: Heard, policy: RelayPolicy): RelayAnswer;
  /** Returns the answer if the hooks could not be asked. `message` says why. */
  failed(event: string, policy: RelayPolicy, message: string): RelayAnswer;
  /** Returns what an answer can make the agent do, on any of its events with this canonical name. */
  can(eventName: HookEventName): readonly RelayEffect[];
}
