import { omitUndefined } from '@tenterhook/runtime/json';

/** How the matchers of one engine read the arguments of tools. */
export interface MatcherSettings {
  readonly pathFields: readonly string[];
  readonly pathsIn: PathReader;
  readonly shellTools: ReadonlySet<string>;
  /** Whether paths are compared without case. @default depends on the platform of the agent */
  readonly ignoreCase?: boolean;
}

/** The tools whose `command` is compared with `command_pattern` (decision 45). */
const defaultShellTools: readonly string[] = Object.freeze(['Bash', 'bash', 'run_shell_command', 'Shell']);

/** The default fields of a tool's arguments that contain paths (decision 44). */
const defaultPathFields: readonly string[] = Object.freeze([
  'file_path',
  'absolute_path',
  'path',
  'paths[]',
  'notebook_path',
  'edits[].file_path',
]);

/** Validates the settings. Throws a TypeError for invalid settings, because with them a guard might never match. */
export function readMatcherSettings(
  pathFields: unknown = defaultPathFields,
  shellTools: unknown = defaultShellTools,
  ignoreCase?: unknown,
): MatcherSettings {
  if (!Array.isArray(pathFields) || !pathFields.every(isPathField)) {
    const example = '["file_path", "paths[]", "edits[].file_path"]';
    throw new TypeError(`pathFields must be an array of paths of fields such as ${example}, and is ${JSON.stringify(pathFields)}.`);
  }
  if (!Array.isArray(shellTools) || !shellTools.every((tool) => typeof tool === 'string' && tool !== '')) {
    throw new TypeError(`shellTools must be an array of names of tools, and is ${JSON.stringify(shellTools)}.`);
  }
  if (ignoreCase !== undefined && typeof ignoreCase !== 'boolean') {
    throw new TypeError(`ignoreCase must be true or false, and is ${JSON.stringify(ignoreCase)}.`);
  }
  const settings = { pathFields: [...pathFields], pathsIn: compilePathFields(pathFields), shellTools: new Set(shellTools) };
  return { ...settings, ...omitUndefined({ ignoreCase }) };
}

/** The maximum number of paths that are read from one call. A model can make a list of any length. */
const maxPaths = 10_000;

/**
 * Reads the texts in fields such as `edits[].file_path`: dots separate nested names, and `[]` follows the name of a list. A list is
 * read where one text is expected, and one text where a list is expected: a guard that matches too much is safer than one that
 * matches too little. Returns `undefined` if the limit of paths is exceeded.
 */
export type PathReader = (args: Readonly<Record<string, unknown>>) => readonly string[] | undefined;

function compilePathFields(fields: readonly string[]): PathReader {
  const places = fields.map((field) => field.split('.').map((part) => part.replace(/\[\]$/, '')));
  return (args) => {
    const paths: string[] = [];
    for (const place of places) {
      const found = place.reduce<unknown[]>((values, name) => values.flatMap((value) => ownField(value, name)), [args]);
      paths.push(...found.filter((value) => typeof value === 'string').slice(0, maxPaths + 1));
      if (paths.length > maxPaths) return undefined;
    }
    return paths;
  };
}

/** Tests whether the path of a field is valid. With a misspelt path, a guard might never match. */
function isPathField(field: unknown): boolean {
  return typeof field === 'string' && /^[^.[\]]+(\[\])?(\.[^.[\]]+(\[\])?)*$/.test(field);
}

function ownField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
