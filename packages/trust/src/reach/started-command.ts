import type { Dialect, HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';

/** The command of a hook, as far as it is known before an event. */
export interface StartedCommand {
  readonly command: Extract<Invocation, { kind: 'command' }>['command'];
  /** The absolute working directory. */
  readonly cwd: string;
  /** The variables of the hook whose values are the same for every event. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Whether the hook belongs to the user or the administrator. Then shell scripts outside of the project are searched for code of the
   * project that they start.
   */
  readonly isOwn?: boolean;
}

/** Where a hook would start. */
export interface StartContext {
  readonly projectDir: string;
  /** The working directory of events that have none. @default projectDir */
  readonly cwd?: string | undefined;
  /** `''` if there is none. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the command that a hook would start for an event in the project, as the dialect creates it. Nothing is run. The dialect
 * receives only variables that are the same for every hook. Other variables may have different values in the agent. Returns undefined for
 * a hook that starts no command.
 */
export function startedCommand(hook: HookDefinition, dialect: Dialect, context: StartContext): StartedCommand | undefined {
  if (hook.action.kind !== 'command') return undefined;
  const { home, environment } = context;
  const known = { ...(home === '' ? {} : { HOME: home }), ...(environment['PATH'] === undefined ? {} : { PATH: environment['PATH'] }) };
  try {
    const invocation = dialect.invocation(eventOf(hook, context), hook, known);
    if (invocation.kind !== 'command') return undefined;
    const { command, cwd, env } = invocation;
    return { command, cwd, variables: env };
  } catch {
    return undefined;
  }
}

function eventOf({ eventName }: HookDefinition, { projectDir, cwd = projectDir }: StartContext): HookEvent {
  const base = { session_id: '', transcript_path: '', cwd, hook_event_name: eventName, timestamp: '1970-01-01T00:00:00.000Z' };
  return { eventName, projectDir, input: { ...base, tool_name: '', tool_input: {}, tool_response: {} } };
}
