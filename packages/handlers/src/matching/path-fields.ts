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

/** Reads the texts at a place such as `edits[].file_path`: names joined by dots, `[]` behind the name of a list. */
export type PathReader = (args: Readonly<Record<string, unknown>>) => readonly string[];

export function compilePathFields(fields: readonly string[]): PathReader {
  const places = fields.map((field) => field.split('.').map((part) => ({ name: part.replace(/\[\]$/, ''), isList: part.endsWith('[]') })));
  return (args) => {
    const paths: string[] = [];
    for (const place of places) {
      let values: unknown[] = [args];
      for (const { name, isList } of place) {
        const found = values.map((value) => ownField(value, name));
        values = isList ? found.flatMap((value) => (Array.isArray(value) ? value.slice(0, maxPaths) : [])) : found;
      }
      for (const value of values) if (typeof value === 'string' && paths.length < maxPaths) paths.push(value);
    }
    return paths;
  };
}

/** Whether a setting can be read at all; misspelt it would be a guard that never matches. */
export function isPathField(field: unknown): boolean {
  return typeof field === 'string' && /^[^.[\]]+(\[\])?(\.[^.[\]]+(\[\])?)*$/.test(field);
}

function ownField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
