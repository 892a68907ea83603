import type { MessageBus } from '@tenterhook/bus';
import type {
  AggregatedHookResult,
  AggregatedHookResultOf,
  FireOptions,
  HookEventName,
  HookFieldsOf,
  NotificationInput,
  SessionEndInput,
  SessionStartInput,
} from '@tenterhook/protocol';
import { LinkedSignal, onAbort } from '@tenterhook/runtime/async';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { describeValue } from '@tenterhook/runtime/text';
import { clientOptionNames, type HookClientOptions, requireClientOptions } from './client/client-options.js';
import { createSessionClient, type HookClient } from './client/hook-client.js';
import type { HooksOnBus } from './client/hooks-on-bus.js';
import { callModelWithHooks } from './model/call-model-with-hooks.js';
import type { FinishedModelCall, ModelCall } from './model/model-call.js';
import { ModelStream } from './model/model-stream.js';
import { type ModelStreamCall, runModelStream } from './model/stream-model-with-hooks.js';
import type { Ask } from './permission/ask-user.js';
import {
  answerRules,
  compressionRules,
  modelCallRules,
  modelStreamRules,
  notificationRules,
  operationRules,
  promptRules,
  requireCall,
  sessionEndRules,
  sessionStartRules,
  toolRules,
  turnRules,
} from './require-call.js';
import {
  type Announcement,
  type AnnounceOptions,
  type Compression,
  compressWithHooks,
  endSessionWithHooks,
  notifyWithHooks,
  type SessionStartOptions,
  startSessionWithHooks,
} from './session/session-events.js';
import { executeToolWithHooks } from './tool/execute-tool-with-hooks.js';
import type { FinishedToolCall, ToolCall } from './tool/tool-call.js';
import type { ToolInput } from './tool/tool-input.js';
import type { ToolResult } from './tool/tool-result.js';
import { acceptPromptWithHooks, type PromptOptions, type ReviewedPrompt } from './turn/accept-prompt-with-hooks.js';
import { type AnswerOptions, type ReviewedAnswer, reviewAnswerWithHooks } from './turn/review-answer-with-hooks.js';
import { type AgentTurn, type FinishedTurn, runAgentTurnWithHooks } from './turn/run-agent-turn-with-hooks.js';

/** Options of one operation. If an option is missing, the option of the agent is used. */
interface OperationOptions {
  /** Asks the user. Each operation can override it. @default the user cannot be asked, so an ask is a deny */
  readonly ask?: Ask | undefined;
  /** How often an operation is repeated if a hook postpones it. An integer from 0. Each operation can override it. @default 3 */
  readonly maxRetries?: number | undefined;
  /** Aborts every operation except the end of the session. An operation can also have its own signal. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** The options of an agent, which apply to all of its methods. */
export interface AgentOptions extends HookClientOptions, OperationOptions {
  /**
   * The `session_id` of every event of this agent. It takes precedence over a `session_id` in `fields`.
   * @default the session id of the hook system
   */
  readonly sessionId?: string | undefined;
}

/**
 * Fires the hook events of one session. Each method fires the events around an operation, waits for the hooks, and obeys them. An agent
 * object needs no disposal. A program with several chats needs one per chat, because the object records which tools were called last and
 * passes their names to hooks of BeforeTool.
 *
 * Methods reject with what functions of the caller throw, and with a TypeError for wrong use. They never reject because of hooks.
 */
export interface Agent {
  /**
   * The client of the agent, for functions of this package that take a client. The `signal` of the agent does not abort events that are
   * fired with this client.
   */
  readonly client: HookClient;
  /**
   * Runs a tool: fires BeforeTool, runs the tool, and fires AfterTool. If a hook or the host asks, PermissionRequest is fired and the user
   * is asked before the tool runs. Rejects only for wrong use.
   */
  tool<Input extends object = ToolInput, Result extends ToolResult = ToolResult>(
    call: ToolCall<Input, Result>,
  ): Promise<FinishedToolCall<Input, Result>>;
  /** Calls the model: fires BeforeToolSelection and BeforeModel, calls the model, fires AfterModel. Rejects with what `call` throws. */
  model<Request, Response>(call: ModelCall<Request, Response>): Promise<FinishedModelCall<Request, Response>>;
  /**
   * Calls a model that answers in chunks: `for await (const chunk of agent.streamModel(…))`. The hooks and the model are called when the
   * loop starts. Throws a TypeError for wrong use.
   */
  streamModel<Request, Response, Chunk>(call: ModelStreamCall<Request, Response, Chunk>): ModelStream<Request, Response, Chunk>;
  /**
   * Works on a prompt: fires BeforeAgent, calls `respond`, fires AfterAgent. If a hook of AfterAgent denies, `respond` and AfterAgent are
   * repeated, at most 8 times. Rejects with what `respond` throws.
   */
  turn(turn: AgentTurn): Promise<FinishedTurn>;
  /** Fires BeforeAgent: the first half of a turn, for an agent with its own loop. Never rejects. */
  prompt(options: PromptOptions): Promise<ReviewedPrompt>;
  /** Fires AfterAgent: the second half of a turn. The caller must limit how often hooks make the agent continue. Never rejects. */
  answer(options: AnswerOptions): Promise<ReviewedAnswer>;
  readonly session: {
    /** Fires SessionStart, before the first prompt. `source` is `startup` by default. Never rejects. */
    start(options?: SessionStartOptions & { readonly source?: SessionStartInput['source'] | undefined }): Promise<Announcement>;
    /**
     * Fires SessionEnd. Await it before `dispose()`, which ends hooks that still run. `reason` is `exit` by default. Never rejects. The
     * `signal` of the agent does not abort this event, so it is also fired after Ctrl-C.
     */
    end(options?: AnnounceOptions & { readonly reason?: SessionEndInput['reason'] | undefined }): Promise<Announcement>;
  };
  /**
   * Fires Notification: the agent wants the attention of its user. Matchers of hooks are compared with `type`, e.g. `ToolPermission`.
   * `details` are further fields for hooks. Never rejects.
   */
  notify(
    notification: AnnounceOptions & {
      readonly type: NotificationInput['notification_type'];
      readonly message: string;
      readonly details?: Record<string, unknown> | undefined;
    },
  ): Promise<Announcement>;
  /** Fires PreCompress, runs `compress`, fires PostCompress. Rejects with what `compress` or `summaryOf` throws. */
  compress<Compressed>(
    compression: Compression<Compressed>,
  ): Promise<Announcement & { readonly compressed: Compressed; readonly after?: AggregatedHookResult }>;
  /** Fires any event of the catalogue, e.g. HostStart. Never rejects. If the event was not carried out, the result has `errors`. */
  fire<Name extends HookEventName>(
    eventName: Name,
    input: HookFieldsOf<Name>,
    options?: FireOptions,
  ): Promise<AggregatedHookResultOf<Name>>;
}

/**
 * Creates an agent object for the result of `createHooks()` (`hooks.agent()` is shorter) or for a bus. Throws a TypeError for invalid
 * options.
 */
export function createAgent(hooks: HooksOnBus | MessageBus, options: AgentOptions = {}): Agent {
  const { sessionId, fields, onUnavailable, local, hedge, timeoutMs, onWake, tracing, ...operation } = requireAgentOptions(options);
  const client = createSessionClient(hooks, { onUnavailable, local, hedge, timeoutMs, fields, onWake, tracing }, sessionId);
  return {
    client,
    tool: (call) => withDefaults('agent.tool', toolRules, operation, call, (whole) => executeToolWithHooks(client, whole)),
    model: (call) => withDefaults('agent.model', modelCallRules, operation, call, (whole) => callModelWithHooks(client, whole)),
    streamModel: (call) => {
      requireCall('agent.streamModel', call, modelStreamRules);
      return new ModelStream(async function* (report) {
        const { whole, release } = mergeOptions(operation, call);
        try {
          yield* runModelStream(client, whole, report);
        } finally {
          release();
        }
      });
    },
    turn: (turn) => withDefaults('agent.turn', turnRules, operation, turn, (whole) => runAgentTurnWithHooks(client, whole)),
    prompt: (prompt) => withDefaults('agent.prompt', promptRules, operation, prompt, (whole) => acceptPromptWithHooks(client, whole)),
    answer: (answer) => withDefaults('agent.answer', answerRules, operation, answer, (whole) => reviewAnswerWithHooks(client, whole)),
    session: {
      start: (start = {}) =>
        withDefaults('agent.session.start', sessionStartRules, operation, start, ({ source = 'startup', ...whole }) =>
          startSessionWithHooks(client, source, whole),
        ),
      end: async (end = {}) => {
        requireCall('agent.session.end', end, sessionEndRules);
        return endSessionWithHooks(client, end.reason ?? 'exit', { signal: end.signal });
      },
    },
    notify: (notification) =>
      withDefaults('agent.notify', notificationRules, operation, notification, ({ type, message, details = {}, signal }) =>
        notifyWithHooks(client, { type, message, details }, { signal }),
      ),
    compress: (compression) =>
      withDefaults('agent.compress', compressionRules, operation, compression, (whole) => compressWithHooks(client, whole)),
    fire: <Name extends HookEventName>(eventName: Name, input: HookFieldsOf<Name>, fireOptions: FireOptions = {}) =>
      // All other options are passed to the bus, which reports a misspelt option.
      withDefaults('agent.fire', {}, operation, fireOptions as FireOptions & OperationOptions, ({ ask, maxRetries, ...own }) => {
        const result = client.fire(eventName, input, omitUndefined(own));
        return result as Promise<AggregatedHookResultOf<Name>>;
      }),
  };
}

/** Runs an operation with the options of the agent as defaults. The signals of the agent and of the operation both abort it. */
async function withDefaults<Options extends OperationOptions, Result>(
  caller: string,
  rules: Parameters<typeof requireCall>[2],
  operation: OperationOptions,
  own: Options,
  run: (whole: Options) => Promise<Result>,
): Promise<Result> {
  requireCall(caller, own, rules);
  const { whole, release } = mergeOptions(operation, own);
  try {
    return await run(whole);
  } finally {
    release();
  }
}

/** Merges the options. `release` removes the listeners of the two signals. */
function mergeOptions<Options extends OperationOptions>(
  { ask, maxRetries, signal }: OperationOptions,
  own: Options,
): { whole: Options; release: () => void } {
  const whole = { ...own, ask: own.ask ?? ask, maxRetries: own.maxRetries ?? maxRetries, signal: own.signal ?? signal };
  if (signal === undefined || own.signal === undefined || own.signal === signal) return { whole, release: () => {} };
  const both = new LinkedSignal(signal);
  if (own.signal.aborted) both.abort(own.signal.reason);
  const stopListening = onAbort(own.signal, () => both.abort(own.signal?.reason));
  const release = () => {
    stopListening();
    both.release();
  };
  return { whole: { ...whole, signal: both.signal }, release };
}

const optionNames = ['sessionId', ...clientOptionNames, ...Object.keys(operationRules)];

function requireAgentOptions(options: AgentOptions): AgentOptions {
  if (!isPlainObject(options)) throw new TypeError(`The options of agent() must be an object, and are ${describeValue(options)}.`);
  const { ask, maxRetries, sessionId, signal } = options;
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  // Unknown options are refused. If a misspelt "onUnavailable" were ignored, the default would allow what should be blocked.
  if (unknown !== undefined) throw new TypeError(`An agent has no option "${unknown}". Its options are ${optionNames.join(', ')}.`);
  requireClientOptions('agent', options);
  requireOption('sessionId', 'a non-empty string', sessionId, (value) => typeof value === 'string' && value !== '');
  requireOption('ask', 'a function', ask, (value) => typeof value === 'function');
  requireOption('maxRetries', 'an integer from 0', maxRetries, (value) => Number.isInteger(value) && Number(value) >= 0);
  // Some callers pass the AbortController instead of its signal. Without this check, an abort would silently have no effect.
  requireOption('signal', 'an AbortSignal', signal, (value) => typeof (value as AbortSignal | null)?.aborted === 'boolean');
  return options;
}

function requireOption(name: string, wanted: string, value: unknown, isValid: (value: unknown) => boolean): void {
  if (value !== undefined && !isValid(value)) throw new TypeError(`agent: ${name} must be ${wanted}, and is ${describeValue(value)}.`);
}
