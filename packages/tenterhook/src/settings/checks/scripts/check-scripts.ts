import { dirname, isAbsolute } from 'node:path';
import type { Diagnostic, Dialect, DialectContext, HookDefinition } from '@tenterhook/protocol';
import { placeOfHook } from '@tenterhook/protocol/internal';
import { startedCommand } from '@tenterhook/trust';
import { findScript } from './find-script.js';
import { findScriptProblem } from './script-problem.js';

/** Codes of the diagnostics that a dialect returns if it checks scripts itself. They name the folders where the dialect searched. */
const reportedByFormat: readonly string[] = ['missing_script', 'not_executable'];

/**
 * Returns a warning for each hook whose script cannot be started. Its dialect provides the command and its variables, as for an event, but
 * nothing is run. Only commands that check settings call this function. An agent does not: the check would slow down its start, and hooks
 * report the same problem when they run.
 */
export function checkScripts(
  hooks: readonly HookDefinition[],
  dialects: readonly Dialect[],
  context: DialectContext,
  reported: readonly Diagnostic[],
): Diagnostic[] {
  // Nothing is checked on Windows. Its shells read commands differently, and its files have no executable bit.
  if (context.platform === 'win32') return [];
  const known = new Set(reported.filter(({ code }) => reportedByFormat.includes(code)).map(({ hookId }) => hookId));
  return hooks.flatMap((hook) => {
    if (hook.skip !== undefined || hook.action.kind !== 'command' || known.has(hook.id)) return [];
    const dialect = dialects.find(({ name }) => name === hook.dialect);
    const run = dialect === undefined ? undefined : startedCommand(hook, dialect, context);
    const script = run === undefined ? undefined : findScript(run.command, run.variables);
    if (run === undefined || script === undefined) return [];
    const { projectDir, files } = context;
    const path = (run.variables['PATH'] ?? '').split(':').filter((folder) => isAbsolute(folder));
    const meant = [...(hook.file === undefined ? [] : [dirname(hook.file)]), projectDir];
    const variable = Object.keys(run.variables).find((name) => name.endsWith('PROJECT_DIR') && run.variables[name] === projectDir);
    const project = variable === undefined ? {} : { project: { variable, directory: projectDir } };
    const problem = findScriptProblem(script, { cwd: run.cwd, path, meant, files, ...project });
    return problem === undefined ? [] : [{ ...problem, severity: 'warning' as const, ...placeOfHook(hook) }];
  });
}
