/** What was thrown, as a text. Never throws itself: hosts and tools throw anything, objects that cannot be written included. */
export function messageOf(error: unknown): string {
  try {
    return (error instanceof Error && error.message) || String(error);
  } catch {
    return 'something was thrown that has no text';
  }
}
