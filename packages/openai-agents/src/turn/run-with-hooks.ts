import { type HookClient, reviewAnswerWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import { adapterRules, type ClientSource, HookBlockedError, tellMessage, tellMessages, toNotes } from '@tenterhook/agent/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { hookAll } from '../agent/hook-agent.js';
import {
  type AnyAgent,
  type NonStreamRunOptions,
  Runner,
  type RunResult,
  RunState,
  type StreamedRunResult,
  type StreamRunOptions,
} from '../agents-sdk.js';
import { isStopped } from '../model/made-response.js';
import { clientOf, type HookAgentOptions, type Hooked, toHooked } from '../options.js';
import { hookRunner } from './hooked-runner.js';
import { promptOf, type RunInput, userMessage, withPrompt } from './prompt.js';

/** Options of `runWithHooks`. */
export interface RunWithHooksOptions<Run = object> extends HookAgentOptions {
  /** The runner whose settings are used, and that receives the lifecycle events. @default the settings of `run()` */
  readonly runner?: Runner | undefined;
  /** The options of `run()`: `context`, `maxTurns`, `signal`, `session`, `stream`. @default none */
  readonly run?: Run | undefined;
}

const rules = {
  ...adapterRules,
  runner: { expected: 'a Runner of "@openai/agents"', isValid: (value: unknown) => value instanceof Runner },
  run: { expected: 'an object with options of run()', isValid: isPlainObject },
};

// biome-ignore lint/suspicious/noExplicitAny: a state of any context.
type State<A extends AnyAgent> = RunState<any, A>;

/**
 * Runs an agent with all its hooks: `run()` of the SDK with BeforeAgent, AfterAgent and the events of `hookAgent`, also around models that
 * agents name. If a hook of AfterAgent denies the answer, the agent runs again with the reason as the prompt, at most 8 times. The result is
 * that of the last run. A `RunState` resumes a run, so it has no prompt and no BeforeAgent. The answer of a stream has been passed on, so
 * AfterAgent changes nothing there.
 *
 * Rejects with a HookBlockedError if hooks refuse the prompt, with what the run throws, and with a TypeError for wrong use.
 */
export function runWithHooks<A extends AnyAgent, Context = undefined>(
  client: ClientSource,
  agent: A,
  input: RunInput | State<A>,
  options?: RunWithHooksOptions<NonStreamRunOptions<Context, A>>,
): Promise<RunResult<Context, A>>;
export function runWithHooks<A extends AnyAgent, Context = undefined>(
  client: ClientSource,
  agent: A,
  input: RunInput | State<A>,
  options?: RunWithHooksOptions<StreamRunOptions<Context, A>>,
): Promise<StreamedRunResult<Context, A>>;
export async function runWithHooks(
  source: ClientSource,
  agent: AnyAgent,
  input: RunInput | State<AnyAgent>,
  options?: RunWithHooksOptions<RunOptions>,
): Promise<AnyResult> {
  toHooked('runWithHooks', source, options, rules);
  const { runner: base, run = {}, ...hookOptions } = options ?? {};
  const given: Hooked = { caller: 'runWithHooks', source, options: hookOptions };
  // Without options, those with which the agent was hooked count for the whole run.
  const hooked = hookAll(given, agent, Object.keys(hookOptions).length > 0);
  const call: HookedRun = { hooked, runner: hookRunner(hooked, base), run };
  const client = clientOf(hooked);
  const prompt = input instanceof RunState ? undefined : promptOf(input);
  if (prompt === undefined || !(client.has('BeforeAgent') || client.has('AfterAgent'))) return start(call, agent, input);
  return runTurn(client, call, agent, { input: input as RunInput, prompt });
}

type RunOptions = NonStreamRunOptions<unknown, AnyAgent> | StreamRunOptions<unknown, AnyAgent>;
type AnyResult = RunResult<unknown, AnyAgent> | StreamedRunResult<unknown, AnyAgent>;

interface HookedRun {
  readonly hooked: Hooked;
  readonly runner: Runner;
  readonly run: RunOptions;
}

function start({ runner, run }: HookedRun, agent: AnyAgent, input: RunInput | State<AnyAgent>): Promise<AnyResult> {
  return runner.run(agent, input, run as never) as Promise<AnyResult>;
}

async function runTurn(
  client: HookClient,
  call: HookedRun,
  agent: AnyAgent,
  { input, prompt }: { readonly input: RunInput; readonly prompt: string },
): Promise<AnyResult> {
  const { options } = call.hooked;
  const { signal, stream } = call.run;
  let result: AnyResult | undefined;
  const turn = await runAgentTurnWithHooks(client, {
    prompt,
    ...omitUndefined({ ask: options.ask, maxRetries: options.maxRetries, signal }),
    async respond(next, { systemMessages }) {
      const text = [next, ...toNotes({ systemMessages })].join('\n\n');
      result = result === undefined ? await start(call, agent, withPrompt(input, text)) : await goOn(call, result, text);
      // The answer of a stream is not known yet.
      return stream === true || hasEnded(result) ? { text: '', stopped: true } : { text: textOf(result) };
    },
  });
  tellMessages(options.onMessage, turn, [
    ['BeforeAgent', turn.before],
    ['AfterAgent', turn.after],
  ]);
  if (result === undefined) {
    signal?.throwIfAborted();
    const reason = (turn.status === 'stopped' ? turn.stopReason : undefined) ?? turn.reason ?? 'A hook stopped the agent.';
    throw new HookBlockedError(reason, omitUndefined({ retryAfterMs: turn.retryAfterMs }));
  }
  if (stream === true) reviewStream(client, call, prompt, result as StreamedRunResult<unknown, AnyAgent>);
  // After an abort the hooks have not checked the answer, so it is not passed on.
  else signal?.throwIfAborted();
  return result;
}

/** Runs the agent again with another prompt, on the conversation as it is. */
function goOn(call: HookedRun, result: AnyResult, prompt: string): Promise<AnyResult> {
  const { session, conversationId, previousResponseId } = call.run;
  const agent = result.lastAgent ?? (result.state._currentAgent as AnyAgent);
  // A session and a service keep the conversation themselves.
  if (session !== undefined || conversationId !== undefined) return start(call, agent, prompt);
  if (previousResponseId === undefined) return start(call, agent, [...result.history, userMessage(prompt)]);
  const { lastResponseId = previousResponseId } = result;
  return start({ ...call, run: { ...call.run, previousResponseId: lastResponseId } as RunOptions }, agent, prompt);
}

/** Whether the turn has not ended with an answer: a hook stopped the agent, or a call waits for the user. */
function hasEnded(result: AnyResult): boolean {
  return (result.interruptions?.length ?? 0) > 0 || isStopped(result.rawResponses.at(-1));
}

function textOf({ finalOutput }: AnyResult): string {
  if (finalOutput === undefined || finalOutput === null) return '';
  return typeof finalOutput === 'string' ? finalOutput : (JSON.stringify(finalOutput) ?? '');
}

/** Fires AfterAgent when a stream has ended. The answer has been passed on, so the user is notified that a deny has no effect. */
function reviewStream(
  client: HookClient,
  { hooked: { options }, run: { signal } }: HookedRun,
  prompt: string,
  result: StreamedRunResult<unknown, AnyAgent>,
): void {
  const review = async () => {
    await result.completed;
    if (hasEnded(result)) return;
    const reviewed = await reviewAnswerWithHooks(client, { prompt, response: textOf(result), ...omitUndefined({ signal }) });
    tellMessages(options.onMessage, reviewed, [['AfterAgent', reviewed.after]]);
    if (reviewed.status !== 'continue') return;
    const text = `A hook of AfterAgent wants the agent to continue, but the answer of a stream has been passed on (no_effect). ${reviewed.nextPrompt}`;
    tellMessage(options.onMessage, { text, audience: 'user', eventName: 'AfterAgent' });
  };
  // The reader of the stream receives the error.
  review().catch(() => {});
}
