import type { HookExecutionProgress } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { createLog, guarded } from '@tenterhook/runtime/log';
import { formatContextBlock, type HookMessages } from '../client/hook-messages.js';

const log = createLog('agent');

/** An async hook that wants the agent to continue, e.g. with `asyncRewake` in Claude Code's settings and exit code 2. */
export interface Wake {
  /** What the hook printed on stderr, or on stdout if stderr is empty. Not empty. */
  readonly text: string;
  /** The text as a block `<hook_context>…</hook_context>` for the model. Use it as the next prompt, or as a part of it. */
  readonly context: string;
  readonly hookId: string;
  /** The event that started the hook. */
  readonly eventName: string;
}

/** What async hooks answered after their events. It never decides anything. */
export interface LateAnswers {
  /** Context for the model, one block `<hook_context>…</hook_context>` for each hook. */
  readonly context: readonly string[];
  /** For the conversation and the user. */
  readonly systemMessages: readonly string[];
  /** Only for the user. Says how many answers were dropped, if any. */
  readonly userMessages: readonly string[];
}

/** A progress message of a hook that ended after its event. */
export type LateEnd = Extract<HookExecutionProgress, { kind: 'hook-finished' }>;

/** The maximum number of answers that wait for the next prompt, and of their characters. The oldest ones are dropped. */
const maxAnswers = 100;
const maxChars = 1_000_000;

type Kind = keyof LateAnswers;

/** A text of a hook. The session is undefined if the events of the agent have the session id of the hook service. */
interface Waiting {
  readonly session: string | undefined;
  readonly texts: readonly (readonly [Kind, string])[];
  readonly chars: number;
}

/** The answers of async hooks that wait for the next operation of their session. Each is delivered once. */
export class LateAnswerQueue {
  readonly #onWake: ((wake: Wake) => void) | undefined;
  #waiting: Waiting[] = [];
  #chars = 0;
  readonly #dropped = new Map<string | undefined, number>();

  constructor(onWake: ((wake: Wake) => unknown) | undefined) {
    this.#onWake = onWake === undefined ? undefined : guarded(onWake, 'onWake of an agent');
  }

  /**
   * Receives the answer of a hook that ended late. `isCurrent` means that the agent works on the session of the hook, so the hook may wake
   * the agent.
   */
  receive({ eventName, hookId, outcome, rewake }: LateEnd, session: string | undefined, isCurrent: boolean): void {
    if (rewake === true) {
      const text = [outcome.stderr, outcome.stdout].find(hasText)?.trim() ?? `The hook ${hookId} ended with exit code 2.`;
      const context = formatContextBlock(text) as string;
      // A hook of another session must not wake this one. Its text waits until the agent works on that session again.
      if (this.#onWake !== undefined && isCurrent) this.#onWake({ text, context, hookId, eventName });
      else this.#add(session, [['context', context]]);
      return;
    }
    // The message may come from another process, so the output can be anything. A failed hook has no answer.
    const { output, status } = outcome;
    if (!isPlainObject(output) || (status !== 'succeeded' && status !== 'blocked')) return;
    const { systemMessage } = output as Record<string, unknown>;
    const specific: unknown = output.hookSpecificOutput;
    const { additionalContext, userMessage } = isPlainObject(specific) ? specific : {};
    const context = hasText(additionalContext) ? formatContextBlock(additionalContext) : undefined;
    this.#add(session, [
      ...(context === undefined ? [] : [['context', context] as const]),
      ...(hasText(systemMessage) ? [['systemMessages', systemMessage] as const] : []),
      ...(hasText(userMessage) ? [['userMessages', userMessage] as const] : []),
    ]);
  }

  /** Removes and returns the answers of a session, in the order in which the hooks ended. */
  take(session: string | undefined): LateAnswers {
    const taken = this.#waiting.filter((answer) => answer.session === session);
    const dropped = this.#dropped.get(session);
    if (taken.length === 0 && dropped === undefined) return noAnswers;
    this.#dropped.delete(session);
    this.#waiting = this.#waiting.filter((answer) => answer.session !== session);
    this.#chars = this.#waiting.reduce((sum, { chars }) => sum + chars, 0);
    const texts = taken.flatMap((answer) => answer.texts);
    const ofKind = (wanted: Kind) => texts.flatMap(([kind, text]) => (kind === wanted ? [text] : []));
    const notice = dropped === undefined ? [] : [describeDropped(dropped)];
    return { context: ofKind('context'), systemMessages: ofKind('systemMessages'), userMessages: [...ofKind('userMessages'), ...notice] };
  }

  clear(): void {
    this.#waiting = [];
    this.#chars = 0;
    this.#dropped.clear();
  }

  #add(session: string | undefined, texts: Waiting['texts']): void {
    if (texts.length === 0) return;
    const chars = texts.reduce((sum, [, text]) => sum + text.length, 0);
    this.#waiting.push({ session, texts, chars });
    this.#chars += chars;
    while (this.#waiting.length > maxAnswers || this.#chars > maxChars) this.#dropOldest();
  }

  #dropOldest(): void {
    const oldest = this.#waiting.shift() as Waiting;
    this.#chars -= oldest.chars;
    // For each session, only the number of dropped answers is kept. If there are too many sessions, the number of the oldest one is lost.
    // The log still has a line for each dropped answer.
    this.#dropped.set(oldest.session, (this.#dropped.get(oldest.session) ?? 0) + 1);
    if (this.#dropped.size > maxAnswers) this.#dropped.delete(this.#dropped.keys().next().value);
    log('an answer of an async hook was dropped: more than %d answers or %d characters wait for the next prompt', maxAnswers, maxChars);
  }
}

export const noAnswers: LateAnswers = Object.freeze({ context: [], systemMessages: [], userMessages: [] });

function describeDropped(count: number): string {
  const what = count === 1 ? 'The answer of 1 async hook was' : `The answers of ${count} async hooks were`;
  return `${what} dropped, because at most ${maxAnswers} answers with ${maxChars} characters wait for the next prompt. Run fewer async hooks, or let them print less.`;
}

function hasText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Adds what async hooks answered after their events to the messages of an operation. */
export function withLateMessages<Messages extends HookMessages>(messages: Messages, late: LateAnswers | undefined): Messages {
  if (late === undefined || late.systemMessages.length + late.userMessages.length === 0) return messages;
  const systemMessages = [...late.systemMessages, ...messages.systemMessages];
  return { ...messages, systemMessages, userMessages: [...late.userMessages, ...messages.userMessages] };
}
