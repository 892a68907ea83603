import type { HandlerWarning } from '../handler-warning.js';
import type { AttemptsEnd } from './run-attempts.js';

/** All that is to be said of a run, its failure included. */
export function warningsOf(hookId: string, end: AttemptsEnd, isLate: boolean): HandlerWarning[] {
  const failure = end.kind === 'failed' ? [{ code: end.code, message: end.message }] : [];
  const late = isLate ? { late: true as const } : {};
  return [...end.warnings, ...failure].map((warning) => ({ hook_id: hookId, ...warning, ...late }));
}
