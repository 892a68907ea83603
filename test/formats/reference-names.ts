import type { Dialect } from '@tenterhook/protocol';
import { sourceFiles } from '../support/sources.js';

/** The names that a dialect knows, by the title of the table of `reference.json` that must have them. `Stop reason`: both in one row. */
export type ReferenceNames = Readonly<Record<string, readonly string[]>>;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** Returns the fields in the JSON Schema of a dialect's settings: of the file, its groups and its hooks, without the names of events. */
export function settingsFieldsOf({ settingsJsonSchema, events = {} }: Dialect): string[] {
  const { properties, definitions = {} } = (settingsJsonSchema?.() ?? {}) as Schema;
  const fields = [{ properties }, ...Object.values(definitions)].flatMap((schema) => namesOf(schema as Schema));
  return [...new Set(fields)].filter((field) => !Object.hasOwn(events, field));
}

function namesOf({ properties = {} }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => [name, ...namesOf(schema)]);
}

/** Returns the environment variables with these prefixes that the sources of a dialect name, except those that only tell which agent runs. */
export function variablesOf({ name: dialect, agentVariables = [] }: Dialect, prefixes: string): string[] {
  const folder = `packages/dialects/src/${dialect}/`;
  // `lint` has names that are not variables of the agent, to report them.
  const texts = sourceFiles().filter(({ file }) => file.startsWith(folder) && !file.startsWith(`${folder}lint/`));
  const names = texts.flatMap(({ text }) => [...text.matchAll(new RegExp(`['\`{ ]((?:${prefixes})_[A-Z_]+[A-Z])(?=['\`:}])`, 'g'))]);
  return [...new Set(names.map((match) => match[1] as string))].filter((name) => !agentVariables.includes(name));
}
