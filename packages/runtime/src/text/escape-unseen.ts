/**
 * Characters that are not visible: control characters, invisible formatting (bidi, zero width, tags), line and paragraph separators,
 * unpaired surrogates, and everything else that Unicode defines as invisible, such as the Hangul fillers. The exception is a variation
 * selector directly after an emoji, because it is a part of the emoji.
 */
const unseen = /(?<!\p{Emoji})[\ufe0e\ufe0f]|(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Escapes all characters that a terminal interprets or a reader cannot see. The log, JSON on stdout and text for people all use this list
 * of characters. By default they are escaped as in JSON; `JSON.stringify` itself does not escape most of them.
 */
export function escapeUnseen(text: string, write: (character: string) => string = asInJson): string {
  return text.replace(unseen, (character) => write(character));
}

function asInJson(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}
