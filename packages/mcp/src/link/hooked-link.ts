import type { HookClient } from '@tenterhook/agent';
import { getClient, tellMessage } from '@tenterhook/agent/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeThrown } from '@tenterhook/runtime/text';
import { Approvals, hasOurFields, withoutOurFields } from '../asking/approvals.js';
import { ClientAbilities } from '../asking/client-abilities.js';
import { Elicitations } from '../asking/elicitations.js';
import { type Classified, classify, createError, ErrorCode, type Message, type MessageId } from '../wire/message.js';
import type { LinkEnds, LinkOptions, LinkParts } from './link-parts.js';
import { LinkSession } from './link-session.js';
import { type Held, type OpenRequest, OpenRequests } from './open-requests.js';
import { OutputSchemas } from './output-schemas.js';
import { cancelWithServerId, noteWithClientId, withClientId, withServerId } from './request-ids.js';
import { findTaskResult, mustReview, noteTask, reviewTaskResult, withoutTaskResult } from './task-results.js';
import { Tasks } from './tasks.js';
import { ToolCalls } from './tool-calls.js';

type Request = Extract<Classified, { kind: 'request' }>;
type Notification = Extract<Classified, { kind: 'notification' }>;

/**
 * Hooks on the wire between a client and a server of MCP: messages in, messages out. Calls of tools pass the hooks, and everything else
 * passes unchanged and in order. Neither side is trusted:
 * - a call of a tool never reaches the server unless the hooks that exist at that moment have permitted it;
 * - a result of a tool never reaches the client past the hooks of AfterTool that exist then, because only the first response to an open
 *   request passes;
 * - every request gets one answer at most, and none after it was cancelled.
 *
 * While neither BeforeTool nor AfterTool has hooks, a call passes as the same object, and nothing is sent on the bus.
 */
export class HookedLink<Context = undefined> {
  readonly #parts: LinkParts<Context>;
  readonly #calls: ToolCalls<Context>;
  /** The work that has not ended. */
  readonly #running = new Set<Promise<void>>();
  #closed: Promise<void> | undefined;

  constructor(options: LinkOptions, ends: LinkEnds<Context>) {
    this.#parts = {
      options,
      ends,
      open: new OpenRequests(),
      session: new LinkSession(options.onMessage),
      abilities: new ClientAbilities(),
      elicitations: new Elicitations((message) => ends.toClient(message)),
      approvals: new Approvals(options.now),
      schemas: new OutputSchemas(),
      tasks: new Tasks(),
      serverEnd: undefined,
    };
    this.#calls = new ToolCalls(this.#parts);
  }

  /** Takes a message of the client. The promise rejects only if the message cannot be sent to the server, with the error of `toServer`. */
  fromClient(message: unknown, context?: Context): void | Promise<void> {
    const { ends, elicitations, options } = this.#parts;
    const found = classify(message);
    switch (found.kind) {
      case 'invalid':
        return this.#refuse(found.id, ErrorCode.invalidRequest, `The message ${found.problem}.`);
      case 'response':
        if (found.id === null) return this.#reportError(found.message, 'The client');
        return elicitations.take(found.message) ? undefined : ends.toServer(found.message, context);
      case 'notification':
        if (found.method === 'tools/call') {
          // There is no way to answer it.
          const text = 'A call of a tool without an id was dropped. Add an id to the message.';
          return tellMessage(options.onMessage, { text, audience: 'user', eventName: 'BeforeTool' });
        }
        return ends.toServer(found.method === 'notifications/cancelled' ? this.#takeCancel(found) : found.message, context);
      case 'request':
        return this.#takeRequest(found, context);
    }
  }

  /** Takes a message of the server. `extra` is what came with it, and goes with it to the client. */
  fromServer(message: unknown, extra?: unknown): void {
    const { ends, open, options } = this.#parts;
    const found = classify(message);
    if (found.kind === 'response') {
      if (found.id === null) this.#reportError(found.message, `The MCP server "${options.server}"`);
      else this.#takeResponse(found.message, extra);
    } else if (found.kind === 'invalid') {
      const text = `A message of the MCP server "${options.server}" was dropped: it ${found.problem}.`;
      tellMessage(options.onMessage, { text, audience: 'user', eventName: 'AfterTool' });
    } else {
      const { method, params } = found;
      const message = method === 'notifications/tasks' ? withoutTaskResult(this.#parts, found, () => this.#client()) : found.message;
      ends.toClient(noteWithClientId(message, params, open), extra);
    }
  }

  /** Cancels a request: its hooks, its question and the wait for the server end, and it gets no answer. */
  cancel(id: unknown, reason?: unknown): void {
    const request = this.#parts.open.get(id);
    if (request === undefined) return;
    this.#parts.open.cancel(request);
    request.held?.control.abort(typeof reason === 'string' && reason !== '' ? reason : 'The client cancelled the call.');
  }

  /** Tells the link that the server can answer no more. Open requests are answered with an error. Resolves when all are answered. */
  async endServer(reason: string): Promise<void> {
    const { open, ends } = this.#parts;
    this.#parts.serverEnd = reason;
    for (const request of open.list()) {
      const { held } = request;
      // Hooks of AfterTool receive the failure of a call that the server has received.
      if (held?.fail !== undefined) held.fail(new Error(reason));
      else if (held?.hasResponse !== true && open.remove(request)) {
        held?.control.abort(reason);
        ends.toClient(createError(request.id, ErrorCode.connectionClosed, reason));
      }
    }
    await this.#settled();
  }

  /** Ends all hooks and questions, fires SessionEnd, and resolves when its hooks have ended, after 5 s at most. Idempotent. Never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { open, session } = this.#parts;
    this.#parts.serverEnd ??= 'The connection was closed.';
    for (const { held } of open.takeAll()) held?.control.abort('The connection was closed.');
    await Promise.all([this.#settled(), session.end()]);
  }

  async #settled(): Promise<void> {
    await Promise.allSettled([...this.#running]);
  }

  #takeRequest(found: Request, context: Context | undefined): void | Promise<void> {
    const { ends, open, abilities, session, options, serverEnd } = this.#parts;
    const { id, method, params, message } = found;
    if (serverEnd !== undefined) return this.#refuse(id, ErrorCode.connectionClosed, serverEnd);
    const request = open.add({ id, method, params });
    if (typeof request === 'string') return this.#refuse(id, ErrorCode.invalidRequest, `The message ${request}.`);
    const isCall = method === 'tools/call';
    // In a call, the answer to a question of ours is read first.
    const ofServer = !isCall && hasOurFields(params) ? { ...message, params: withoutOurFields(params) } : message;
    const send = () => ends.toServer(withServerId(ofServer, request), context);
    if (!isCall && method !== 'initialize') return send();
    let client: HookClient;
    try {
      client = this.#client();
    } catch (error) {
      open.remove(request);
      throw error;
    }
    if (options.hasSession) session.start(client);
    if (!isCall) {
      abilities.readInitialize(params);
      return send();
    }
    // An answer to a question of ours is read also if the hooks are gone.
    if (this.#isIdle(client) && !hasOurFields(params)) return send();
    const held: Held = { control: new AbortController() };
    return this.#track(this.#calls.run({ client, request: Object.assign(request, { held }), message, context }));
  }

  #takeResponse(response: Message, extra: unknown): void {
    const { ends, open, schemas } = this.#parts;
    const request = open.ofServer(response['id']);
    // The response is late, or a second one.
    if (request === undefined) return;
    // Where there are both, no reader may take the result. Some servers write an error that is null beside each result.
    const { result: _result, ...failure } = response;
    const { error, ...success } = response;
    const hasBoth = Object.hasOwn(response, 'error') && Object.hasOwn(response, 'result');
    const one = !hasBoth ? response : error === null ? success : failure;
    if (request.held !== undefined) {
      request.held.onResponse?.(one, extra);
      return;
    }
    const { method, params } = request;
    const { taskId } = params;
    const found = findTaskResult(method, taskId, one);
    if (found !== undefined && mustReview(this.#parts, taskId, () => this.#client())) {
      const control = new AbortController();
      request.held = { control, hasResponse: true };
      void this.#track(this.#answerTask(request, reviewTaskResult(this.#parts, taskId, found, control.signal), extra));
      return;
    }
    open.remove(request);
    if (method === 'tools/list') schemas.learn(one['result']);
    if (method === 'tools/call') noteTask(this.#parts, request, one, () => this.#client());
    ends.toClient(withClientId(one, request), extra);
  }

  async #answerTask(request: OpenRequest, reviewing: ReturnType<typeof reviewTaskResult>, extra: unknown): Promise<void> {
    const { open, ends } = this.#parts;
    const answer = await reviewing.catch((error) => ({
      error: { code: ErrorCode.internalError, message: `The result was withheld: ${describeThrown(error)}` },
    }));
    if (open.remove(request)) ends.toClient({ jsonrpc: '2.0', id: request.id, ...answer }, extra);
  }

  /** Cancels a request, and returns the message for the server. */
  #takeCancel({ message, params }: Notification): Message {
    const request = this.#parts.open.get(params['requestId']);
    this.cancel(params['requestId'], params['reason']);
    return cancelWithServerId(message, params, request);
  }

  /**
   * Reports an error without an id. It is about a message that the sender could not read, and answers none. It is not passed on: some clients
   * take it for the answer to the request 0.
   */
  #reportError({ error }: Message, sender: string): void {
    const text = isPlainObject(error) ? String(error['message']) : '';
    const about = `${sender} reported an error without the id of a message: ${text}`;
    tellMessage(this.#parts.options.onMessage, { text: about, audience: 'user', eventName: 'BeforeTool' });
  }

  #isIdle(client: HookClient): boolean {
    const { session } = this.#parts;
    const hasHooks = client.has('BeforeTool') || client.has('AfterTool');
    return !hasHooks && session.starting === undefined && client.tracing === undefined;
  }

  #client(): HookClient {
    return getClient('hookMcpTransport', this.#parts.options.source, undefined);
  }

  #refuse(id: MessageId | null, code: number, message: string): void {
    this.#parts.ends.toClient(createError(id, code, message));
  }

  #track(work: Promise<void>): Promise<void> {
    const settled = work.catch(() => {}).then(() => void this.#running.delete(settled));
    this.#running.add(settled);
    return work;
  }
}
