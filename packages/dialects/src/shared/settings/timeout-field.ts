import type { HookEventName } from '@tenterhook/protocol';
import { longestTimerMs } from '@tenterhook/runtime/async';
import * as z from '@tenterhook/runtime/schema';
import { formatValue } from '../text.js';
import type { DocumentPath, Reporter } from './reporter.js';

/** Returns the schema of a timeout in milliseconds. */
export function timeoutSchema(defaultMs: number) {
  return z
    .number()
    .min(1)
    .max(longestTimerMs)
    .default(defaultMs)
    .describe('Timeout in milliseconds, from the start of the process. Then the hook is stopped.');
}

/** Returns the schema of a timeout in seconds. */
export function timeoutSchemaInSeconds() {
  return z
    .number()
    .positive()
    .max(longestTimerMs / 1000)
    .describe('Timeout in seconds, from the start of the process. Then the hook is stopped.');
}

interface TimeoutUnit {
  readonly ms: number;
  readonly name: string;
  readonly least: number;
  readonly example: number;
  /** Writes the value in the next larger unit, for messages. */
  spoken(value: number): string;
  /** Returns the remedy for a value whose author probably meant another unit. */
  doubtAbout(value: number): { readonly severity: 'warning' | 'note'; readonly remedy: string } | undefined;
}

const asMeant = 'If that is intended, change nothing.';

const units = {
  ms: {
    ms: 1,
    name: 'milliseconds',
    least: 1,
    example: 5000,
    spoken: (value) => `${value / 1000} s`,
    // Values below a tenth of a second are reported, because no useful hook ends so fast. Multiples of 60, such as 300, are
    // reported too: these are usual timeouts in seconds.
    doubtAbout(value) {
      if (value > 3_600_000) return { severity: 'warning', remedy: asMeant };
      const remedy = `If you meant seconds, write ${value * 1000}.`;
      if (value < 100) return { severity: 'warning', remedy };
      return value < 1000 && value % 60 === 0 ? { severity: 'note', remedy } : undefined;
    },
  },
  s: {
    ms: 1000,
    name: 'seconds',
    least: 0.001,
    example: 30,
    spoken: (value) => `${Math.round(value / 360) / 10} hours`,
    doubtAbout: (value) =>
      value > 3600 ? { severity: 'warning', remedy: `If you meant milliseconds, write ${value / 1000}. ${asMeant}` } : undefined,
  },
} as const satisfies Record<string, TimeoutUnit>;

export interface TimeoutContext {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly hookId: string;
  /** The timeout in milliseconds for settings that have no timeout, or an invalid one. */
  readonly defaultMs: number;
  /** The unit of the format. @default 'ms' */
  readonly unit?: keyof typeof units;
}

/**
 * Reads the timeout of a hook and returns it in milliseconds. Reports an invalid value, and a value that looks like another unit
 * (field failure 60).
 */
export function timeoutField(value: unknown, path: DocumentPath, context: TimeoutContext): number {
  const { reporter, eventName, hookId, defaultMs } = context;
  const unit: TimeoutUnit = units[context.unit ?? 'ms'];
  if (value === undefined) return defaultMs;
  const place = [...path, 'timeout'];
  const most = longestTimerMs / unit.ms;
  if (typeof value !== 'number' || !(value >= unit.least && value <= most)) {
    const message = `The timeout must be a number of ${unit.name} from ${unit.least} to ${most}, and is ${formatValue(value)}. Using ${defaultMs / unit.ms}.`;
    reporter.report('invalid_timeout', 'error', place, message, { remedy: remedyForTimeout(value, unit), eventName, hookId });
    return defaultMs;
  }
  const timeoutMs = value * unit.ms;
  const doubt = unit.doubtAbout(value);
  if (doubt !== undefined) {
    const message = `Timeouts in this format are in ${unit.name}: ${value} means ${unit.spoken(value)}.`;
    reporter.report('suspicious_timeout', doubt.severity, place, message, { remedy: doubt.remedy, eventName, hookId });
  }
  return timeoutMs;
}

/**
 * Returns the remedy for an invalid timeout. For a text such as `"5s"` or `"500"` it is the corrected value, otherwise an example.
 */
function remedyForTimeout(value: unknown, unit: TimeoutUnit): string {
  const fallback = `Write a number such as ${unit.example}.`;
  const match = typeof value === 'string' ? /^\s*(\d{1,7})\s*(ms|s|m)?\s*$/.exec(value) : null;
  if (match === null) return fallback;
  const factor = match[2] === 'ms' ? 1 : match[2] === 's' ? 1000 : match[2] === 'm' ? 60_000 : unit.ms;
  const timeoutMs = Number(match[1]) * factor;
  return timeoutMs >= 1 && timeoutMs <= longestTimerMs ? `Write ${timeoutMs / unit.ms}.` : fallback;
}
