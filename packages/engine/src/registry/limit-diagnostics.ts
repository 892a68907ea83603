import type { Diagnostic } from '@tenterhook/protocol';
import { isOfRepository } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { levelOfDocument } from './levels/leveled-settings.js';

/** The maximum number of diagnostics for one document of a repository. */
const maxReported = 100;

const severities = ['error', 'warning', 'note'] as const;

/**
 * Limits the diagnostics of each document that may come with a repository, because a person would not find the important one among
 * thousands. Errors are kept first, then warnings, then notes. One more diagnostic says how many were left out.
 */
export function limitDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const byDocument = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = documentOf(diagnostic);
    if (key === undefined) continue;
    const known = byDocument.get(key);
    if (known === undefined) byDocument.set(key, [diagnostic]);
    else known.push(diagnostic);
  }
  const dropped = new Set<Diagnostic>();
  const more: Diagnostic[] = [];
  for (const all of byDocument.values()) {
    const rest = severities.flatMap((severity) => all.filter((diagnostic) => diagnostic.severity === severity)).slice(maxReported);
    const [first] = rest;
    if (first === undefined) continue;
    for (const diagnostic of rest) dropped.add(diagnostic);
    more.push(moreThan(rest.length, first));
  }
  return dropped.size === 0 ? [...diagnostics] : [...diagnostics.filter((diagnostic) => !dropped.has(diagnostic)), ...more];
}

/**
 * Returns the key of a diagnostic's document. Returns undefined if there is no document, or if the document cannot come with a
 * repository.
 */
function documentOf({ source, file }: Diagnostic): string | undefined {
  if (source === undefined || !isOfRepository(levelOfDocument({ source }))) return undefined;
  return JSON.stringify([source, file]);
}

/** Returns the diagnostic that says how many were left out. It has their highest severity. */
function moreThan(count: number, { severity, source, file, line, dialect }: Diagnostic): Diagnostic {
  return {
    code: 'more_diagnostics',
    severity,
    message: `${count === 1 ? '1 more problem is' : `${count} more problems are`} not shown. The first of them is in this line.`,
    remedy: 'Correct the problems that are shown.',
    ...omitUndefined({ source, file, line, dialect }),
  };
}
