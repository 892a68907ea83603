/** A file, folder or link that decides what a hook does. */
export interface ReachedEntry {
  /** The path relative to the project directory, with `/` between its parts. */
  readonly path: string;
  /** `absent`: a name that was looked up and does not exist. A file that appears there changes what the hook does. */
  readonly kind: 'file' | 'folder' | 'link' | 'absent';
  /** Whether the file has an executable bit. Absent for other kinds, and for files without one. */
  readonly executable?: true;
  /**
   * The SHA-256 of the content: of a file its bytes; of a folder the canonical JSON of the entries below it, each with its path relative to
   * the folder. Absent for other kinds.
   */
  readonly sha256?: string;
  /** The text of a link. */
  readonly target?: string;
}

/** A regular file that a hook reaches, by its name or because it is below a folder that the hook reaches. */
export interface ReachedFile {
  /** The path relative to the project directory, with `/` between its parts. */
  readonly path: string;
  /** The size in bytes. */
  readonly bytes: number;
  /** Present if the file has an executable bit. */
  readonly executable?: true;
  /** The SHA-256 of the content. Absent if the file was not read, because it is too large. */
  readonly sha256?: string;
}

/** Why something that a hook reaches must not run, even if the user accepts it. */
export interface Refusal {
  readonly code: 'foreign_owner' | 'writable_by_others' | 'not_regular';
  /** The absolute path. */
  readonly path: string;
  /** A sentence that says what is wrong, with the path and the value. */
  readonly message: string;
  /** A sentence that says what to do. */
  readonly remedy: string;
}

/** Everything of the project that decides what a hook does. */
export interface Reach {
  /** Sorted by path. Each path occurs once. */
  readonly entries: readonly ReachedEntry[];
  /** A sentence for each reason why the hook may run code that is not in the list. */
  readonly open: readonly string[];
  /** Empty if the hook may be accepted. */
  readonly refusals: readonly Refusal[];
  /** Whether a relative path of the command, or an import, is looked up in the working directory of the hook. */
  readonly dependsOnDirectory: boolean;
}
