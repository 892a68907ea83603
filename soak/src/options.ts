import { parseArgs } from 'node:util';

export const usage = `npm run soak -- [--minutes <n> | --seconds <n>] [--seed <n>] [--load <n>] [--json]
  --minutes  how long to fire events, 0.01 to 1440 (default 1)
  --seconds  the same in seconds
  --seed     repeats the choices of an earlier run, 0 to 4294967295 (default: a new seed, which is printed)
  --load     events in flight at any time, 1 to 256 (default 12)
  --json     the figures as one JSON document on stdout
  --help     this text

Exit status: 0 no violation, 1 violations, 64 usage error, 130 interrupted, after cleaning up.`;

export interface SoakOptions {
  readonly durationMs: number;
  readonly seed: number;
  /** The number of events that are handled at any time. */
  readonly load: number;
  readonly isJson: boolean;
}

/** A usage error; its message is for the user. */
export class UsageError extends Error {
  static {
    UsageError.prototype.name = 'UsageError';
  }
}

/** Reads the options. Returns undefined if the user asks for help. Throws a UsageError. */
export function readOptions(args: readonly string[], freshSeed: () => number): SoakOptions | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  if (values.minutes !== undefined && values.seconds !== undefined) {
    throw new UsageError('--minutes and --seconds set the same duration. Give one of them.');
  }
  const seconds =
    values.seconds === undefined
      ? 60 * numberFrom('minutes', values.minutes ?? '1', 0.01, 1440)
      : numberFrom('seconds', values.seconds, 1, 86400);
  return {
    durationMs: Math.round(seconds * 1000),
    seed: values.seed === undefined ? freshSeed() : integerFrom('seed', values.seed, 0, 2 ** 32 - 1),
    load: integerFrom('load', values.load ?? '12', 1, 256),
    isJson: values.json ?? false,
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { minutes: text, seconds: text, seed: text, load: text, json: flag, help: { ...flag, short: 'h' } } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function numberFrom(name: string, text: string, least: number, most: number): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be a number from ${least} to ${most}, and is ${JSON.stringify(text)}.`);
}

function integerFrom(name: string, text: string, least: number, most: number): number {
  const value = numberFrom(name, text, least, most);
  if (Number.isInteger(value)) return value;
  throw new UsageError(`--${name} must be an integer, and is ${JSON.stringify(text)}.`);
}
