import type { HookEventName } from '@tenterhook/protocol';
import { onAbort } from '@tenterhook/runtime/async';
import { formatThrown } from '../client/failure-text.js';

/** A question to the user. */
export interface Question {
  readonly eventName: HookEventName;
  /** The subject of the question: the name of the tool or of the model, or `prompt`. */
  readonly subject: string;
  /** The input that would be used, as hooks rewrote it. */
  readonly input: unknown;
  /** The reasons of the hooks. Absent if the approval of the host itself asks. */
  readonly reason?: string;
  /** Ids of the hooks that ask. */
  readonly by: readonly string[];
}

/** The answer of the user. `undefined` means that the user cannot answer. */
export type AskAnswer = 'allow' | 'deny' | undefined;

/**
 * Asks the user. Only `allow` permits the operation. Every other answer, an error and an abort refuse it. A promise of any `string` is
 * accepted too, because TypeScript infers this type for `async () => 'deny'`.
 */
export type Ask = (
  question: Question,
  options: { readonly signal: AbortSignal },
) => AskAnswer | Promise<AskAnswer | (string & NonNullable<unknown>)>;

/** Returns why the user did not allow the operation, or undefined if the user allowed it (decision 11). */
export async function askUser(ask: Ask | undefined, question: Question, signal: AbortSignal | undefined): Promise<string | undefined> {
  const reason = formatReason(question);
  const unasked = refusalOf(undefined, question) as string;
  const withdrawn = `The question was withdrawn before it was answered.${reason}`;
  if (ask === undefined) return unasked;
  if (signal?.aborted) return withdrawn;
  const ending = new AbortController();
  let stopListening: (() => void) | undefined;
  const aborted = new Promise<'withdrawn'>((settle) => {
    if (signal === undefined) return;
    stopListening = onAbort(signal, () => {
      // The question is settled before `ask` receives the abort. So if `ask` answers because of the abort, this answer is ignored.
      settle('withdrawn');
      ending.abort(signal.reason);
    });
  });
  try {
    const answer = await Promise.race([ask(question, { signal: ending.signal }), aborted]);
    return answer === 'withdrawn' ? withdrawn : refusalOf(answer, question);
  } catch (error) {
    return `The user could not be asked (${formatThrown(error)}).${reason}`;
  } finally {
    stopListening?.();
  }
}

/** Returns why an answer refuses the operation, or undefined if it permits the operation. Only `allow` permits it. */
export function refusalOf(answer: unknown, question: Pick<Question, 'reason'>): string | undefined {
  if (answer === 'allow') return undefined;
  if (answer === undefined) return `It needs confirmation, but no user could be asked.${formatReason(question)}`;
  return `The user did not allow it.${formatReason(question)}`;
}

function formatReason({ reason }: Pick<Question, 'reason'>): string {
  return reason === undefined ? '' : ` ${reason}`;
}
