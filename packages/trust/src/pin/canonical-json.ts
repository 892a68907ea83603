import { createHash } from 'node:crypto';

/**
 * Writes plain JSON with the keys of every object in code-unit order, so that equal values have one text. Texts and numbers are written as
 * JSON.stringify writes them. Keys with the value undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // A loop: every record of the store is written in this form when it is read, and lists of entries cost twice the time.
  let fields = '';
  for (const key of Object.keys(value).sort()) {
    const item = (value as Readonly<Record<string, unknown>>)[key];
    if (item !== undefined) fields += `${fields === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(item)}`;
  }
  return `{${fields}}`;
}

/** Returns the SHA-256 of a text or of bytes, as 64 hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
