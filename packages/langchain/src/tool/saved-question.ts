import type { ReviewedToolCall } from '@tenterhook/agent';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Runtime, ToolRequest } from '../langchain-library.js';

/** The question of a hook as `interrupt()` takes it, in the form of `humanInTheLoopMiddleware`, so that user interfaces know it. */
export interface HookQuestion {
  readonly actionRequests: readonly [{ readonly name: string; readonly args: object; readonly description: string }];
  readonly reviewConfigs: readonly [{ readonly actionName: string; readonly allowedDecisions: readonly ['approve', 'reject'] }];
  /** The id of the call. The field is not in the form of LangChain, which asks about all calls of a message at once. */
  readonly toolCallId: string;
}

export function toQuestion({ id }: ToolRequest['toolCall'], { name, input, question }: ReviewedToolCall): HookQuestion {
  const description = question?.reason ?? `${name} needs confirmation.`;
  return {
    actionRequests: [{ name, args: input, description }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
    toolCallId: id ?? '',
  };
}

/** What LangGraph keeps about a task in `configurable`. These names are internal, so each value is checked when it is read. */
interface TaskConfig {
  readonly thread_id?: unknown;
  readonly checkpoint_ns?: unknown;
  readonly __pregel_task_id?: unknown;
  readonly __pregel_checkpointer?: unknown;
  readonly __pregel_scratchpad?: unknown;
}

/** Returns the namespace of the graph that runs a task. The last part of the namespace of a task is the task itself. */
export function graphOfTask(checkpointNs: string): string {
  return checkpointNs.split('|').slice(0, -1).join('|');
}

/** Returns how many answers the application has given to interrupts of this task. */
export function countAnswers({ configurable }: Runtime): number {
  const scratchpad = (configurable as TaskConfig | undefined)?.__pregel_scratchpad as
    | { readonly resume?: unknown; readonly nullResume?: unknown }
    | undefined;
  const answered = Array.isArray(scratchpad?.resume) ? scratchpad.resume.length : 0;
  return answered + (scratchpad?.nullResume === undefined ? 0 : 1);
}

/**
 * Returns what this task asked last, in this or in another process. An answer alone does not say which input the user has seen, so the
 * question is read where the checkpointer has saved it. Undefined if the task has not asked.
 */
export async function readSavedQuestion({ configurable }: Runtime): Promise<unknown> {
  const { thread_id, checkpoint_ns, __pregel_task_id: task, __pregel_checkpointer: saver } = (configurable ?? {}) as TaskConfig;
  if (!isSaver(saver) || typeof checkpoint_ns !== 'string') return undefined;
  // The questions of a task are saved with the graph that runs the task.
  const saved = await saver.getTuple({ configurable: { thread_id, checkpoint_ns: graphOfTask(checkpoint_ns) } });
  const asked = saved?.pendingWrites?.findLast(([id, channel]) => id === task && channel === '__interrupt__')?.[2];
  const last: unknown = Array.isArray(asked) ? asked.at(-1) : asked;
  return isPlainObject(last) ? last['value'] : undefined;
}

export function isQuestionAbout(saved: unknown, { id }: ToolRequest['toolCall']): boolean {
  return isPlainObject(saved) && saved['toolCallId'] === (id ?? '') && Array.isArray(saved['actionRequests']);
}

interface Saver {
  getTuple(config: object): Promise<{ readonly pendingWrites?: readonly (readonly [string, string, unknown])[] } | undefined>;
}

function isSaver(saver: unknown): saver is Saver {
  return typeof (saver as Partial<Saver> | undefined)?.getTuple === 'function';
}
