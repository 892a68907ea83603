/**
 * Characters that are not visible: control characters, bidi and zero width characters, unpaired surrogates, and all others that
 * Unicode defines as invisible. A variation selector directly after an emoji belongs to the emoji, so it does not match.
 */
const unseen = /(?<!\p{Emoji})[\ufe0e\ufe0f]|(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Escapes all characters that a terminal interprets or a reader cannot see, by default as `\uXXXX`. The log and all output use this
 * function. `JSON.stringify` alone was rejected, because it leaves most of these characters unescaped.
 */
export function escapeUnseen(text: string, write: (character: string) => string = asInJson): string {
  return text.replace(unseen, (character) => write(character));
}

function asInJson(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Escapes a text for HTML, SVG and XML, in elements and in attributes. Characters that are not visible are written as in JSON, because XML
 * allows no control character, not even as a reference. Line breaks stay as they are.
 */
export function escapeMarkup(text: string): string {
  const lines = text.split('\n').map((line) => escapeUnseen(line));
  return lines
    .join('\n')
    .replace(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"']/g, (character) => entities[character] as string);
}
