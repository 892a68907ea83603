import { isHookEventName } from '@tenterhook/protocol';
import { matcherSubject } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { RecordedExchange } from '../format/recording.js';
import { createNormaliser, type NormaliseRules } from '../normalise/normalise-value.js';

/** A request that is matched: one of the recording, or a live one after masking. */
export interface MatchedRequest {
  readonly correlationId: string | undefined;
  readonly eventName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly recheck: boolean;
}

/**
 * When a live request fits a recorded one:
 * - `input`: both have the same event and equal inputs. Equal requests are used in recorded order.
 * - `order`: it is also the next recorded one.
 * - `subject`: both have the same event and the same subject, such as the name of the tool.
 * - `correlation`: both have the same correlation id.
 * - a function: it returns the same key for both.
 */
export type MatchMode = 'input' | 'order' | 'subject' | 'correlation' | ((request: MatchedRequest) => string);

const modes: readonly unknown[] = ['input', 'order', 'subject', 'correlation'];

/** Finds the recorded request for a live one, and uses it up. */
export class RequestMatcher {
  readonly #mode: MatchMode;
  readonly #repeatsLast: boolean;
  readonly #normalise: ReturnType<typeof createNormaliser>;
  readonly #exchanges: readonly RecordedExchange[];
  readonly #byKey = new Map<string, RecordedExchange[]>();
  readonly #lastByKey = new Map<string, RecordedExchange>();
  readonly #used = new Set<RecordedExchange>();
  #next = 0;

  constructor(exchanges: readonly RecordedExchange[], mode: MatchMode, repeatsLast: boolean, rules: NormaliseRules) {
    if (typeof mode !== 'function' && !modes.includes(mode)) {
      throw new TypeError(`match must be one of ${modes.join(', ')}, or a function, and is ${String(mode)}.`);
    }
    this.#mode = mode;
    this.#repeatsLast = repeatsLast;
    this.#normalise = createNormaliser(rules);
    this.#exchanges = exchanges;
    for (const exchange of exchanges) {
      const key = this.#keyOf(matchedRequest(exchange));
      const sameKey = this.#byKey.get(key);
      if (sameKey === undefined) this.#byKey.set(key, [exchange]);
      else sameKey.push(exchange);
    }
  }

  /** Returns the exchange that fits, or undefined. An exchange is used once, unless the last one is repeated. */
  take(request: MatchedRequest): RecordedExchange | undefined {
    const key = this.#keyOf(request);
    const found = this.#mode === 'order' ? this.#takeNext(key) : this.#byKey.get(key)?.shift();
    if (found === undefined) return this.#repeatsLast ? this.#lastByKey.get(key) : undefined;
    this.#used.add(found);
    this.#lastByKey.set(key, found);
    return found;
  }

  /** The exchanges that no request has used. */
  unused(): RecordedExchange[] {
    return this.#exchanges.filter((exchange) => !this.#used.has(exchange));
  }

  /** The exchange that had to be next. Undefined in other modes. */
  expected(): RecordedExchange | undefined {
    return this.#mode === 'order' ? this.#exchanges[this.#next] : undefined;
  }

  /** Returns an input without what differs from run to run. Ids have no numbers, because requests may come in another order. */
  comparable(request: MatchedRequest): unknown {
    const ids = { knownIds: new Set<string>(), nameId: () => 'id#' };
    return this.#normalise({ input: request.input }, '', ids);
  }

  #takeNext(key: string): RecordedExchange | undefined {
    const next = this.#exchanges[this.#next];
    if (next === undefined || this.#keyOf(matchedRequest(next)) !== key) return undefined;
    this.#next += 1;
    return next;
  }

  #keyOf(request: MatchedRequest): string {
    const { eventName, input, recheck, correlationId } = request;
    if (typeof this.#mode === 'function') return String(this.#mode(request));
    if (this.#mode === 'correlation') return correlationId ?? '';
    if (this.#mode === 'subject') return JSON.stringify([eventName, recheck, subject(eventName, input) ?? null]);
    return JSON.stringify([eventName, recheck, this.comparable(request)]);
  }
}

export function matchedRequest({ request, eventName = '', correlationId }: RecordedExchange): MatchedRequest {
  return toMatched(eventName, correlationId, request?.payload);
}

export function toMatched(eventName: string, correlationId: string | undefined, payload: unknown): MatchedRequest {
  const { input, recheck } = isPlainObject(payload) ? payload : {};
  return { correlationId, eventName, input: isPlainObject(input) ? input : {}, recheck: recheck === true };
}

function subject(eventName: string, input: Readonly<Record<string, unknown>>): string | undefined {
  return isHookEventName(eventName) ? matcherSubject(eventName, input) : undefined;
}
