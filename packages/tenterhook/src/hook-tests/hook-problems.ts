import type { Diagnostic, DiagnosticCode, HookOutcome, SkipReason, WarningCode } from '@tenterhook/protocol';

/** A warning of a hook that was asked in a case, or a problem of its script. */
export interface CaseWarning {
  /** The name of the hook, or its id. */
  readonly hook: string;
  readonly code: WarningCode;
  readonly message: string;
  /** Whether the case fails, unless it expects the code. The warning of a hook that failed only explains the failure. */
  readonly counts: boolean;
}

/** What `validate` reports about a script that cannot be started. */
export const scriptCodes: readonly DiagnosticCode[] = ['missing_script', 'not_executable', 'crlf_script', 'missing_interpreter'];

/** Reasons that follow from the settings. The warnings of such a hook only explain why it did not run. */
const plannedSkips: ReadonlySet<string> = new Set<SkipReason>(['matcher', 'condition', 'disabled', 'duplicate', 'once', 'chain-ended']);

/** Returns the warnings of the hooks, each once. `diagnostics` are those of the settings. */
export function findWarnings(outcomes: readonly HookOutcome[], diagnostics: readonly Diagnostic[]): CaseWarning[] {
  const asked = outcomes.filter(({ skipReason }) => skipReason === undefined || !plannedSkips.has(skipReason));
  const found = asked.flatMap((outcome): CaseWarning[] => {
    const hook = nameOf(outcome);
    const counts = ['succeeded', 'blocked', 'detached'].includes(outcome.status);
    const scripts = diagnostics.filter(({ code, hookId }) => hookId === outcome.hookId && scriptCodes.includes(code));
    return [
      ...scripts.map((problem) => ({ hook, code: problem.code, message: `${problem.message} ${problem.remedy ?? ''}`.trim(), counts })),
      ...outcome.warnings.map(({ code, message }) => ({ hook, code, message, counts })),
    ];
  });
  // A hook that was asked again has two outcomes.
  return [...new Map(found.map((warning) => [JSON.stringify([warning.hook, warning.code, warning.message]), warning])).values()];
}

/** What interpreters print if they cannot read a script. They end with 2, which denies. */
const complaints: readonly (readonly [pattern: RegExp, what: string])[] = [
  // bash
  [/: line \d+: (?:syntax error|unexpected EOF)/, 'a syntax error in its script'],
  // dash
  [/: \d+: Syntax error: /, 'a syntax error in its script'],
  [/: 0: cannot open /, 'a script that does not exist'],
  // python
  [/: can't open file '/, 'a script that does not exist'],
];

/**
 * Returns what a guard did if its deny may come from an interpreter that could not read the guard. Undefined for any other outcome. A hook
 * that denies with JSON was run.
 */
export function doubtAboutDeny({ status, exitCode, inputUnread, stderr = '' }: HookOutcome): string | undefined {
  if (status !== 'blocked' || exitCode !== 2) return undefined;
  const complaint = complaints.find(([pattern]) => pattern.test(stderr));
  if (complaint !== undefined) return complaint[1];
  return inputUnread === true ? 'exit code 2 without reading the input' : undefined;
}

export function nameOf({ hookId, name }: HookOutcome): string {
  return name ?? hookId;
}
