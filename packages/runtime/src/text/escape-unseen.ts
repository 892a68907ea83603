/** Control characters, everything that formats invisibly (bidi, zero width, tags), foreign line ends, halves of a surrogate pair. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Whatever a terminal obeys or a reader cannot see, written out. The one list of these characters: the log, JSON on stdout and text for
 * people escape the same ones. As JSON writes them unless the caller has another way; JSON itself leaves most of them as they are.
 */
export function escapeUnseen(text: string, write: (character: string) => string = asInJson): string {
  return text.replace(unseen, (character) => write(character));
}

function asInJson(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}
