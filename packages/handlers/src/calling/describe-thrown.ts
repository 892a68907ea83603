/** The most characters of a message that is not ours. */
const maxLength = 1000;

/** What was thrown, as a bounded text; also for what throws when it is turned into one. */
export function describeThrown(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, maxLength);
  } catch {
    return 'something that cannot be shown';
  }
}
