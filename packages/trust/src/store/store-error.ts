import { TenterhookError } from '@tenterhook/protocol';
import { codeOf, describeThrown } from '@tenterhook/runtime/text';

/** Thrown if a decision cannot be stored, or the store cannot be used. Its `code` is `trust_store`. No part of the decision is stored. */
export class TrustStoreError extends TenterhookError {
  static {
    TrustStoreError.prototype.name = 'TrustStoreError';
  }

  /** The file or directory that could not be written. */
  readonly path: string;
  /** A sentence that says what to do. */
  readonly remedy: string;

  constructor(path: string, message: string, remedy: string, cause?: unknown) {
    super('trust_store', `${message} ${remedy}`, { cause });
    this.path = path;
    this.remedy = remedy;
  }
}

/** Runs a function of the store. Converts an error of the file system to a `TrustStoreError` with the path and the remedy. */
export function orStoreError<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof TrustStoreError) throw error;
    throw new TrustStoreError(path, `${path}: The decision cannot be stored: ${describeThrown(error)}.`, remedyFor(codeOf(error)), error);
  }
}

function remedyFor(code: unknown): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'Free space on this disk, and decide again.';
  const elsewhere = 'set XDG_STATE_HOME to a directory that you can write';
  return code === 'EROFS' ? `Its disk is read-only: ${elsewhere}.` : `Make its directory writable for you, or ${elsewhere}.`;
}
