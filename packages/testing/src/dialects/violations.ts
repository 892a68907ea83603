import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';
import { eventEntry, type HookEventName, type HookOutput } from '@tenterhook/protocol';
import { canonicalOutputSchema, hookOutputSchema } from '@tenterhook/protocol/internal';
import { pathText } from '@tenterhook/runtime/json';

/**
 * Limits of one failure report. A broken dialect fails in most of the many rows of a case, and a few failures of each kind are
 * enough.
 */
const mostReported = 12;
const mostAlike = 3;
const mostCharacters = 400;

/**
 * Collects the failures of a case. After a failure the other rows are still tried, so that one run shows what the failing rows have
 * in common.
 */
export class Violations {
  readonly #reported: string[] = [];
  /** The number of failures by expectation. */
  readonly #alike = new Map<string, number>();
  #count = 0;

  add(done: string, came: string, expected: string): void {
    this.#count += 1;
    const alike = 1 + (this.#alike.get(expected) ?? 0);
    this.#alike.set(expected, alike);
    if (alike > mostAlike || this.#reported.length >= mostReported) return;
    this.#reported.push(`${done}\n  came:     ${came}\n  expected: ${expected}`);
  }

  /** Adds a violation if `holds` is false. `came` is the actual result. */
  require(holds: boolean, done: string, came: unknown, expected: string): void {
    if (!holds) this.add(done, shown(came), expected);
  }

  /**
   * Calls a function and returns `{ value }` with its result, which may be undefined. If the function throws, adds a violation and
   * returns undefined.
   */
  attempt<Value>(done: string, call: () => Value): { readonly value: Value } | undefined {
    try {
      return { value: call() };
    } catch (error) {
      this.add(done, `it threw ${shown(error)}`, 'no error');
      return undefined;
    }
  }

  /**
   * Does what `attempt` does, for a call that must be pure. The call is made twice: it must return the same result, and read
   * neither a clock nor a random number.
   */
  pure<Value>(done: string, call: () => Value): { readonly value: Value } | undefined {
    const reads: string[] = [];
    const first = this.attempt(done, () => clockReads(call, reads));
    const second = first && this.attempt(`${done}, a second time`, () => clockReads(call, reads));
    if (reads.length > 0)
      this.add(done, `it called ${[...new Set(reads)].join(', ')}`, 'no clock and no random number: the same answer at any time');
    if (first !== undefined && second !== undefined && !isDeepStrictEqual(first.value, second.value)) {
      this.add(`${done}, twice`, `${shown(first.value)}\n            and then ${shown(second.value)}`, 'the same both times');
    }
    return first;
  }

  /** Throws an AssertionError if a violation was added. */
  assertNone(): void {
    if (this.#count === 0) return;
    const rest = this.#count - this.#reported.length;
    const more = rest > 0 ? `\n\nand ${rest} more` : '';
    throw new assert.AssertionError({ message: `${this.#reported.join('\n\n')}${more}` });
  }
}

/** Returns a value on one line, shortened. */
export function shown(value: unknown): string {
  const text =
    value instanceof Error
      ? `${value.name}: ${value.message}`
      : inspect(value, { depth: 6, compact: true, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 20, maxStringLength: 200 });
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}

/**
 * Calls a function and records its reads of clocks and random numbers. Comparing the results of two calls was rejected, because
 * both may see the same time. The call must be synchronous, because the watched functions are global.
 */
export function clockReads<Value>(call: () => Value, reads: string[]): Value {
  const { Date: realDate, performance } = globalThis;
  const { random } = Math;
  const now = performance.now.bind(performance);
  globalThis.Date = new Proxy(realDate, {
    construct(target, args, newTarget) {
      if (args.length === 0) reads.push('new Date()');
      return Reflect.construct(target, args, newTarget) as Date;
    },
    apply(target) {
      reads.push('Date()');
      return target();
    },
    get(target, key) {
      if (key === 'now') reads.push('Date.now()');
      return Reflect.get(target, key) as unknown;
    },
  });
  Math.random = () => {
    reads.push('Math.random()');
    return random();
  };
  // `now` is inherited. So the original is visible again when this own property is deleted.
  Object.defineProperty(performance, 'now', {
    configurable: true,
    value: () => {
      reads.push('performance.now()');
      return now();
    },
  });
  try {
    return call();
  } finally {
    globalThis.Date = realDate;
    Math.random = random;
    Reflect.deleteProperty(performance, 'now');
  }
}

/** The maximum depth of the search. Real values are less deep, and a search of this depth does not overflow the stack. */
const deepest = 2000;

/**
 * Returns the first path where JSON would change a value, with the reason. Returns undefined if the value is plain JSON. Of an
 * instance of a class, only the data is checked.
 */
export function notPlainJson(value: unknown, path: readonly (string | number)[] = []): string | undefined {
  const found = (what: string) => `${path.length === 0 ? 'it' : pathText(path)} ${what}`;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : found(`is ${value}`);
    case 'object':
      break;
    default:
      return found(`is ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}`);
  }
  if (value === null) return undefined;
  if (path.length > deepest) return found('is nested too deeply');
  if (!Array.isArray(value)) {
    if (Object.prototype.toString.call(value) !== '[object Object]' || 'toJSON' in value)
      return found('is an object that JSON does not have');
    const symbol = Object.getOwnPropertySymbols(value)[0];
    if (symbol !== undefined) return found(`has a field ${String(symbol)}`);
  }
  for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const problem = notPlainJson(item, [...path, key]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns why the rest of the system cannot read an output, or undefined if it can. */
export function notCanonical(output: HookOutput, eventName: HookEventName): string | undefined {
  const problem = notPlainJson(output);
  if (problem !== undefined) return problem;
  // Inherited fields can be read, but sending the output to another process loses them.
  if (![Object.prototype, null].includes(Object.getPrototypeOf(output))) return 'it inherits from another object';
  const specific = output.hookSpecificOutput;
  const parts = [
    { schema: hookOutputSchema, value: output, at: [] },
    { schema: canonicalOutputSchema, value: specific, at: ['hookSpecificOutput'] },
    { schema: eventEntry(eventName).specificOutput, value: specific, at: ['hookSpecificOutput'] },
  ];
  for (const { schema, value, at } of parts) {
    const issue = value === undefined ? undefined : schema.safeParse(value).error?.issues[0];
    if (issue !== undefined) return `${pathText([...at, ...issue.path])}: ${issue.message}`;
  }
  return undefined;
}
