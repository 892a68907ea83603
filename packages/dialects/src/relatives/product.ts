import type { DialectContext, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import type { ToolTable } from '../shared/tools/tool-table.js';
import type { RelativeEvent } from './input/event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/** An event, and what an agent says about it besides its own fields. */
export interface EventFacts {
  /** The event in the agent's spelling. */
  readonly event: string;
  /** The canonical fields. */
  readonly input: Fields;
  readonly projectDir: string;
  /** The value of `permission_mode`. */
  readonly mode: string;
}

/** The fields of a tool's result on stdin. */
export interface ResultFacts {
  readonly input: Fields;
  /** The text for the model. */
  readonly text: string;
  /** The error of a failed tool as a text. Undefined if the tool succeeded. */
  readonly error: string | undefined;
  /** The result as most agents pass it: that of the host, and fields that depend on the kind of the tool. */
  readonly response: Fields;
}

/**
 * An agent whose hooks have the form of Claude Code's: groups with a matcher, the events and answers of Claude Code, and its exit codes.
 * What differs is here, a file for each agent. Facts come from the public documents that each file names. A fact that no document has is
 * marked as unverified.
 */
export interface RelativeProduct {
  /** The name of the dialect. */
  readonly name: string;
  /** The name of the function that creates the dialect. */
  readonly factory: string;
  /** What people call the agent. */
  readonly agent: string;
  /** Variables that the agent sets for what it starts. */
  readonly agentVariables: readonly string[];
  /** Returns the settings files in the order in which the answers of their hooks are merged. */
  locations(context: DialectContext, managedFile: string | undefined): readonly SettingsLocation[];
  /** The settings files of a project, relative to it. The first is where new hooks are written. */
  readonly projectFiles: readonly [string, ...string[]];
  /** Files in which the whole document is the map of events, without "hooks". */
  readonly eventMaps?: readonly string[];
  /** The version that a settings file must have, if it has one. @default the files have no version */
  readonly version?: number;
  /** The events by the agent's names. */
  readonly events: Readonly<Record<string, RelativeEvent>>;
  readonly tools: ToolTable;
  /** Tools that hosts do not have. */
  readonly otherTools: readonly string[];
  /** `names`: a plain matcher is a list of whole names. `pattern`: every matcher is a regular expression that may match a part. */
  readonly matcher: 'names' | 'pattern';
  /** Tools of MCP servers are named `<tool>_<server>`, and a matcher that begins with `mcp:` names only these. @default `mcp__<server>__<tool>` */
  readonly mcpAfterTool?: true;
  readonly timeout: { readonly unit: 's' | 'ms'; readonly fallback: number };
  /** The types of hooks. */
  readonly types: readonly ('command' | 'prompt')[];
  /** Fields of a hook that only this agent has. */
  readonly hookFields: readonly string[];
  /** True if a hook can have variables in `env`. */
  readonly hasEnv?: true;
  /** True if a command that is configured twice runs once. */
  readonly dropsCopies?: true;
  /** How often in a row a group may make the agent continue if it has no `loop_limit`. @default groups have no such field */
  readonly loopLimit?: number;
  /** True if hooks start in the project, wherever the agent works. @default in the working directory of the event */
  readonly startsInProject?: true;
  /** True if new arguments are laid over the given ones. @default they replace them */
  readonly mergesInput?: true;
  /** Another name of `updatedInput`. */
  readonly otherInputField?: string;
  /** True if the agent's documents have an ask. */
  readonly asks: boolean;
  /** True if `disableAllHooks` switches the hooks of a file off. */
  readonly hasSwitch?: true;
  /** Returns the fields that every event has. */
  common(facts: EventFacts): Fields;
  /** Returns the fields of a result. @default `tool_response` */
  result?(facts: ResultFacts): Fields;
  /** Returns canonical fields for those fields of the agent that have other names. @default none have */
  canonical?(given: Fields): Fields;
  /** Returns the variables of a hook. `plugin` is missing here: the agent's plugins are not read. */
  variables(facts: Omit<EventFacts, 'mode'> & { readonly toolName: string | undefined }): Readonly<Record<string, unknown>>;
  /** The variable with the project's directory. */
  readonly projectVariable: string;
  /** All names of variables that `variables` may return. */
  readonly variableNames: readonly string[];
  readonly starter: StarterSettings;
}

/** Returns the settings that `tenterhook init` writes: one hook for the shell that denies also if it fails. */
export function starterOf(
  file: string,
  folder: string,
  matcher: string,
  variable: string,
  more: { readonly timeout: number; readonly isEventMap?: true; readonly version?: number },
): StarterSettings {
  const script = `${folder}/hooks/guard.mjs`;
  const hook = { type: 'command', command: `node "$${variable}"/${script}`, timeout: more.timeout, onError: 'block' };
  const events = { PreToolUse: [{ matcher, hooks: [hook] }] };
  const version = more.version === undefined ? {} : { version: more.version };
  return { file, script, settings: more.isEventMap ? events : { ...version, hooks: events } };
}
