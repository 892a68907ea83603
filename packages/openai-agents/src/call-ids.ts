/** The ids of calls by their arguments, because a shell and an editor receive nothing else. */
const ids = new WeakMap<object, string>();

export function noteCallId(args: object, callId: string): void {
  ids.set(args, callId);
}

/** Returns the id of a call that a hooked model made. `args` must be the same object. The SDK copies it in streams. */
export function callIdOf(args: object): string | undefined {
  return ids.get(args);
}
