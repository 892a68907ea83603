import type { HookEventName } from '@tenterhook/protocol';

/** A topic in which the scripts of two agents may differ, e.g. the fields on stdin. */
export interface ContractTopic {
  readonly label: string;
  /** The events that the topic applies to. @default all */
  readonly events?: readonly HookEventName[];
}

/**
 * The topics in which scripts may differ. A migration does not change scripts, so it lists the topics in which two formats differ. The
 * contract of each format has a text for each topic: what scripts receive, or what their answers mean.
 */
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
  directory: { label: 'working directory' },
  project: { label: "the project's directory" },
  order: { label: 'hooks of one event' },
  copies: { label: 'a hook that is configured twice' },
} as const satisfies Record<string, ContractTopic>;

export type ContractTopicName = keyof typeof contractTopics;
