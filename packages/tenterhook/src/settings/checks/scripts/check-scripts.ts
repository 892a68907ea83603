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

/** Formats that look up a script themselves report it with the places where they looked. */
const reportedByFormat: readonly string[] = ['missing_script', 'not_executable'];

/**
 * A warning for each hook whose script cannot be started, in all formats. The format says what it would run and with which variables, as for an event;
 * nothing is run. Only for people who check their settings: an agent would pay for it at every start, and its hooks report the same when they run.
 */
export function checkScripts(
  hooks: readonly HookDefinition[],
  dialects: readonly Dialect[],
  context: DialectContext,
  reported: readonly Diagnostic[],
): Diagnostic[] {
  // The shells of Windows read commands in another way, and files have no mode there.
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
 * What the format would run for an event in the project. Of the environment only what every hook has in every shell is passed: the value of another variable
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
