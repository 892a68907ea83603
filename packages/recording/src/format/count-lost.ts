import type { Recording } from './recording.js';

/** Returns how many requests and responses are missing, because they did not fit into memory or are not JSON. */
export function countLost({ notes }: Recording): number {
  return notes.reduce((sum, { note, requests, channel }) => {
    if (note === 'dropped') return sum + (typeof requests === 'number' ? requests : 0);
    return sum + (note === 'unwritable' && channel !== 'HOOK_EXECUTION_PROGRESS' ? 1 : 0);
  }, 0);
}
