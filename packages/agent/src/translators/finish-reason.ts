/** How one SDK says why an answer ended, where hooks say it in another way. */
export interface FinishReasons {
  /** What hooks read for a reason of the SDK; `OTHER` for one that is not in it. */
  readonly shown: ReadonlyMap<unknown, string>;
  /** What is written for a reason of a hook; `complete` for one that is not in it. */
  readonly native: ReadonlyMap<unknown, string>;
  /** Of an answer that came to its end. */
  readonly complete: string;
  /** Of an answer that ends in tool calls: the word that is written, and others that are read. */
  readonly calls: readonly [string, ...string[]];
}

export function showFinishReason({ shown }: Pick<FinishReasons, 'shown'>, reason: unknown): string | undefined {
  return typeof reason === 'string' ? (shown.get(reason) ?? 'OTHER') : undefined;
}

/**
 * The SDK's own reason while a hook did not change it. An agent's loop goes by it, so it never promises calls that were taken away, nor
 * hides those that are there.
 */
export function settleFinishReason(reasons: FinishReasons, returned: string | undefined, original: unknown, hasCalls: boolean): unknown {
  const { native, complete, calls } = reasons;
  const isKept = returned === undefined || returned === showFinishReason(reasons, original);
  const reason = isKept ? original : (native.get(returned) ?? complete);
  const isOfCalls = calls.some((word) => word === reason);
  if (hasCalls) return isOfCalls || reason === complete ? calls[0] : reason;
  return isOfCalls ? complete : reason;
}
