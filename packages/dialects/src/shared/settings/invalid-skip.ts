import { type Diagnostic, formatDiagnostic, type LoadSkip } from '@tenterhook/protocol';

/** The diagnostic stands with every event of the hook, so that nobody has to go looking for it. */
export function invalidSkip(problem: Diagnostic): LoadSkip {
  const message = formatDiagnostic(problem);
  return { skipReason: 'invalid', reason: message, warning: { code: problem.code, message } };
}
