import type { EventContext } from './group-context.js';
import { type DocumentPath, shown } from './reporter.js';
import { defaultTimeoutMs, hookFields, maxTimeoutMs } from './settings-schema.js';

/** The timeout of a hook in milliseconds. What cannot be one is said, and so is what looks like seconds (field failure 60). */
export function timeoutField(value: unknown, path: DocumentPath, { reporter, eventName }: EventContext, hookId: string): number {
  if (value === undefined) return defaultTimeoutMs;
  const place = [...path, 'timeout'];
  if (!hookFields.timeout.safeParse(value).success) {
    const message = `${shown(value)} is not a number of milliseconds from 1 to ${maxTimeoutMs}. Using ${defaultTimeoutMs}.`;
    reporter.report('invalid_timeout', 'error', place, message, { remedy: remedyForTimeout(value), eventName, hookId });
    return defaultTimeoutMs;
  }
  const timeoutMs = value as number;
  const doubt = doubtAbout(timeoutMs);
  if (doubt !== undefined) {
    const message = `A timeout is in milliseconds here: ${timeoutMs} means ${timeoutMs / 1000} s.`;
    reporter.report('suspicious_timeout', doubt.severity, place, message, { remedy: doubt.remedy, eventName, hookId });
  }
  return timeoutMs;
}

/** `"5s"`, `"500"` and the like say what was meant; other values do not. */
function remedyForTimeout(value: unknown): string {
  const match = typeof value === 'string' ? /^\s*(\d{1,7})\s*(ms|s|m)?\s*$/.exec(value) : null;
  if (match === null) return 'Write a number such as 5000.';
  const factor = match[2] === 's' ? 1000 : match[2] === 'm' ? 60_000 : 1;
  return `Write ${Number(match[1]) * factor}.`;
}

/** Below a tenth of a second nothing useful ends; whole minutes of seconds (300, 600) are what other agents have as a default. */
function doubtAbout(timeoutMs: number): { severity: 'warning' | 'note'; remedy: string } | undefined {
  if (timeoutMs > 3_600_000) return { severity: 'warning', remedy: 'If that is meant, nothing needs to change.' };
  const remedy = `If seconds were meant, write ${timeoutMs * 1000}.`;
  if (timeoutMs < 100) return { severity: 'warning', remedy };
  return timeoutMs < 1000 && timeoutMs % 60 === 0 ? { severity: 'note', remedy } : undefined;
}
