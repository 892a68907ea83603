/** A language whose imports are looked up. `shell`: any POSIX shell. `other`: the script is reached, its imports are not. */
export type Language = 'shell' | 'bash' | 'python' | 'javascript' | 'other';

/** Something that a command refers to. Paths are as in the command, with known variables replaced; the walk resolves them. */
export type Reference =
  /** A part of a word. If it names a file, the content of the file counts. */
  | { readonly use: 'token'; readonly path: string }
  /** A word that names a file, even if the file does not exist yet. */
  | { readonly use: 'operand'; readonly path: string }
  /** A file that is run or sourced, or a folder with such a file. Without a language its first line decides, as for the system. */
  | { readonly use: 'script'; readonly path: string; readonly language?: Language; readonly isSourced?: boolean }
  /** A program that is searched in PATH. */
  | { readonly use: 'program'; readonly name: string }
  /** A directory in which the following commands may run. */
  | { readonly use: 'directory'; readonly path: string }
  /** Code in a word or a here-document. Its imports are looked up in the working directory. */
  | { readonly use: 'inline'; readonly language: Language; readonly text: string }
  /** A Python module that is run with `-m`. */
  | { readonly use: 'module'; readonly name: string }
  /** Files that a runner reads, in the working directory or the nearest folder above it. One of `names` decides what runs. */
  | { readonly use: 'manifest'; readonly names: readonly string[]; readonly others: readonly string[] };

/** Returns a text that is the same for equal references only. */
function keyOf(reference: Reference): string {
  const { use } = reference;
  if (use === 'token' || use === 'operand' || use === 'directory') return `${use} ${reference.path}`;
  return JSON.stringify(reference);
}

/** The maximum number of references of one text, and of reasons of one hook. A text with more is open. */
const maxReferences = 2_000;
const maxReasons = 50;

/** What one text refers to, and why it may run code that is not listed. */
export class Findings {
  readonly references: Reference[] = [];
  readonly open = new Set<string>();
  readonly assigned = new Set<string>();
  readonly constants = new Set<string>();
  /**
   * The paths that the text writes. If it reads them too, they are state of the hook, such as a counter. Their content is not part of what
   * is accepted, because each run would change it. If one of them is run, that is a reference of its own.
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

  /** Notes the variables that a text sets, and those whose value was followed in it. Another text must not set the latter. */
  noteVariables(assigned: readonly string[], constants: readonly string[]): void {
    for (const name of assigned) if (this.constants.has(name)) this.openFor(`The variable ${name} is set in two texts.`);
    for (const name of constants) {
      if (this.assigned.has(name)) this.openFor(`The variable ${name} is set in two texts.`);
      this.constants.add(name);
    }
    for (const name of assigned) this.assigned.add(name);
  }

  openFor(reason: string): void {
    if (this.open.size < maxReasons) this.open.add(reason);
  }
}
