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

/**
 * Returns a hash of a value as 24 hexadecimal digits. Equal values have equal hashes. It is three FNV-1a hashes over UTF-16 code units, with
 * different seeds. The id is not a secret, so a crypto module is not needed. One loop for all three takes half the time of three loops,
 * which counts for the content of a large file.
 */
export function hashOf(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  let [first, second, third] = [0x811c9dc5, 0x01234567, 0x07654321];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, prime);
    second = Math.imul(second ^ unit, prime);
    third = Math.imul(third ^ unit, prime);
  }
  return `${digits(first)}${digits(second)}${digits(third)}`;
}

const prime = 0x01000193;

function digits(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, '0');
}
