import type { Content, FunctionCall, Part } from './gen-ai-shape.js';

/** A session of the agent: the project it works in, what its user types, and what its model says. */
export interface Story {
  /** The first line that is printed. */
  readonly title: string;
  /** The project, with the hooks that are configured there. A copy of it is used. */
  readonly workspace: string;
  readonly sessionId: string;
  /** What the user types, one prompt after the other. */
  readonly prompts: readonly string[];
  /** What the model says and calls each time it is called. It reacts to what it received, so that the effects of hooks show. */
  readonly replies: readonly ((seen: Seen) => Content)[];
  /** Files of the workspace that are shown at the end, because hooks have written them. */
  readonly leavesBehind: readonly string[];
}

/** What the model has received since its last answer. */
export interface Seen {
  readonly text: string;
  /** A tool did not run, or failed. */
  readonly isError: boolean;
}

export function reply(text: string, ...calls: FunctionCall[]): Content {
  const parts: Part[] = [{ text }, ...calls.map((functionCall) => ({ functionCall }))];
  return { role: 'model', parts };
}
