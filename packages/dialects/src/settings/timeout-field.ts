import type { HookEventName } from '@tenterhook/protocol';
import * as z from 'zod';
import { shown } from '../shown.js';
import type { DocumentPath, Reporter } from './reporter.js';

/** The longest that a timer of JavaScript takes, about 25 days. */
export const maxTimeoutMs = 2147483647;

/** A timeout in milliseconds, as a JSON Schema tells it. */
export function timeoutSchema(defaultMs: number) {
  return z
    .number()
    .min(1)
    .max(maxTimeoutMs)
    .default(defaultMs)
    .describe('Milliseconds until the hook is stopped, from the start of its process.');
}

export interface TimeoutContext {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly hookId: string;
  /** What counts where nothing is written, or what is no timeout. */
  readonly defaultMs: number;
}

/** The timeout of a hook in milliseconds. What cannot be one is said, and so is what looks like seconds (field failure 60). */
export function timeoutField(value: unknown, path: DocumentPath, context: TimeoutContext): number {
  const { reporter, eventName, hookId, defaultMs } = context;
  if (value === undefined) return defaultMs;
  const place = [...path, 'timeout'];
  if (typeof value !== 'number' || !(value >= 1 && value <= maxTimeoutMs)) {
    const message = `${shown(value)} is not a number of milliseconds from 1 to ${maxTimeoutMs}. Using ${defaultMs}.`;
    reporter.report('invalid_timeout', 'error', place, message, { remedy: remedyForTimeout(value), eventName, hookId });
    return defaultMs;
  }
  const doubt = doubtAbout(value);
  if (doubt !== undefined) {
    const message = `A timeout is in milliseconds here: ${value} means ${value / 1000} s.`;
    reporter.report('suspicious_timeout', doubt.severity, place, message, { remedy: doubt.remedy, eventName, hookId });
  }
  return value;
}

/** `"5s"`, `"500"` and the like say what was meant; other values do not. */
function remedyForTimeout(value: unknown): string {
  const match = typeof value === 'string' ? /^\s*(\d{1,7})\s*(ms|s|m)?\s*$/.exec(value) : null;
  if (match === null) return 'Write a number such as 5000.';
  const factor = match[2] === 's' ? 1000 : match[2] === 'm' ? 60_000 : 1;
  const timeoutMs = Number(match[1]) * factor;
  return timeoutMs >= 1 && timeoutMs <= maxTimeoutMs ? `Write ${timeoutMs}.` : 'Write a number such as 5000.';
}

/** Below a tenth of a second nothing useful ends; whole minutes of seconds (300, 600) are what other agents have as a default. */
function doubtAbout(timeoutMs: number): { severity: 'warning' | 'note'; remedy: string } | undefined {
  if (timeoutMs > 3_600_000) return { severity: 'warning', remedy: 'If that is meant, nothing needs to change.' };
  const remedy = `If seconds were meant, write ${timeoutMs * 1000}.`;
  if (timeoutMs < 100) return { severity: 'warning', remedy };
  return timeoutMs < 1000 && timeoutMs % 60 === 0 ? { severity: 'note', remedy } : undefined;
}
