import type { Diagnostic } from '@tenterhook/protocol';
import type { StoredDecisions } from './decisions.js';
import type { TrustRecord } from './record.js';

/**
 * The decisions about the hooks of one project, in files that only this user can read. Each decision is a separate file. So no lock is
 * needed, and two decisions at the same time are both stored. All methods are synchronous. `read()` returns the current decisions.
 *
 * Methods that change something throw a `TrustStoreError` if the change cannot be stored. In that case nothing is changed.
 */
export interface TrustStore {
  /** The directory of the store. Undefined if there is none. */
  readonly directory: string | undefined;
  /** The real path of the project, as in `PinnedHook.project`. */
  readonly project: string;
  /** Why the store could not be used when it was opened. Empty if the store can be used. */
  readonly problems: readonly Diagnostic[];
  /** Returns all decisions about the project. Returns no decisions if the store cannot be used. */
  read(): StoredDecisions;
  /** Returns the users that `allowOwner` stored. They may own files of the project, in addition to this user and root. */
  owners(): readonly number[];
  /**
   * Stores that a hook may run, and removes a denial of the same pin. `contents` has the files of the hook, keyed by their SHA-256, for a
   * later diff. Throws a `TypeError` if the record is invalid, if it is about another project, or if its pin does not match its content.
   */
  accept(record: TrustRecord, contents?: ReadonlyMap<string, Uint8Array>): void;
  /** Stores that a hook does not run. The user is not asked about the hook again. Throws like `accept`. */
  deny(record: TrustRecord): void;
  /** Removes the decision about a hook. Returns whether there was a decision. */
  revoke(pin: string): boolean;
  /** Removes all decisions about the project, including allowed owners. */
  revokeAll(): void;
  /** Stores that a user may own files of the project. */
  allowOwner(uid: number): void;
  /** Removes what `allowOwner` stored. Returns whether there was such a decision. */
  revokeOwner(uid: number): boolean;
  /** Returns a text that changes whenever a decision about the project changes, even by another process. Reads only names. */
  stamp(): string;
  /** Returns a file as it was when a hook was accepted. Undefined if it was not stored. */
  content(sha256: string): Uint8Array | undefined;
  /** Returns at most 10 other projects in which a hook of the same content (`contentOf`) is trusted. */
  elsewhere(contentHash: string): string[];
}
