import type { HookClient } from '@tenterhook/agent';
import {
  type ClientSource,
  fieldsOf,
  fieldsOfAll,
  getClient,
  listOf,
  requireAdapterOptions,
  requireClientSource,
  tellMessage,
} from '@tenterhook/agent/internal';
import { describeOption } from '@tenterhook/runtime/text';
import { acceptPrompt } from './accept-prompt.js';
import { type AgentHookOptions, agentRules, type SteeringLike } from './agent-options.js';
import { AnswerReview } from './answer-review.js';
import { type CallOptions, continueCall } from './prompt-of-call.js';

/** The methods of an agent of the AI SDK. */
export interface AgentLike {
  // The parameters differ between the versions of the SDK, so any function is accepted.
  generate(options: never): PromiseLike<unknown>;
  stream(options: never): unknown;
}

/** The agent with hooks. `stream()` returns a promise in every version, because hooks are asked first. */
export type HookedAgent<Agent extends AgentLike> =
  ReturnType<Agent['stream']> extends PromiseLike<unknown>
    ? Agent
    : Omit<Agent, 'stream'> & { stream(...options: Parameters<Agent['stream']>): Promise<ReturnType<Agent['stream']>> };

/** An agent whose methods are called, and its options. */
interface HookedTurn {
  readonly agent: { readonly [method in 'generate' | 'stream']: (options: CallOptions) => unknown };
  readonly options: AgentHookOptions;
}

/**
 * Returns the agent with hooks around its turns: BeforeAgent before `generate()` and `stream()`, which reject with a `HookBlockedError` if a
 * hook refuses the prompt, and AfterAgent after each answer, which can make the agent continue at most 8 times. Make the agent itself with
 * `withHooks`, so that its tools and its model are hooked too. Throws a TypeError for wrong options.
 */
export function hookedAgent<Agent extends AgentLike>(
  client: ClientSource,
  agent: Agent,
  options: AgentHookOptions = {},
): HookedAgent<Agent> {
  const caller = 'hookedAgent';
  requireClientSource(caller, client);
  requireAdapterOptions(caller, options, agentRules);
  if (typeof agent?.generate !== 'function' || typeof agent.stream !== 'function') {
    throw new TypeError(`${caller}: the agent must have generate() and stream(), and is ${describeOption(agent)}.`);
  }
  const turn: HookedTurn = { agent: agent as unknown as HookedTurn['agent'], options };
  const hook = (method: 'generate' | 'stream', run: typeof generateTurn) => (call: CallOptions) => {
    const current = getClient(caller, client, undefined);
    // An idle stream is a promise too, so that the type of the method does not depend on the settings of hooks.
    if (!current.has('BeforeAgent') && !current.has('AfterAgent')) {
      const result = turn.agent[method](call);
      return method === 'stream' ? Promise.resolve(result) : result;
    }
    return run(current, turn, call);
  };
  const methods = { generate: hook('generate', generateTurn), stream: hook('stream', streamTurn) };
  return new Proxy(Object.create(agent) as object, {
    get(_target, key) {
      if (key === 'generate' || key === 'stream') return methods[key];
      const value: unknown = Reflect.get(agent, key, agent);
      return typeof value === 'function' && key !== 'constructor' ? value.bind(agent) : value;
    },
    set: (_target, key, value) => Reflect.set(agent, key, value, agent),
  }) as HookedAgent<Agent>;
}

async function generateTurn(client: HookClient, turn: HookedTurn, options: CallOptions): Promise<unknown> {
  const { agent } = turn;
  const accepted = await acceptPrompt(client, turn.options, options);
  const review = new AnswerReview(client, turn.options, accepted.prompt, accepted.signal);
  const steering = client.has('AfterAgent') ? steeringOf(turn, accepted.call) : undefined;
  if (steering !== undefined) return agent.generate(observeSteps(turn, accepted.call, review, steering));
  for (let call = accepted.call; ; ) {
    const result = await agent.generate(call);
    const last = fieldsOfAll((result as { readonly steps?: unknown }).steps).at(-1);
    const next = last === undefined ? undefined : await review.next(last);
    if (next === undefined) return result;
    call = continueCall(call, responseMessages(result), next);
  }
}

async function streamTurn(client: HookClient, turn: HookedTurn, options: CallOptions): Promise<unknown> {
  const { agent } = turn;
  const accepted = await acceptPrompt(client, turn.options, options);
  if (!client.has('AfterAgent')) return agent.stream(accepted.call);
  const review = new AnswerReview(client, turn.options, accepted.prompt, accepted.signal);
  return agent.stream(observeSteps(turn, accepted.call, review, steeringOf(turn, accepted.call)));
}

/** Returns the steering object of a call: that of the caller, or a new one. Undefined for AI SDK 5 and 6, which have none. */
function steeringOf({ options }: HookedTurn, call: CallOptions): { readonly object: SteeringLike } | undefined {
  const own = call['experimental_steering'] as SteeringLike | undefined;
  const object = own ?? options.createSteering?.();
  return object === undefined ? undefined : { object };
}

/**
 * Returns the options with a callback that fires AfterAgent at each answer. The callback of the caller runs first. AI SDK 5 replaces the
 * callback of the agent's settings by that of the call, so that one is called here.
 */
function observeSteps(
  { agent, options }: HookedTurn,
  call: CallOptions,
  review: AnswerReview,
  steering: { readonly object: SteeringLike } | undefined,
): CallOptions {
  const field = call['onStepEnd'] === undefined ? 'onStepFinish' : 'onStepEnd';
  const { version, settings } = agent as { readonly version?: unknown; readonly settings?: unknown };
  const replaced = version === undefined ? fieldsOf(settings)['onStepFinish'] : undefined;
  const own = call[field] ?? replaced;
  const onStep = async (step: object) => {
    if (typeof own === 'function') await own(step);
    const next = await review.next(step);
    if (next === undefined) return;
    if (steering !== undefined) {
      // The promise settles when the message is delivered, which is after this callback.
      void steering.object.steer(next);
      return;
    }
    const text = `A hook of AfterAgent wants the agent to continue, which has no effect in this stream (no_effect): ${next} With AI SDK 7, pass the option createSteering: experimental_createSteering.`;
    tellMessage(options.onMessage, { text, audience: 'user', eventName: 'AfterAgent' });
  };
  return { ...call, [field]: onStep, ...(steering === undefined ? {} : { experimental_steering: steering.object }) };
}

/** The messages of all steps of a result. AI SDK 7 has them in a field of their own. */
function responseMessages(result: unknown): readonly unknown[] {
  const { responseMessages, response } = result as { readonly responseMessages?: unknown; readonly response?: unknown };
  return listOf(responseMessages ?? (response as { readonly messages?: unknown } | undefined)?.messages);
}
