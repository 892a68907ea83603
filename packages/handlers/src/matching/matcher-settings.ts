import { compilePathFields, defaultPathFields, isPathField, type PathReader } from './path-fields.js';

/** How the matchers of one engine read the arguments of tools. */
export interface MatcherSettings {
  readonly pathFields: readonly string[];
  readonly pathsIn: PathReader;
  readonly shellTools: ReadonlySet<string>;
}

/** Tools whose `command` a `command_pattern` is tried on (decision 45). */
const defaultShellTools: readonly string[] = Object.freeze(['Bash', 'bash', 'run_shell_command', 'Shell']);

/** Throws a TypeError for what cannot be read: it would be a guard that never matches. */
export function matcherSettings(pathFields: unknown = defaultPathFields, shellTools: unknown = defaultShellTools): MatcherSettings {
  if (!Array.isArray(pathFields) || !pathFields.every(isPathField)) {
    const example = '["file_path", "paths[]", "edits[].file_path"]';
    throw new TypeError(`pathFields must be an array of places such as ${example}, not ${JSON.stringify(pathFields)}.`);
  }
  if (!Array.isArray(shellTools) || !shellTools.every((tool) => typeof tool === 'string' && tool !== '')) {
    throw new TypeError(`shellTools must be an array of names of tools, not ${JSON.stringify(shellTools)}.`);
  }
  return { pathFields: [...pathFields], pathsIn: compilePathFields(pathFields), shellTools: new Set(shellTools) };
}
