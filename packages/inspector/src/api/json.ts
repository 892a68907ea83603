/** A value as one line of JSON. */
export function escapedJson(value: unknown): string {
  return escapeLineBreaks(JSON.stringify(value));
}

/** Escapes the two characters in JSON that some readers take for line breaks. */
export function escapeLineBreaks(json: string): string {
  return json.replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
