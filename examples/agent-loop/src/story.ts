import type { Content, FunctionCall, Part } from './gen-ai-shape.js';

/** A session of the agent: the project in which it works, what its user types, and what its model says. */
export interface Story {
  /** The first line that is printed. */
  readonly title: string;
  /** The project, with the hooks that are configured there. The agent works in a copy. */
  readonly workspace: string;
  /**
   * The settings files of the workspace that the program names. Their hooks run without a question. @default the settings are
   * discovered, and the user decides about the hooks of the workspace
   */
  readonly settings?: readonly string[];
  readonly sessionId: string;
  /** What the user types, one prompt after the other. */
  readonly prompts: readonly string[];
  /**
   * What the model says and calls, one entry for each call of the model. An entry reads what the model received, so that the
   * effects of hooks are visible.
   */
  readonly replies: readonly ((seen: Seen) => Content)[];
  /** Files that hooks have written into the workspace. They are shown at the end. */
  readonly leavesBehind: readonly string[];
}

/** What the model has received since its last answer. */
export interface Seen {
  readonly text: string;
  /** True if a tool did not run, or failed. */
  readonly isError: boolean;
}

export function reply(text: string, ...calls: FunctionCall[]): Content {
  const parts: Part[] = [{ text }, ...calls.map((functionCall) => ({ functionCall }))];
  return { role: 'model', parts };
}
