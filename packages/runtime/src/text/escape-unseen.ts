/**
 * Characters that are not visible: control characters, bidi and zero width characters, unpaired surrogates, and all others that Unicode
 * defines as invisible. A variation selector directly after an emoji is a part of the emoji, so it is not escaped.
 */
const unseen = /(?<!\p{Emoji})[\ufe0e\ufe0f]|(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Escapes all characters that a terminal interprets or a reader cannot see. The log and all output use this function. By default each
 * character is escaped as `\uXXXX`. `JSON.stringify` alone was rejected, because it leaves most of these characters unescaped.
 */
export function escapeUnseen(text: string, write: (character: string) => string = asInJson): string {
  return text.replace(unseen, (character) => write(character));
}

function asInJson(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}
