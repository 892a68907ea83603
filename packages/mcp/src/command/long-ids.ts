import { fieldsOf } from '@tenterhook/agent/internal';
import { isUnambiguous } from '../wire/json-text.js';
import { digitsAt } from '../wire/kept-numbers.js';
import { formatLine, type Source } from '../wire/line.js';
import { createError, ErrorCode, isId } from '../wire/message.js';

/** The maximum number of ids. The oldest are dropped, because cancelled requests get no answer. */
const most = 10_000;

/**
 * The ids of requests of the client that JavaScript rounds, as the client wrote them, by the rounded ones. Answers are written with them:
 * otherwise the client would wait for an answer that it has received. A server in JavaScript rounds them, too.
 */
export class LongIds {
  readonly #digits = new Map<string, string>();

  /**
   * Notes the id of a request, and drops that of a cancelled one. Returns the line that refuses the request if another one with the same
   * rounded id has no answer yet.
   */
  note(source: Source | undefined): string | undefined {
    const { id, method, params } = fieldsOf(source?.message);
    if (method === 'notifications/cancelled') this.take(fieldsOf(params)['requestId']);
    if (source === undefined || method === undefined || !isLong(id) || !isUnambiguous(source.text)) return undefined;
    const digits = digitsAt(source.text, ['id']);
    if (digits === undefined) return undefined;
    const key = String(id);
    const other = this.#digits.get(key);
    if (other !== undefined) {
      const text = `The message has the id ${digits}, which JavaScript cannot tell from the id ${other} of a request that has no answer yet.`;
      return formatLine(createError(id, ErrorCode.invalidRequest, text), [{ path: ['id'], text: digits }]);
    }
    const oldest = this.#digits.size >= most ? this.#digits.keys().next().value : undefined;
    if (oldest !== undefined) this.#digits.delete(oldest);
    this.#digits.set(key, digits);
    return undefined;
  }

  /** Returns the id as the client wrote it, for the answer to its request. */
  take(id: unknown): string | undefined {
    if (!isLong(id)) return undefined;
    const key = String(id);
    const digits = this.#digits.get(key);
    this.#digits.delete(key);
    return digits;
  }
}

/** Whether an id may have been rounded. */
function isLong(id: unknown): id is number {
  return isId(id) && typeof id === 'number' && !(Number.isInteger(id) && Math.abs(id) < 1e15);
}
