// Sequences that set colours, move the cursor, choose a character set or a title (ECMA-48). None ends in a brace or goes beyond
// its line, so that a broken one takes no object along.
const controlSequence = String.raw`\[[0-?]*[ -/]*[@-z~]`;
const operatingSystemCommand = String.raw`\][^\x07\x1B\r\n]*(?:\x07|\x1B\\)`;
const short = '[ -/]+[0-Z]|[78=>cM]';
const escapeSequence = new RegExp(`\\x1B(?:${controlSequence}|${operatingSystemCommand}|${short})`, 'g');
// A mark of the byte order where a wrapper's log ends and its child's output begins, a bell: nothing that anybody sees.
const unseen = /[\uFEFF\x00-\x08\x0B\x0C\x0E-\x1A\x7F]/g;

/** A text without what only a terminal reads. JSON has no escape character, so nothing of an object is lost, and one in colours is found. */
export function withoutEscapes(text: string): string {
  const plain = text.includes('\u001B') ? text.replace(escapeSequence, '') : text;
  return plain.replace(unseen, '');
}
