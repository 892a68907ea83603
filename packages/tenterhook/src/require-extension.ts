import { isAbsolute } from 'node:path';
import type { Dialect } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { nearestName } from '@tenterhook/runtime/text';
import type { Extension } from './settings/extensions/extension.js';
import { isName, shown } from './shown-option.js';

const fields = ['name', 'hooks', 'directory', 'dialect', 'active', 'frontMatterOf'];
const frontMatters = ['skill', 'subagent'];

/** Throws a TypeError for what is no extension: its hooks would be guards that are not there. */
export function requireExtension(extension: unknown, what: string): asserts extension is Extension {
  if (!isPlainObject(extension) || !isName(extension['name'])) {
    throw new TypeError(`createHooks: ${what} must be { ${fields.join(', ')} } with a name, and with hooks or a directory.`);
  }
  for (const field of Object.keys(extension)) {
    if (fields.includes(field)) continue;
    // A host may hand its manifests over as they are; a slip in a name of ours is another thing.
    const nearest = nearestName(field, fields);
    if (nearest !== undefined) throw new TypeError(`createHooks: ${what} has no field "${field}". Did you mean "${nearest}"?`);
  }
  const { name, hooks, dialect, directory, frontMatterOf } = extension;
  if (hooks === undefined && directory === undefined) {
    const remedy = 'Give it hooks, or the directory that it lies in.';
    throw new TypeError(`createHooks: ${what}, "${name}", has neither "hooks" nor a "directory" to read them from. ${remedy}`);
  }
  if (dialect !== undefined && !isName(dialect)) {
    throw new TypeError(`createHooks: "${what}.dialect" must be the name of a dialect, such as "llxprt", and is ${shown(dialect)}.`);
  }
  if (directory !== undefined && !(isName(directory) && isAbsolute(directory))) {
    throw new TypeError(`createHooks: "${what}.directory" must be an absolute path, and is ${shown(directory)}.`);
  }
  if (frontMatterOf !== undefined && !frontMatters.includes(frontMatterOf as string)) {
    throw new TypeError(`createHooks: "${what}.frontMatterOf" must be "skill" or "subagent", and is ${shown(frontMatterOf)}.`);
  }
}

/** The hooks of an extension in a format that nothing here reads, or reads from no directory, would be hooks that are not there. */
export function requireReadable({ hooks, dialect: name }: Extension, what: string, dialects: readonly Dialect[]): void {
  const named = name === undefined ? dialects : dialects.filter((dialect) => dialect.name === name);
  if (name !== undefined && named.length === 0) {
    const loaded = dialects.map((dialect) => dialect.name).join(', ') || 'none';
    throw new TypeError(`createHooks: ${what} has the dialect "${name}", which is not loaded; loaded are ${loaded}.`);
  }
  if (hooks !== undefined || named.some((dialect) => dialect.extensionFiles !== undefined)) return;
  const whose = name === undefined ? 'none of the dialects that are loaded reads' : `the dialect "${name}" does not read`;
  throw new TypeError(`createHooks: ${what} has no "hooks", and ${whose} them from a directory. Hand them over as "hooks".`);
}
