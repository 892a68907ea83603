import { isAbsolute } from 'node:path';
import type { Dialect } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption, nearestName } from '@tenterhook/runtime/text';
import type { Extension } from './extension.js';

/** Where an extension was passed, for messages. */
export interface ExtensionPlace {
  /** The function that received it. */
  readonly caller: 'createHooks' | 'extensions.add';
  /** Where the extension is in the arguments of `caller`, e.g. `extensions[0]`. @default the extension is the argument itself */
  readonly path?: string;
}

const fields = ['name', 'hooks', 'directory', 'dialect', 'active', 'frontMatterOf'];
const frontMatterOwners = ['skill', 'subagent'];

/** Throws a TypeError for an invalid extension. If the extension were ignored, its guards would not run. */
export function requireExtension(extension: unknown, place: ExtensionPlace): asserts extension is Extension {
  const { caller, path } = place;
  const refuse = (field: string, expected: string, value: unknown) => {
    const name = path === undefined ? field : `${path}.${field}`;
    throw new TypeError(`${caller}: "${name}" must be ${expected}, and is ${describeOption(value)}.`);
  };
  if (!isPlainObject(extension) || !isName(extension['name']))
    throw new TypeError(`${subjectOf(place)} must be { ${fields.join(', ')} } with a name, and with hooks or a directory.`);
  for (const field of Object.keys(extension)) {
    if (fields.includes(field)) continue;
    // Only a misspelled field is an error. Other unknown fields are accepted, because an agent may pass its manifests unchanged.
    const nearest = nearestName(field, fields);
    if (nearest !== undefined) throw new TypeError(`${subjectOf(place)} has no field "${field}". Did you mean "${nearest}"?`);
  }
  const { name, hooks, dialect, directory, frontMatterOf } = extension;
  if (hooks === undefined && directory === undefined) {
    const remedy = 'Pass its hooks, or its directory.';
    throw new TypeError(`${subjectOf(place)}, "${name}", has neither "hooks" nor a "directory" to read them from. ${remedy}`);
  }
  if (dialect !== undefined && !isName(dialect)) refuse('dialect', 'the name of a dialect, such as "llxprt"', dialect);
  if (directory !== undefined && !(isName(directory) && isAbsolute(directory))) refuse('directory', 'an absolute path', directory);
  if (frontMatterOf !== undefined && !frontMatterOwners.includes(frontMatterOf as string))
    refuse('frontMatterOf', '"skill" or "subagent"', frontMatterOf);
}

/**
 * Throws a TypeError for an extension whose format is not loaded, or cannot be read from a directory. If the extension were ignored, its
 * hooks would not run.
 */
export function requireReadable({ hooks, dialect: name }: Extension, place: ExtensionPlace, dialects: readonly Dialect[]): void {
  const named = name === undefined ? dialects : dialects.filter((dialect) => dialect.name === name);
  if (name !== undefined && named.length === 0) {
    const loaded = dialects.map((dialect) => dialect.name).join(', ') || 'none';
    throw new TypeError(`${subjectOf(place)} has the dialect "${name}", which is not loaded. Loaded dialects: ${loaded}.`);
  }
  if (hooks !== undefined || named.some((dialect) => dialect.extensionFiles !== undefined)) return;
  const whose = name === undefined ? 'no loaded dialect reads' : `the dialect "${name}" does not read`;
  throw new TypeError(`${subjectOf(place)} has no "hooks", and ${whose} them from a directory. Pass them as "hooks".`);
}

function subjectOf({ caller, path = 'the extension' }: ExtensionPlace): string {
  return `${caller}: ${path}`;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
