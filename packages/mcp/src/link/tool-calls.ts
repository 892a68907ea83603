import {
  type FinishedToolCall,
  type HookClient,
  notifyWithHooks,
  type Question,
  type ReviewedToolCall,
  reviewToolCallWithHooks,
  runReviewedToolWithHooks,
  type ToolInput,
  type ToolResult,
} from '@tenterhook/agent';
import { tellMessage, tellMessages, toolEvents } from '@tenterhook/agent/internal';
import { onAbort, untilAbort } from '@tenterhook/runtime/async';
import { isPlainObject, isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import { describeThrown } from '@tenterhook/runtime/text';
import { carriedFields, hasOurFields, type Retry } from '../asking/approvals.js';
import type { Abilities } from '../asking/client-abilities.js';
import { formatQuestion } from '../asking/question-text.js';
import { hasInfiniteNumber, showResult } from '../results/show-result.js';
import { type Answer, findRewriters, keepOriginal, toError, writeAnswer } from '../results/write-answer.js';
import { ErrorCode, type Message } from '../wire/message.js';
import type { LinkParts } from './link-parts.js';
import type { Held, OpenRequest } from './open-requests.js';
import { withClientId, withServerId } from './request-ids.js';
import { readTaskId, withoutContent } from './tasks.js';

/** A call of a tool that hooks decide about. */
interface HeldCall<Context> {
  readonly client: HookClient;
  readonly request: OpenRequest & { readonly held: Held };
  readonly message: Message;
  readonly context: Context | undefined;
  /** The response of the server, if it is the end of the call. */
  response?: Answer;
  /** The message with this response. Absent if the client would read more in it than hooks have seen. */
  original?: Message | undefined;
  /** Whether a hook of AfterTool received the response. */
  isResponseShown?: boolean;
  /** The response of the server, if it is not the end of the call: the server asks something, or began a task. */
  interim?: Answer;
  /** What came with the response. */
  extra?: unknown;
  /** What the sending side threw. */
  sendFailure?: { readonly error: unknown };
}

/** The answer of the user, or a result that asks the user. */
type Asked = { readonly answer: 'allow' | 'deny' | undefined } | { readonly question: Message };

/** Carries out calls of tools with their hooks: the only way of a call to the server while there are hooks. */
export class ToolCalls<Context> {
  readonly #parts: LinkParts<Context>;

  constructor(parts: LinkParts<Context>) {
    this.#parts = parts;
  }

  /** Answers one call. Rejects only with what the sending side threw. A call that was cancelled in the meantime is not answered. */
  async run(call: HeldCall<Context>): Promise<void> {
    const { ends, open } = this.#parts;
    const answer = await this.#answer(call).catch((error) => toError(ErrorCode.internalError, `The call failed: ${describeThrown(error)}`));
    if (!open.remove(call.request)) return;
    if (call.sendFailure !== undefined) throw call.sendFailure.error;
    const isOriginal = call.original !== undefined && answer === call.response;
    const message = isOriginal ? withClientId(call.original as Message, call.request) : { jsonrpc: '2.0', id: call.request.id, ...answer };
    ends.toClient(message, call.extra, call.isResponseShown);
  }

  async #answer(call: HeldCall<Context>): Promise<Answer> {
    const { options, session, abilities, approvals, schemas } = this.#parts;
    const { client, request } = call;
    const { signal } = request.held.control;
    const { name, arguments: input = {} } = request.params;
    if (typeof name !== 'string' || name === '') return toError(ErrorCode.invalidParams, 'The call has no "name" of a tool.');
    if (!isPlainObject(input)) return toError(ErrorCode.invalidParams, `${name} did not run: its "arguments" are not an object.`);
    await session.starting;
    const able = abilities.of(request.params);
    const { retry, params } = able.isModern || hasOurFields(request.params) ? approvals.read(request.params) : { params: request.params };

    const { reviewed, asked } = await this.#review(call, { name, input, params, able, retry });
    if ('question' in asked) return { result: asked.question };
    let finished: FinishedToolCall;
    try {
      finished = await runReviewedToolWithHooks(client, reviewed, {
        execute: (args) => this.#execute(call, { args, params, input, able, reviewed, answer: asked.answer }),
        // The response is not the end of the call, so AfterTool must not be fired.
        rethrows: () => call.interim !== undefined,
        signal,
        ...omitUndefined({ answer: asked.answer }),
      });
    } catch (error) {
      if (call.interim !== undefined) return call.interim;
      throw error;
    }
    call.isResponseShown = wasShown(finished.after);
    if (!signal.aborted) tellMessages(options.onMessage, finished, toolEvents(finished));
    // A protocol error passes unchanged, so only the user receives this.
    if (call.response !== undefined && 'error' in call.response) {
      for (const text of findRewriters(finished)) tellMessage(options.onMessage, { text, audience: 'user', eventName: 'BeforeTool' });
    }
    // The server has ended while it had the call.
    if (call.response === undefined && finished.status === 'failed' && this.#parts.serverEnd !== undefined) {
      return toError(ErrorCode.connectionClosed, this.#parts.serverEnd);
    }
    return writeAnswer(finished, { name, response: call.response, isModern: able.isModern, hasOutputSchema: schemas.has(name) });
  }

  async #review(
    call: HeldCall<Context>,
    known: { name: string; input: ToolInput; params: Message; able: Abilities; retry: Retry | undefined },
  ): Promise<{ readonly reviewed: ReviewedToolCall; readonly asked: Asked }> {
    const { options } = this.#parts;
    const { retry } = known;
    // Hooks are not asked about a call that does not run.
    if (retry?.answer === 'deny') return { reviewed: retry.reviewed, asked: { answer: 'deny' } };
    const reviewed = await reviewToolCallWithHooks(call.client, {
      name: known.name,
      input: known.input,
      mcpContext: { server_name: options.server },
      signal: call.request.held.control.signal,
      ...omitUndefined({ maxRetries: options.maxRetries }),
    });
    if (reviewed.status !== 'asked') return { reviewed, asked: { answer: undefined } };
    // The user has allowed the call as it was shown, and nothing else.
    if (retry !== undefined && isSameJson(retry.reviewed.input, reviewed.input)) return { reviewed, asked: { answer: 'allow' } };
    return { reviewed, asked: await this.#ask(call, reviewed, reviewed.question, known) };
  }

  async #ask(
    call: HeldCall<Context>,
    reviewed: ReviewedToolCall,
    question: Question,
    { input, params, able }: { input: ToolInput; params: Message; able: Abilities },
  ): Promise<Asked> {
    const { options, approvals, elicitations } = this.#parts;
    const { signal } = call.request.held.control;
    const { ask } = options;
    if (ask !== undefined) {
      this.#notify(call.client, question);
      const answer = await untilAbort(
        async () => ask(question, { signal }),
        signal,
        () => new Error('cancelled'),
      ).catch(() => undefined);
      return { answer: answer === undefined ? undefined : answer === 'allow' ? 'allow' : 'deny' };
    }
    if (options.approvals === undefined || !able.canAsk || signal.aborted) return { answer: undefined };
    this.#notify(call.client, question);
    const text = formatQuestion(question, options.server);
    if (able.isModern) return { question: approvals.ask(text, { reviewed, input, carried: carriedFields(params) }) };
    return { answer: await elicitations.ask(text, signal) };
  }

  /** Notifies hooks that the user is asked. The question does not wait for them. */
  #notify(client: HookClient, question: Question): void {
    const { options } = this.#parts;
    const details = { tool_name: question.subject, mcp_server: options.server };
    const message = `May ${question.subject} of the MCP server "${options.server}" run?`;
    void notifyWithHooks(client, { type: 'ToolPermission', message, details }).then((announced) =>
      tellMessages(options.onMessage, announced, [['Notification', announced.result]]),
    );
  }

  #execute(call: HeldCall<Context>, { args, params, ...known }: Executed): Promise<ToolResult> {
    const { ends, serverEnd } = this.#parts;
    const { held } = call.request;
    const { signal } = held.control;
    if (serverEnd !== undefined) return Promise.reject(new Error(serverEnd));
    return new Promise<ToolResult>((resolve, reject) => {
      const stopListening = onAbort(signal, () => reject(new Error('The call was cancelled.')));
      const end = () => {
        stopListening();
        held.onResponse = undefined;
        held.fail = undefined;
      };
      held.fail = (error) => {
        end();
        reject(error);
      };
      held.onResponse = (response, extra) => {
        end();
        held.hasResponse = true;
        call.extra = extra;
        try {
          resolve(this.#take(call, response, known));
        } catch (error) {
          reject(error);
        }
      };
      const hasInput = Object.hasOwn(params, 'arguments') || Object.keys(args).length > 0;
      // A message that no hook changed is passed as the same object, so that its text can be kept.
      const isSame = params === call.request.params && isSameJson(args, known.input);
      const message = isSame ? call.message : { ...call.message, params: hasInput ? { ...params, arguments: args } : params };
      const isShown = wasShown(known.reviewed.before, known.reviewed.permission);
      new Promise<void>((sent) => sent(ends.toServer(withServerId(message, call.request), call.context, isShown))).catch((error) => {
        // After the response, what happens to the sending side no longer matters.
        if (held.fail === undefined) return;
        call.sendFailure = { error };
        held.fail(error as Error);
      });
    });
  }

  /** Reads the response of the server. Throws if the tool has failed, or if the response is not the end of the call. */
  #take(call: HeldCall<Context>, response: Message, { input, able, reviewed, answer }: Omit<Executed, 'args' | 'params'>): ToolResult {
    const { approvals, tasks } = this.#parts;
    const { result, error } = response;
    if (isPlainObject(error)) {
      call.response = { error };
      call.original = keepOriginal(response);
      throw new Error(typeof error['message'] === 'string' ? error['message'] : 'The server answered with an error.');
    }
    if (!isPlainObject(result)) {
      call.response = toError(ErrorCode.internalError, 'The server answered with a result that is not an object.');
      throw new Error('The server answered with a result that is not an object.');
    }
    const taskId = readTaskId(result);
    const needsInput = able.isModern && result['resultType'] === 'input_required';
    if (taskId !== undefined || needsInput) {
      call.interim = { result: withoutContent(result) };
      if (taskId !== undefined)
        tasks.add(taskId, { client: call.client, reviewed, answer: answer === 'allow' ? answer : undefined, isModern: able.isModern });
      else if (answer === 'allow') approvals.keepAllowed(result, { reviewed, input });
      throw new Error('The call has not ended yet.');
    }
    // If the result cannot be shown to hooks, it is withheld.
    call.response = toError(ErrorCode.internalError, 'The result was withheld, because it cannot be shown to hooks.');
    if (call.client.has('AfterTool') && hasInfiniteNumber(result)) {
      call.response = toError(ErrorCode.internalError, 'The result was withheld, because a number in it is too large for hooks.');
      throw new Error('The result has a number that is too large.');
    }
    const shown = showResult(result);
    call.response = { result };
    call.original = keepOriginal(response);
    return shown;
  }
}

/** Whether a hook received an event. Hooks whose matcher selects other tools are skipped. */
function wasShown(...results: readonly FinishedToolCall['before'][]): boolean {
  return results.some((result) => result?.outcomes.some(({ status }) => status !== 'skipped'));
}

/** A call that is sent to the server. */
interface Executed {
  readonly args: ToolInput;
  readonly params: Message;
  readonly input: ToolInput;
  readonly able: Abilities;
  readonly reviewed: ReviewedToolCall;
  readonly answer: 'allow' | 'deny' | undefined;
}
