import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';
import { canonicalOutputSchema, eventEntry, type HookEventName, type HookOutput, hookOutputSchema } from '@tenterhook/protocol';
import { pathText } from '@tenterhook/runtime/json';

/** The most that one failure reports. Tables are long, and a broken dialect breaks most of their rows: a few of each kind are enough. */
const mostTold = 12;
const mostAlike = 3;
const mostCharacters = 400;

/** What did not hold in a case. A table is tried to its end, so that one run shows what its rows have in common. */
export class Violations {
  readonly #told: string[] = [];
  /** How often each thing was expected in vain. */
  readonly #alike = new Map<string, number>();
  #count = 0;

  add(done: string, came: string, expected: string): void {
    this.#count += 1;
    const alike = 1 + (this.#alike.get(expected) ?? 0);
    this.#alike.set(expected, alike);
    if (alike > mostAlike || this.#told.length >= mostTold) return;
    this.#told.push(`${done}\n  came:     ${came}\n  expected: ${expected}`);
  }

  /** `came` is shown as a value. */
  require(holds: boolean, done: string, came: unknown, expected: string): void {
    if (!holds) this.add(done, shown(came), expected);
  }

  /** What a call gave, in a box of its own because it may be undefined; no box where it threw, which is a violation. */
  attempt<Value>(done: string, call: () => Value): { readonly value: Value } | undefined {
    try {
      return { value: call() };
    } catch (error) {
      this.add(done, `it threw ${shown(error)}`, 'that it does not throw');
      return undefined;
    }
  }

  /** The same of a call that has to be pure: called twice it gives the same, and neither call looks at a clock or draws a random number. */
  pure<Value>(done: string, call: () => Value): { readonly value: Value } | undefined {
    const reads: string[] = [];
    const first = this.attempt(done, () => clockReads(call, reads));
    const second = first && this.attempt(`${done}, a second time`, () => clockReads(call, reads));
    if (reads.length > 0)
      this.add(done, `it called ${[...new Set(reads)].join(', ')}`, 'no clock and no chance: the same answer at any time');
    if (first !== undefined && second !== undefined && !isDeepStrictEqual(first.value, second.value)) {
      this.add(`${done}, twice`, `${shown(first.value)}\n            and then ${shown(second.value)}`, 'the same both times');
    }
    return first;
  }

  /** Throws an AssertionError when anything was added. */
  assertNone(): void {
    if (this.#count === 0) return;
    const rest = this.#count - this.#told.length;
    const more = rest > 0 ? `\n\nand ${rest} more` : '';
    throw new assert.AssertionError({ message: `${this.#told.join('\n\n')}${more}` });
  }
}

/** A value on one line, bounded. */
export function shown(value: unknown): string {
  const text =
    value instanceof Error
      ? `${value.name}: ${value.message}`
      : inspect(value, { depth: 6, compact: true, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 20, maxStringLength: 200 });
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}

/**
 * Makes a call, and notes its reads of clocks and random numbers. Calling it twice does not show them: two calls in a row see the same time.
 * The call has to be synchronous, because the watched functions are global.
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
  // It is on the prototype: the own property put in front of it is deleted afterwards, not restored.
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

/** Deeper than anything that may be passed on, and not so deep that the search itself runs out of stack. */
const deepest = 2000;

/**
 * Where a value is not what JSON would make of it again, and what stands there; undefined when it is plain JSON. Objects of classes pass by
 * their data.
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

/** Why the rest of the system cannot read an output; undefined when it can. */
export function notCanonical(output: HookOutput, eventName: HookEventName): string | undefined {
  const problem = notPlainJson(output);
  if (problem !== undefined) return problem;
  // Inherited fields are read like own ones, and are lost on the way to another process.
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
