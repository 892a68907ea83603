import type { Diagnostic } from '@tenterhook/protocol';
import type { StoredDecisions } from './decisions.js';
import type { TrustRecord } from './record.js';

/**
 * The decisions about the hooks of one project, in files that only this user can read. Each decision is one file, so there is no lock, and
 * of two processes that decide at once both are kept. Synchronous. `read()` returns what is there now.
 *
 * Methods that change something throw a `TrustStoreError` if it cannot be stored; then nothing has changed.
 */
export interface TrustStore {
  /** Undefined if there is no place for a store. */
  readonly directory: string | undefined;
  /** The real path of the project, as in `PinnedHook.project`. */
  readonly project: string;
  /** Why the store cannot be used, when it was opened. Empty if it can be. */
  readonly problems: readonly Diagnostic[];
  /** Returns all decisions about the project. Without a store that can be used there are none. */
  read(): StoredDecisions;
  /** The users who may own files of the project, beside this one and root: those of `allowOwner`. */
  owners(): readonly number[];
  /**
   * Stores that a hook may run. `contents`: the reached files by their SHA-256, to be shown in a diff later. A denial of the same pin is
   * removed. Throws a `TypeError` if the record is invalid, is about another project, or its `pin` is not that of its content.
   */
  accept(record: TrustRecord, contents?: ReadonlyMap<string, Uint8Array>): void;
  /** Stores that a hook must not run, and is not to be asked about again. Throws like `accept`. */
  deny(record: TrustRecord): void;
  /** Removes the decision about a hook. Returns whether there was one. */
  revoke(pin: string): boolean;
  /** Removes all decisions about the project, allowed owners included. */
  revokeAll(): void;
  /** Stores that files of the project may belong to a user. */
  allowOwner(uid: number): void;
  /** Removes what `allowOwner` stored. Returns whether there was anything. */
  revokeOwner(uid: number): boolean;
  /** A text that changes when a decision about the project changes, also by another process. Reads names, and no files. */
  stamp(): string;
  /** A reached file as it was when a hook was accepted. Undefined if it was not kept. */
  content(sha256: string): Uint8Array | undefined;
  /** The other projects in which a hook of the same content (`contentOf`) is trusted. At most 10. */
  elsewhere(contentHash: string): string[];
}
