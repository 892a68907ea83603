import type { HookDefinition, HookEventName } from '@tenterhook/protocol';
import type { HookLoss, PortableHook } from '../portable/portable-hook.js';

/** What a dialect may know of the machine when it takes a hook out of its settings. */
export interface MigrationContext {
  readonly projectDir: string;
  /** An absolute path; `''` where there is none. */
  readonly home: string;
}

/** A hook in portable words, or a sentence that says why it has none. */
export type ReadHook = PortableHook | { readonly cannot: string };

/** Something to add to settings; nothing that is there changes. */
export interface HookAddition {
  /** The object or list that it goes into, from the top of the settings; what is missing of it is made. */
  readonly at: readonly string[];
  /** Its key, where `at` is an object. @default it goes to the end of a list */
  readonly key?: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** A list in `value`: additions to one place that follow each other and differ in nothing else become one. @default they stay apart */
  readonly joins?: string;
}

/** What stands for a hook in settings, one addition for each hook that they will hold; or why nothing can. */
export type WrittenHook =
  | { readonly additions: readonly HookAddition[]; readonly losses: readonly HookLoss[] }
  | { readonly cannot: string };

/** A switch without which the hooks of a file do not run. */
export interface HookSwitch {
  readonly path: readonly [string, ...string[]];
  readonly value: boolean;
}

/** Something in which the scripts of two agents may differ. */
export interface ContractTopic {
  readonly label: string;
  /** The events that it is about. @default all */
  readonly events?: readonly HookEventName[];
}

/** What a script is told and what its answers mean, by topic. */
export const contractTopics = {
  event: { label: 'the event on stdin' },
  session: { label: 'the session on stdin' },
  tool: { label: 'a tool on stdin', events: ['BeforeTool', 'AfterTool'] },
  file: { label: 'the file of a tool', events: ['BeforeTool', 'AfterTool'] },
  result: { label: 'the result of a tool', events: ['AfterTool'] },
  deny: { label: 'to deny a tool', events: ['BeforeTool'] },
  ask: { label: 'to ask the user', events: ['BeforeTool'] },
  permission: { label: 'to answer a request for permission', events: ['PermissionRequest'] },
  rewrite: { label: 'to change arguments', events: ['BeforeTool'] },
  feedback: { label: 'a deny after a tool', events: ['AfterTool'] },
  redact: { label: 'to replace a result', events: ['AfterTool'] },
  context: { label: 'to add context', events: ['BeforeTool', 'AfterTool', 'BeforeAgent', 'SessionStart'] },
  prompt: { label: 'to block a prompt', events: ['BeforeAgent'] },
  newPrompt: { label: 'to rewrite a prompt', events: ['BeforeAgent'] },
  goOn: { label: 'to go on after an answer', events: ['AfterAgent'] },
  stop: { label: 'to stop the agent' },
  user: { label: 'a message for the user' },
  text: { label: 'text with exit code 0' },
  failure: { label: 'JSON with exit code 1' },
  otherCode: { label: 'exit codes above 2' },
  directory: { label: 'it runs in' },
  project: { label: "the project's directory" },
  order: { label: 'hooks of one event' },
  copies: { label: 'a hook that stands twice' },
} as const satisfies Record<string, ContractTopic>;

export type ContractTopicName = keyof typeof contractTopics;

/** The side of its hooks that no migration of settings changes: a script is told, and answers, in the words of its agent. */
export interface HookContract {
  readonly topics: Readonly<Record<ContractTopicName, string>>;
  /** Events on which a block, by an answer or by exit code 2, has an effect. */
  readonly blocks: readonly HookEventName[];
  /** Events on which a block replaces the result that the model would have read. */
  readonly redacts: readonly HookEventName[];
  /** Whether text with an exit code above 2 denies, and is no failure. */
  readonly otherCodesDeny: boolean;
  /** Values of `decision` at the top of an answer that count in the product. */
  readonly decisions: readonly string[];
  /** Words of the format that a script, or a command, may hold: keys of stdin, fields of answers, variables. */
  readonly words: readonly string[];
  /** What it calls its own tools. */
  readonly tools: readonly string[];
}

/** How hooks come out of the settings of one dialect and go into those of another; pure, like all of a dialect. */
export interface HookMigration {
  /** What people call the agent: `Claude Code`. */
  readonly agent: string;
  /** All hooks of its settings in portable words, in the order given. Those that were dropped by a diagnostic are not among them. */
  read(hooks: readonly HookDefinition[], context: MigrationContext): readonly ReadHook[];
  /** The same backwards, each by itself. `there` are the hooks of the settings that they go into. */
  write(hooks: readonly PortableHook[], there: readonly HookDefinition[]): readonly WrittenHook[];
  /** @default its hooks need none */
  readonly switch?: HookSwitch;
  readonly contract: HookContract;
}
