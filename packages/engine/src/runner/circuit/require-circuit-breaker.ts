import { isPlainObject } from '@tenterhook/runtime/json';
import type { CircuitBreakerOptions } from './circuit.js';

/** The bound of what one circuit remembers: so many times of failures. */
const mostFailures = 10_000;

/** The longest pause a timer of this platform knows; nothing waits here, but whoever shows the pause may. */
const longestMs = 2_147_483_647;

const fields = ['failures', 'windowMs', 'pauseMs'] as const;

/** A TypeError that names the field and its value: a circuit breaker that counts wrongly would be one that is not there. */
export function requireCircuitBreaker(options: unknown): CircuitBreakerOptions {
  if (!isPlainObject(options)) throw new TypeError(`"circuitBreaker" must be { ${fields.join(', ')} }, and is ${shown(options)}.`);
  const unknown = Object.keys(options).find((key) => !(fields as readonly string[]).includes(key));
  if (unknown !== undefined) throw new TypeError(`"circuitBreaker" has no option "${unknown}"; it has ${fields.join(', ')}.`);
  const { failures, windowMs, pauseMs } = options;
  if (!Number.isInteger(failures) || !isFrom1To(failures, mostFailures)) {
    throw new TypeError(`"circuitBreaker.failures" must be an integer from 1 to ${mostFailures}, and is ${shown(failures)}.`);
  }
  for (const [field, value] of Object.entries({ windowMs, pauseMs })) {
    if (isFrom1To(value, longestMs)) continue;
    throw new TypeError(`"circuitBreaker.${field}" must be a number of milliseconds from 1 to ${longestMs}, and is ${shown(value)}.`);
  }
  // A copy: what the caller changes later must not change what was checked.
  return { failures: failures as number, windowMs: windowMs as number, pauseMs: pauseMs as number };
}

function isFrom1To(value: unknown, most: number): value is number {
  return typeof value === 'number' && value >= 1 && value <= most;
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  return typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 40))}` : String(value);
}
