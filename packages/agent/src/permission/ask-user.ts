import type { HookEventName } from '@tenterhook/protocol';
import { messageOf } from '../message-of.js';

/** What a user is asked. */
export interface Question {
  readonly eventName: HookEventName;
  /** What it is about: the name of the tool or of the model, or `prompt`. */
  readonly subject: string;
  /** What would be carried out, as hooks rewrote it. */
  readonly input: unknown;
  /** The hooks' reasons; absent when the host's own approval asks. */
  readonly reason?: string;
  /** Ids of the hooks that ask. */
  readonly by: readonly string[];
}

/** `undefined`: nobody is there to answer. */
export type AskAnswer = 'allow' | 'deny' | undefined;

/** Asks the user. Whatever is not `allow` is a no: another answer, a throw, an abort. */
export type Ask = (question: Question, options: { readonly signal: AbortSignal }) => AskAnswer | Promise<AskAnswer>;

/** Undefined when the answer is yes, else why not (decision 11). */
export async function refusalByUser(
  ask: Ask | undefined,
  question: Question,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const asked = question.reason === undefined ? '' : ` ${question.reason}`;
  const unasked = `Nobody could be asked to confirm it.${asked}`;
  if (ask === undefined) return unasked;
  // Listened to only while the question is open: a session's signal lives for thousands of them.
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    if (ending.signal.aborted) return `The question was withdrawn before it was answered.${asked}`;
    const withdrawn = new Promise<'withdrawn'>((settle) =>
      ending.signal.addEventListener('abort', () => settle('withdrawn'), { once: true }),
    );
    const answer = await Promise.race([ask(question, { signal: ending.signal }), withdrawn]);
    if (answer === 'allow') return undefined;
    if (answer === undefined) return unasked;
    if (answer === 'withdrawn') return `The question was withdrawn before it was answered.${asked}`;
    return `The user did not allow it.${asked}`;
  } catch (error) {
    return `The question could not be put to the user (${messageOf(error)}).${asked}`;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
