import type { CommandPlace } from './unquoted-variables.js';

/** The variables in commands that look like data of an event, although the agent does not set them. */
export interface UnsetVariables {
  /** The name of the agent, for messages. */
  readonly agent: string;
  isUnset(name: string): boolean;
  /** Returns the stdin field with the value in the syntax of jq, e.g. `.tool_name`. Returns undefined if it is unknown. */
  fieldOf(name: string): string | undefined;
}

/**
 * Reports variables that the agent never sets. Three kinds are left out: variables that the command sets itself, variables in
 * `defined`, and `${NAME:-…}`, whose author expects that the variable may be empty.
 */
export function reportUnsetVariables(
  command: string,
  { agent, isUnset, fieldOf }: UnsetVariables,
  defined: Readonly<Record<string, string | undefined>>,
  place: CommandPlace,
): void {
  const { reporter, eventName, hookId, path } = place;
  const names = [...command.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)].map(([, braced, bare]) => braced ?? bare ?? '');
  for (const name of new Set(names)) {
    if (!isUnset(name) || Object.hasOwn(defined, name) || setsVariable(command, name)) continue;
    const field = fieldOf(name);
    const message = `$${name} is not a variable that ${agent} sets for hooks; it is empty.`;
    const remedy =
      field === undefined
        ? 'Read the fields of the event from stdin, or set the variable in "env" of the settings.'
        : `Read the value from stdin: jq -r '${field}'.`;
    reporter.report('unset_variable', 'warning', [...path, 'command'], message, { remedy, eventName, hookId });
  }
}

function setsVariable(command: string, name: string): boolean {
  return new RegExp(`(?:^|[\\s;&|(])(?:${name}\\+?=|(?:read|for|export|local|declare)\\s[^;&|\\n]*\\b${name}\\b)`).test(command);
}
