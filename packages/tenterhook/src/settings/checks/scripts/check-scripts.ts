import { dirname, isAbsolute } from 'node:path';
import {
  type Diagnostic,
  type Dialect,
  type DialectContext,
  type HookDefinition,
  type HookEvent,
  type Invocation,
  placeOfHook,
} from '@tenterhook/protocol';
import { findScript } from './find-script.js';
import { findScriptProblem } from './script-problem.js';

/**
 * Codes of diagnostics about scripts that a dialect reports itself, if it searches for scripts. Its diagnostics name the places where it
 * searched.
 */
const reportedByFormat: readonly string[] = ['missing_script', 'not_executable'];

/**
 * Returns a warning for each hook whose script cannot be started, for all formats. The dialect provides the command and its variables, as
 * for an event; nothing is run. Only commands that check settings call this. At the start of an agent it would take too long, and the hooks
 * report the same problem when they run.
 */
export function checkScripts(
  hooks: readonly HookDefinition[],
  dialects: readonly Dialect[],
  context: DialectContext,
  reported: readonly Diagnostic[],
): Diagnostic[] {
  // On Windows nothing is checked, because its shells read commands differently, and its files have no executable bit.
  if (context.platform === 'win32') return [];
  const known = new Set(reported.filter(({ code }) => reportedByFormat.includes(code)).map(({ hookId }) => hookId));
  return hooks.flatMap((hook) => {
    if (hook.skip !== undefined || hook.action.kind !== 'command' || known.has(hook.id)) return [];
    const dialect = dialects.find(({ name }) => name === hook.dialect);
    const run = dialect === undefined ? undefined : invocationOf(hook, dialect, context);
    const script = run === undefined ? undefined : findScript(run.command, run.env);
    if (run === undefined || script === undefined) return [];
    const { projectDir, files } = context;
    const path = (run.env['PATH'] ?? '').split(':').filter((folder) => isAbsolute(folder));
    const meant = [...(hook.file === undefined ? [] : [dirname(hook.file)]), projectDir];
    const variable = Object.keys(run.env).find((name) => name.endsWith('PROJECT_DIR') && run.env[name] === projectDir);
    const project = variable === undefined ? {} : { project: { variable, directory: projectDir } };
    const problem = findScriptProblem(script, { cwd: run.cwd, path, meant, files, ...project });
    return problem === undefined ? [] : [{ ...problem, severity: 'warning' as const, ...placeOfHook(hook) }];
  });
}

/**
 * Returns what the dialect would run for an event in the project. Only variables that always have the same value are passed, because others
 * may differ in the agent.
 */
function invocationOf(
  hook: HookDefinition,
  dialect: Dialect,
  { projectDir, environment, home }: DialectContext,
): Extract<Invocation, { kind: 'command' }> | undefined {
  const known = { ...(home === '' ? {} : { HOME: home }), ...(environment['PATH'] === undefined ? {} : { PATH: environment['PATH'] }) };
  try {
    const invocation = dialect.invocation(eventOf(hook, projectDir), hook, known);
    return invocation.kind === 'command' ? invocation : undefined;
  } catch {
    return undefined;
  }
}

function eventOf({ eventName }: HookDefinition, projectDir: string): HookEvent {
  const base = { session_id: '', transcript_path: '', cwd: projectDir, hook_event_name: eventName, timestamp: '1970-01-01T00:00:00.000Z' };
  return { eventName, projectDir, input: { ...base, tool_name: '', tool_input: {}, tool_response: {} } };
}
