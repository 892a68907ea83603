import type { OpenReason } from './open-reasons.js';

/** A file, folder or link that decides what a hook does. */
export interface ReachedEntry {
  /** The path relative to the project directory, with `/` between its parts. */
  readonly path: string;
  /**
   * `absent`: the hook would use a file with this name, but there is no such file. A new file with this name changes what the hook does.
   */
  readonly kind: 'file' | 'folder' | 'link' | 'absent';
  /** Set for a file with an executable bit. */
  readonly executable?: true;
  /**
   * The SHA-256 of the bytes of a file, or of the list of a folder. The list is canonical JSON of the entries in the folder, with paths
   * relative to it. Absent for other kinds.
   */
  readonly sha256?: string;
  /** The target of a link, as it is written in the link. */
  readonly target?: string;
}

/** A regular file that a hook uses: the command or a script names it, or it is in a folder that the hook uses. */
export interface ReachedFile {
  /** The path relative to the project directory, with `/` between its parts. */
  readonly path: string;
  /** The size in bytes. */
  readonly bytes: number;
  /** Present if the file has an executable bit. */
  readonly executable?: true;
  /** The SHA-256 of the content. Absent if the file is too large to be read. */
  readonly sha256?: string;
}

/** Why a hook that uses a file must not run, even if the user accepts it. */
export interface Refusal {
  readonly code: 'foreign_owner' | 'writable_by_others' | 'not_regular';
  /** The absolute path. */
  readonly path: string;
  /** A sentence that says what is wrong, with the path and the value. */
  readonly message: string;
  /** A sentence that says what to do. */
  readonly remedy: string;
}

/** The files of the project that decide what a hook does. */
export interface Reach {
  /** Sorted by path. Each path occurs once. */
  readonly entries: readonly ReachedEntry[];
  /** Why the hook may run or read something that is not in `entries`, and so is not part of the pin. Sorted by text. */
  readonly open: readonly OpenReason[];
  /** Why the hook must not run. Empty if the user may accept the hook. */
  readonly refusals: readonly Refusal[];
  /** Whether the working directory of the hook decides which files it uses, e.g. because of a relative path or an import. */
  readonly dependsOnDirectory: boolean;
}
