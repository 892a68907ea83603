/**
 * An id for a call that the host gave none: the same for the same session, tool and arguments, so that a hook before the tool and one after it
 * are told the same. A call whose arguments were rewritten in between gets another one; hosts that care send `tool_use_id`. No number that
 * counts calls: it would have to be kept for calls that never come back.
 */
export function callIdOf(sessionId: unknown, toolName: unknown, toolInput: unknown): string {
  const text = JSON.stringify([sessionId, toolName, toolInput]);
  return `toolu_${hash(text, 0x811c9dc5)}${hash(text, 0x01234567)}${hash(text, 0x7654321)}`;
}

/** FNV-1a over code units: nothing is kept secret by it, and this package knows no crypto module. */
function hash(text: string, seed: number): string {
  let value = seed;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
