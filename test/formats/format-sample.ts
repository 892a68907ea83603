import type { Dialect } from '@tenterhook/protocol';
import type { DialectConformanceOptions } from '@tenterhook/testing';
import type { CapturedInput } from '../support/captured-inputs.js';
import type { Places } from '../support/places.js';

/** A hook that a format writes. Fields that the format does not have are left out. */
export interface WrittenHook {
  readonly command: string;
  /** The format's name of the event. @default the event before a tool */
  readonly event?: string;
  readonly name?: string;
  readonly matcher?: string;
  readonly timeoutMs?: number;
  readonly onError?: 'continue' | 'block';
  readonly env?: Readonly<Record<string, string>>;
  readonly mode?: 'cold' | 'resident';
  readonly recheck?: boolean;
  /** True if the hook also runs after failed tools, in formats with a setting for it. */
  readonly runsOnError?: true;
}

/**
 * How one format writes hooks and answers. Tests of all formats take it from the file `sample.ts` in the folder of each format, so that a
 * new format is tried without a change of these tests.
 */
export interface FormatSample {
  /** The settings of the project and of the user, below the root of `Places`. */
  readonly project: string;
  readonly user: string;
  /** The name of `run_shell_command` that hooks receive, and a matcher for it. */
  readonly shell: { readonly name: string; readonly matcher: string };
  /** Creates the dialect. Its administrator's files are in the folder `etc`, and it obeys an ask. */
  dialect(etc: string): Dialect;
  /** Returns settings with these hooks, in this order. */
  settings(hooks: readonly WrittenHook[]): Readonly<Record<string, unknown>>;
  /** Settings that switch hooks off in this format, or that may be mistaken for such a switch. */
  readonly switches: Readonly<Record<string, unknown>>;
  /** What a hook before a tool prints. `input` are all arguments of the call, which an allow keeps and a rewrite replaces. */
  readonly answers: {
    allow(input: Readonly<Record<string, unknown>>): object;
    ask(reason: string): object;
    rewrite(input: Readonly<Record<string, unknown>>): object;
  };
  /** True if a second copy of a hook does not run. */
  readonly dropsCopies: boolean;
  /** True if hooks in the settings of the user start in another directory than the project. */
  readonly startsUserHooksElsewhere?: true;
  /**
   * Records that the user has reviewed the hooks that the project and the user have in these places, for agents that ask for it. Each file
   * has one hook, with this command and this matcher.
   */
  review?(places: Places, command: string, matcher?: string): void;
  /** The facts for the conformance suite. */
  readonly conformance: Omit<DialectConformanceOptions, 'dialect' | 'fire' | 'settings'>;
  /** Returns one input of every event, as the agent wrote it. `cwd`: the project in which the event is fired. */
  readonly captured: (cwd: string) => readonly CapturedInput[];
  /** The facts for the tests of `migrate`. */
  readonly migration: {
    /** Returns settings with these guards, as users of this format write them. */
    guards(commands: GuardCommands): object;
    /** Matchers as people write them. */
    readonly matchers: readonly string[];
    /** True if the format has no event for prompts, so that the guard of prompts is missing. */
    readonly lacksPrompts?: true;
    /** True if exit code 2 of a hook rejects no prompt. */
    readonly ignoresExit2OnPrompts?: true;
    /** True if a matcher names a tool of any MCP server. */
    readonly ignoresServers?: true;
    /** True if `migrate` writes a matcher for the tools of all MCP servers in place of one for the tools of one server. */
    readonly mergesServers?: true;
    /** True if the guard of secrets denies when it fails. */
    readonly closesSecrets?: true;
    /** True if a hook that denies when it fails has failed if it prints nothing. */
    readonly failsInSilence?: true;
  };
  /** How the format names tools and arguments, if it has a table of tools. */
  readonly tools?: { readonly tool: string; readonly absoluteFiles: boolean; readonly fileOfOthers?: string };
  /**
   * Another format with the same code, which differs by the values in a table. Tests whose time grows with each format run with the other
   * one alone. @default the format has code of its own
   */
  readonly representedBy?: string;
  /** The facts for the tests of the relay, if the format has a way back. */
  readonly relay?: {
    /** The file that `relay install` edits, below the home directory. Strict files have no comments. */
    readonly file: string;
    readonly strict?: true;
    /** What a user has in this file: a hook with the command `mine`, unless the file belongs to the relay alone. */
    readonly own: string;
    /** The event before a tool, a deny in an answer, and a message for the user. @default `systemMessage` */
    readonly event: string;
    readonly denied: RegExp;
    readonly message?: RegExp;
  };
}

/** The commands of the guards that tests of `migrate` write in each format. */
export interface GuardCommands {
  /** Denies shell commands that remove files. It has 5 s. */
  readonly noRemoval: string;
  /** Denies private keys in files that are written or changed. */
  readonly noSecrets: string;
  /** Denies all tools of the MCP server `gh`. */
  readonly never: string;
  /** Denies a word in a prompt. */
  readonly noWords: string;
  /** Runs after each tool, also after one that failed. */
  readonly log: string;
}

/** Groups hooks by event, as most formats do. */
export function groupedBy<Hook extends WrittenHook, Group>(
  hooks: readonly Hook[],
  usualEvent: string,
  group: (hook: Hook) => Group,
): Record<string, Group[]> {
  const groups: Record<string, Group[]> = {};
  for (const hook of hooks) {
    const event = hook.event ?? usualEvent;
    groups[event] = [...(groups[event] ?? []), group(hook)];
  }
  return groups;
}

/** Returns a copy without undefined fields. */
export function written<Value extends object>(value: Value): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(value));
}

export function seconds(timeoutMs: number | undefined): number | undefined {
  return timeoutMs === undefined ? undefined : timeoutMs / 1000;
}
