// Sequences that set colours, move the cursor, choose a character set or a title (ECMA-48). None ends in a brace or goes beyond
// its line, so that a broken one takes no object along.
const controlSequence = String.raw`\[[0-?]*[ -/]*[@-z~]`;
const operatingSystemCommand = String.raw`\][^\x07\x1B\r\n]*(?:\x07|\x1B\\)`;
const short = '[ -/]+[0-Z]|[78=>cM]';
const escapeSequence = new RegExp(`\\x1B(?:${controlSequence}|${operatingSystemCommand}|${short})`, 'g');

/** A text without what only a terminal reads. JSON has no escape character, so nothing of an object is lost, and one in colours is found. */
export function withoutEscapes(text: string): string {
  return text.includes('\u001B') ? text.replace(escapeSequence, '') : text;
}
