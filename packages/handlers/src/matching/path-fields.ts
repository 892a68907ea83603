/** Where paths stand in the arguments of a tool, unless an engine says otherwise (decision 44). */
export const defaultPathFields: readonly string[] = Object.freeze([
  'file_path',
  'absolute_path',
  'path',
  'paths[]',
  'notebook_path',
  'edits[].file_path',
]);

/** The most paths of one call that are looked at: a list can be as long as a model likes to make it. */
const maxPaths = 10_000;

/**
 * Reads the texts at places such as `edits[].file_path`: names joined by dots, `[]` behind the name of a list. A list where one text is
 * expected is read as well, and a text where a list is: a guard that matches too much is safer than one that matches too little. `undefined`
 * where there are more paths than are looked at.
 */
export type PathReader = (args: Readonly<Record<string, unknown>>) => readonly string[] | undefined;

export function compilePathFields(fields: readonly string[]): PathReader {
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

/** Whether a setting can be read at all; misspelt it would be a guard that never matches. */
export function isPathField(field: unknown): boolean {
  return typeof field === 'string' && /^[^.[\]]+(\[\])?(\.[^.[\]]+(\[\])?)*$/.test(field);
}

function ownField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
