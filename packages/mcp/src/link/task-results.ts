import { type HookClient, runReviewedToolWithHooks } from '@tenterhook/agent';
import { tellMessages, toolEvents } from '@tenterhook/agent/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { hasInfiniteNumber, showResult } from '../results/show-result.js';
import { type Answer, writeAnswer } from '../results/write-answer.js';
import { ErrorCode, type Message } from '../wire/message.js';
import type { LinkParts } from './link-parts.js';
import type { OpenRequest } from './open-requests.js';
import { readTaskId } from './tasks.js';

const relatedTask = 'io.modelcontextprotocol/related-task';

/** The result of a tool inside of a message about a task, and how the message is with another result. */
interface FoundResult {
  readonly result: Message;
  write(answer: Answer): Answer;
}

/** Finds the result of a tool in the response to a request about a task. Undefined if there is none. */
export function findTaskResult(method: string, taskId: unknown, { result }: Message): FoundResult | undefined {
  if (!isPlainObject(result)) return undefined;
  if (method === 'tasks/result') {
    return {
      result,
      write: (answer) =>
        'error' in answer ? answer : { result: { ...answer.result, _meta: { ...metaOf(answer.result), [relatedTask]: { taskId } } } },
    };
  }
  // The extension of 2026-07-28 has no `tasks/result`: the state of a task has its result.
  const inner = result['result'];
  if (method !== 'tasks/get' || !isPlainObject(inner)) return undefined;
  return {
    result: inner,
    write: (answer) => ('error' in answer ? answer : { result: { ...result, result: answer.result } }),
  };
}

/**
 * Fires AfterTool for the result of a task, and returns what the client receives. The result of a task whose call was not reviewed is withheld.
 * `taskId` and `found` are of the message of the server.
 */
export async function reviewTaskResult<Context>(
  { tasks, options, schemas }: LinkParts<Context>,
  taskId: unknown,
  found: FoundResult,
  signal: AbortSignal,
): Promise<Answer> {
  const call = tasks.get(taskId);
  if (call === undefined) {
    const message = `The result of the task ${JSON.stringify(taskId)} was withheld, because hooks have not seen its call. Call the tool again.`;
    return { error: { code: ErrorCode.invalidParams, message } };
  }
  const { client, reviewed, answer, isModern } = call;
  if (hasInfiniteNumber(found.result)) throw new Error('a number in it is too large for hooks.');
  // Throws if the result cannot be shown to hooks. Then it is withheld.
  const shown = showResult(found.result);
  const finished = await runReviewedToolWithHooks(client, reviewed, {
    execute: () => shown,
    signal,
    ...omitUndefined({ answer }),
  });
  if (!signal.aborted) tellMessages(options.onMessage, finished, toolEvents(finished));
  const { name } = reviewed;
  return found.write(writeAnswer(finished, { name, response: { result: found.result }, isModern, hasOutputSchema: schemas.has(name) }));
}

/** Whether hooks of AfterTool may exist for the result of the task. `current` is the client that new calls have. */
export function mustReview<Context>({ tasks }: LinkParts<Context>, taskId: unknown, current: () => HookClient): boolean {
  return (tasks.get(taskId)?.client ?? current()).has('AfterTool');
}

/** Takes a result out of the announcement of a task. The client then asks for the result, and hooks see it. */
export function withoutTaskResult<Context>(
  parts: LinkParts<Context>,
  { params, message }: { readonly params: Message; readonly message: Message },
  current: () => HookClient,
): Message {
  if (!Object.hasOwn(params, 'result') || !mustReview(parts, params['taskId'], current)) return message;
  const { result: _result, ...others } = params;
  return { ...message, params: { ...others, status: 'working' } };
}

/** Remembers a task whose call no hook has seen. Hooks of AfterTool may exist when its result comes. */
export function noteTask<Context>(
  { tasks, options, abilities }: LinkParts<Context>,
  { params }: OpenRequest,
  { result }: Message,
  current: () => HookClient,
): void {
  const taskId = isPlainObject(result) ? readTaskId(result) : undefined;
  const { name, arguments: input = {} } = params;
  if (taskId === undefined || typeof name !== 'string' || !isPlainObject(input)) return;
  const mcpContext = { server_name: options.server };
  tasks.add(taskId, {
    client: current(),
    reviewed: { status: 'ready', name, input, mcpContext, systemMessages: [], userMessages: [], suppressOutput: false },
    answer: undefined,
    isModern: abilities.of(params).isModern,
  });
}

function metaOf({ _meta }: Message): Message {
  return isPlainObject(_meta) ? _meta : {};
}
