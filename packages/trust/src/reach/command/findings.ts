import { type OpenReason, OpenReasons } from '../open-reasons.js';

/**
 * The language of a script. It decides how the imports of the script are searched. `shell` is any POSIX shell. Imports of `other` are not
 * searched.
 */
export type Language = 'shell' | 'bash' | 'python' | 'javascript' | 'other';

/** Something that a command refers to. In paths, known variables are replaced. Relative paths are resolved later. */
export type Reference =
  /** A part of a word that may be a path. If a file with this name exists, its content is part of the pin. */
  | { readonly use: 'token'; readonly path: string }
  /** A word that names a file. The name is part of the pin even if the file does not exist. */
  | { readonly use: 'operand'; readonly path: string }
  /** A file that is run or sourced, or a folder with such a file. If `language` is missing, the first line of the file decides. */
  | { readonly use: 'script'; readonly path: string; readonly language?: Language; readonly isSourced?: boolean }
  /**
   * A file whose path begins with an unknown part, e.g. `$X/run.sh`. `path` assumes that this part is the working directory. The reference
   * is ignored if this file does not exist.
   */
  | { readonly use: 'guess'; readonly path: string; readonly language?: Language }
  /** A folder from which a pattern such as `hooks/*.sh` chooses files to run. `reason`: why it is unknown which files are run. */
  | { readonly use: 'pattern'; readonly path: string; readonly reason: string }
  /** A folder that is added to PATH. */
  | { readonly use: 'search'; readonly path: string }
  /** A program that is searched in PATH. */
  | { readonly use: 'program'; readonly name: string }
  /** A directory in which the following commands may run. */
  | { readonly use: 'directory'; readonly path: string }
  /** Code in a word or a here-document. Its imports are searched in the working directory. */
  | { readonly use: 'inline'; readonly language: Language; readonly text: string }
  /** A Python module that is run with `-m`. */
  | { readonly use: 'module'; readonly name: string }
  /**
   * Files that a runner such as `npm` reads, in the working directory or the nearest folder above it. The first of `names` that exists
   * decides what runs.
   */
  | { readonly use: 'manifest'; readonly names: readonly string[]; readonly others: readonly string[] };

/** Returns a text that is equal only for equal references. */
function keyOf(reference: Reference): string {
  const { use } = reference;
  if (use === 'token' || use === 'operand' || use === 'directory') return `${use} ${reference.path}`;
  return JSON.stringify(reference);
}

/** The maximum number of references of one text. If a text has more, the hook counts as one that may run code outside of its pin. */
const maxReferences = 2_000;

/** What one text refers to, and the reasons why the text may run code that is not part of the pin. */
export class Findings {
  readonly references: Reference[] = [];
  readonly open = new OpenReasons();
  readonly assigned = new Set<string>();
  readonly constants = new Set<string>();
  /**
   * The paths that the text writes. If the hook also reads one of these files, the file is state of the hook, such as a counter. Each run
   * changes the file, so its content is not part of the pin. If the hook runs a file that it writes, that is recorded as another kind of
   * reference.
   */
  readonly written = new Set<string>();
  readonly #known = new Set<string>();

  add(reference: Reference): void {
    const key = keyOf(reference);
    if (this.#known.has(key)) return;
    if (this.references.length >= maxReferences) this.openFor(`It refers to more than ${maxReferences} paths.`);
    else {
      this.#known.add(key);
      this.references.push(reference);
    }
  }

  /**
   * Records variables of a text. `assigned` are the variables that the text sets. `constants` are those whose value was used to find
   * files; no other text may set them.
   */
  noteVariables(assigned: readonly string[], constants: readonly string[]): void {
    for (const name of assigned) if (this.constants.has(name)) this.openFor(`The variable ${name} is set in two texts.`);
    for (const name of constants) {
      if (this.assigned.has(name)) this.openFor(`The variable ${name} is set in two texts.`);
      this.constants.add(name);
    }
    for (const name of assigned) this.assigned.add(name);
  }

  openFor(reason: string, kind?: OpenReason['kind']): void {
    this.open.add(reason, kind);
  }
}
