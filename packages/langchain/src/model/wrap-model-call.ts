import { callModelWithHooks, type FinishedModelCall, type HookClient, reviewResponseWithHooks } from '@tenterhook/agent';
import { modelEvents, tellMessage, tellMessages, toNotes } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { type Adapter, throwAbort } from '../adapter.js';
import { KnownCalls } from '../known-calls.js';
import {
  type AIMessage,
  type BaseMessage,
  type ModelAnswer,
  type ModelHandler,
  type ModelRequest,
  SystemMessage,
  toWholeRuntime,
} from '../langchain-library.js';
import { createEnd, markOf } from '../marks.js';
import type { LangChainRequest } from './request.js';
import { messageOf, withMessage } from './structured-answer.js';
import { toolNameOf } from './tools.js';
import { langChainTranslator } from './translator.js';

type Finished = FinishedModelCall<LangChainRequest, AIMessage>;

/**
 * Calls the model with the hooks of BeforeToolSelection, BeforeModel and AfterModel. Without such hooks, the answer of `handler` is
 * returned, which receives the same request. After a stop of a hook at a tool, the model is not called.
 */
export function wrapModelCall(adapter: Adapter, request: ModelRequest, handler: ModelHandler): ModelAnswer | Promise<ModelAnswer> {
  const { messages, tools } = request;
  const runtime = toWholeRuntime(request.runtime);
  const client = adapter.clientOf(runtime);
  if (!adapter.searched.has(tools)) nameUngated(adapter, tools);
  const stop = findStop(messages);
  if (stop !== undefined) return createEnd(stop.reason ?? 'A hook stopped the agent.', { status: 'stopped', eventName: stop.eventName });
  const isIdle = !client.has('BeforeToolSelection') && !client.has('BeforeModel') && !client.has('AfterModel');
  if (!isIdle) return callModel(adapter, client, { ...request, runtime }, handler);
  const answer = handler(request) as ModelAnswer | Promise<ModelAnswer>;
  const calls = KnownCalls.find(client, runtime);
  return calls === undefined ? answer : forgetCalls(calls, answer);
}

/** Without hooks of the model too, an approval of an earlier call must not count for a new one with the same id. */
async function forgetCalls(calls: KnownCalls, answer: ModelAnswer | Promise<ModelAnswer>): Promise<ModelAnswer> {
  const made = await answer;
  for (const { id } of messageOf(made)?.tool_calls ?? []) if (id !== undefined) calls.forget(id);
  return made;
}

async function callModel(adapter: Adapter, client: HookClient, request: ModelRequest, handler: ModelHandler): Promise<ModelAnswer> {
  const { ask, maxRetries, onMessage, afterModel } = adapter.options;
  const { signal } = request.runtime;
  const translator = langChainTranslator(request.model);
  const observes = afterModel === 'observe';
  let answer: unknown;
  let durationMs = 0;
  let finished: Finished;
  try {
    finished = await callModelWithHooks(observes ? withoutAfterModel(client) : client, {
      request: toShown(request),
      translator,
      ...omitUndefined({ ask, maxRetries, signal }),
      async call(changed) {
        const began = performance.now();
        answer = await handler(toSent(request, changed, client.has('AfterModel') && !observes));
        durationMs = performance.now() - began;
        const message = messageOf(answer);
        if (message === undefined) throw withoutMessage;
        return message;
      },
    });
  } catch (error) {
    // Another middleware answered with a command, without the model. There is no response that hooks could check.
    if (error === withoutMessage) return answer as ModelAnswer;
    throw error;
  }
  tellMessages(onMessage, finished, modelEvents(finished));
  if (finished.status === 'stopped' && finished.cancelled) throwAbort(request.runtime);
  if (observes && finished.status === 'responded') finished = await observe(adapter, client, { finished, durationMs, request, translator });
  noteCalls(client, request, finished);
  return toAnswer(finished, answer);
}

const withoutMessage = Symbol('an answer without a message of the model');

/** The part of a request that hooks see. Other fields are left out, because they have objects of the graph, which cannot be read as JSON. */
function toShown({ messages, systemMessage, tools, toolChoice, modelSettings }: ModelRequest): LangChainRequest {
  return { messages, systemMessage, tools, ...omitUndefined({ toolChoice, modelSettings }) };
}

/**
 * Returns the request with the changes of hooks. If `isHeld`, nothing of the answer is streamed before hooks have checked it: LangGraph does
 * not stream a model with the tag `nostream`, but the whole message that this middleware returns.
 */
function toSent(request: ModelRequest, changed: LangChainRequest, isHeld: boolean): ModelRequest {
  const { toolChoice: _choice, modelSettings: _settings, ...rest } = request;
  const { messages, systemMessage = new SystemMessage(''), tools, toolChoice, modelSettings } = changed;
  const fields = { messages, systemMessage, tools, ...omitUndefined({ toolChoice, modelSettings }) };
  const sent = { ...rest, ...fields } as ModelRequest;
  return isHeld ? withTag(sent, 'nostream') : sent;
}

/** A chat model, or a binding that has a chat model in `bound`. */
interface Bindable {
  readonly withConfig?: (config: object) => ModelRequest['model'];
  readonly bindTools?: unknown;
  readonly bound?: { readonly bindTools?: unknown };
  readonly config?: { readonly tags?: readonly string[] };
}

/**
 * Adds a tag to the call of the model. With a `responseFormat`, LangChain reads the abilities of the model, and of a sequence it binds the
 * model inside. Both need the object itself. Then the tag is a setting, which integrations pass on in `bindTools`.
 */
function withTag(request: ModelRequest, tag: string): ModelRequest {
  const { responseFormat, modelSettings } = request;
  const model = request.model as Bindable;
  const isBindable = typeof (model.bindTools ?? model.bound?.bindTools) === 'function';
  if (responseFormat === undefined && isBindable && model.withConfig !== undefined) {
    return { ...request, model: model.withConfig({ tags: [...(model.config?.tags ?? []), tag] }) };
  }
  const { tags } = modelSettings ?? {};
  return { ...request, modelSettings: { ...modelSettings, tags: [...(Array.isArray(tags) ? tags : []), tag] } };
}

/** Returns a client for which AfterModel has no hooks. Other methods are those of the client, also if they are those of a class. */
function withoutAfterModel(client: HookClient): HookClient {
  const has: HookClient['has'] = (eventName) => eventName !== 'AfterModel' && client.has(eventName);
  return Object.create(client, { has: { value: has } }) as HookClient;
}

interface Observed {
  readonly finished: Extract<Finished, { status: 'responded' }>;
  readonly durationMs: number;
  readonly request: ModelRequest;
  readonly translator: ReturnType<typeof langChainTranslator>;
}

/** Passes an answer that has been streamed already to the hooks of AfterModel. Of what they say, only a stop has an effect. */
async function observe(adapter: Adapter, client: HookClient, { finished, durationMs, request, translator }: Observed): Promise<Finished> {
  if (!client.has('AfterModel')) return finished;
  const { response, toolSelection } = finished;
  const { onMessage } = adapter.options;
  const { signal } = request.runtime;
  const reviewed = await reviewResponseWithHooks(client, {
    request: finished.request,
    translator,
    response,
    durationMs,
    ...omitUndefined({ toolSelection, signal }),
  });
  tellMessages(onMessage, reviewed, modelEvents({ after: reviewed.after }));
  if (reviewed.status === 'stopped') return reviewed;
  if (reviewed.response !== response) {
    const text = 'Hooks of AfterModel changed a response that was passed on already, so the change had no effect (no_effect).';
    tellMessage(onMessage, { text, audience: 'user', eventName: 'AfterModel' });
  }
  return finished;
}

/**
 * Notes which tools hooks selected for the request, so that calls of other tools are refused. The messages of hooks for everyone follow the
 * result of the first call, because the answer of the model has no place for them.
 */
function noteCalls(client: HookClient, { runtime }: ModelRequest, finished: Finished): void {
  const { toolSelection, response } = finished;
  const notes = toNotes(finished);
  const isKnown = toolSelection !== undefined || notes.length > 0;
  const calls = isKnown ? KnownCalls.of(client, runtime) : KnownCalls.find(client, runtime);
  // What is known about an earlier call with the same id is dropped, because not all services give unique ids.
  for (const [place, { id }] of (response?.tool_calls ?? []).entries()) {
    const additions = place === 0 && notes.length > 0 ? notes : undefined;
    if (id !== undefined) calls?.begin(id, omitUndefined({ toolSelection, additions }));
  }
}

/** Returns the answer for the graph. An answer that hooks did not change is what `handler` returned. */
function toAnswer(finished: Finished, answer: unknown): ModelAnswer {
  const { status, response, reason, stopReason, after, before } = finished;
  switch (status) {
    case 'responded':
      return response === messageOf(answer) ? (answer as ModelAnswer) : withMessage(answer, response);
    case 'synthetic':
      return response;
    case 'blocked':
      return createEnd(reason, { status, eventName: before === undefined ? 'BeforeToolSelection' : 'BeforeModel' });
    case 'stopped': {
      const eventName = after !== undefined ? 'AfterModel' : before !== undefined ? 'BeforeModel' : 'BeforeToolSelection';
      return createEnd(stopReason ?? reason ?? 'A hook stopped the agent.', { status, eventName });
    }
  }
}

/** Returns the mark of a hook that stopped the agent at a tool since the last prompt. */
function findStop(messages: readonly BaseMessage[]) {
  for (let place = messages.length - 1; place >= 0; place -= 1) {
    const message = messages[place] as BaseMessage;
    const type = message.getType();
    if (type === 'human') return undefined;
    const mark = type === 'tool' ? markOf(message) : undefined;
    if (mark?.status === 'stopped') return mark;
  }
  return undefined;
}

/** Names the tools that the provider runs, once: no hook of BeforeTool sees their calls. */
function nameUngated({ searched, named, options }: Adapter, tools: readonly unknown[]): void {
  searched.add(tools);
  for (const tool of tools) {
    if (toolNameOf(tool) !== undefined) continue;
    const { name, type } = (tool ?? {}) as { name?: unknown; type?: unknown };
    const shown = String(name ?? type ?? 'unknown');
    if (named.has(shown)) continue;
    named.add(shown);
    const text = `The tool "${shown}" is run by the provider of the model. Hooks of BeforeTool and AfterTool do not see its calls.`;
    tellMessage(options.onMessage, { text, audience: 'user', eventName: 'BeforeTool' });
  }
}
