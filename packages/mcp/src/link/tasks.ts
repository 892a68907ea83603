import type { HookClient, ReviewedToolCall } from '@tenterhook/agent';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Message } from '../wire/message.js';

/** A call whose result comes later, as the result of a task. */
export interface TaskCall {
  readonly client: HookClient;
  readonly reviewed: ReviewedToolCall;
  /** Whether the user allowed the call. */
  readonly answer: 'allow' | undefined;
  readonly isModern: boolean;
}

/** The maximum number of tasks. The result of a task that was forgotten is withheld while AfterTool has hooks. */
const most = 1024;

/** The calls of tools that the server carries out as tasks, by the id of the task. */
export class Tasks {
  readonly #calls = new Map<string, TaskCall>();

  add(taskId: string, call: TaskCall): void {
    const [oldest] = this.#calls.keys();
    if (this.#calls.size >= most && oldest !== undefined) this.#calls.delete(oldest);
    this.#calls.set(taskId, call);
  }

  get(taskId: unknown): TaskCall | undefined {
    return typeof taskId === 'string' ? this.#calls.get(taskId) : undefined;
  }
}

/**
 * Returns the id of the task that a result of `tools/call` announces: in `task`, or at the top as in the extension of 2026-07-28. A result
 * with content is not an announcement, because some client would read its content.
 */
export function readTaskId(result: Message): string | undefined {
  if (Object.hasOwn(result, 'content') || Object.hasOwn(result, 'structuredContent')) return undefined;
  const task = isPlainObject(result['task']) ? result['task'] : result['resultType'] === 'task' ? result : {};
  return typeof task['taskId'] === 'string' ? task['taskId'] : undefined;
}

/** Returns a result that is not the end of a call, without what some client could read as the result of the tool. */
export function withoutContent({ content: _c, structuredContent: _s, toolResult: _t, ...rest }: Message): Message {
  if (!Object.hasOwn(rest, 'result')) return rest;
  const { result: _result, ...task } = rest;
  return { ...task, status: 'working' };
}
