/**
 * Returns an id for a tool call to which the host has given none. The id is a hash of session, tool and arguments, so hooks before
 * and after the tool receive the same id. If a hook rewrites the arguments, the id changes; hosts that need a stable id send
 * `tool_use_id`. A counter was rejected: it would need an entry for every running call, and some calls never end.
 */
export function toCallId(
  prefix: string,
  { session_id: sessionId, tool_name: name, tool_input: input }: Readonly<Record<string, unknown>>,
): string {
  return `${prefix}${hashOf([sessionId, name, input])}`;
}

/** Returns a hash of a value as 24 hexadecimal digits. Equal values have equal hashes. */
export function hashOf(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return `${hash(text, 0x811c9dc5)}${hash(text, 0x01234567)}${hash(text, 0x7654321)}`;
}

/** Returns the FNV-1a hash over UTF-16 code units. The id is not a secret, so a crypto module is not needed. */
function hash(text: string, seed: number): string {
  let value = seed;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
