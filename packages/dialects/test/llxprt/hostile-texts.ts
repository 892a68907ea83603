/** Texts of about `long` characters that take much time if a parser searches them for JSON carelessly. */
export function hostileTexts(long: number): Record<string, string> {
  return {
    braces: '{'.repeat(long),
    brackets: '['.repeat(long),
    'an object of brackets': `{"a":${'['.repeat(long)}`,
    'objects in objects': '{"a":'.repeat(long / 5),
    'lines of objects in objects': '{"a":\n'.repeat(long / 6),
    quotes: '"'.repeat(long),
    'quotes behind a brace': `{${'"'.repeat(long)}`,
    'lines of half texts': '{"\n'.repeat(long / 3),
    backslashes: `{"${'\\'.repeat(long)}`,
    'closing braces': '}'.repeat(long),
    blanks: `x\n${' '.repeat(long)}x`,
    'line breaks': `x${'\r'.repeat(long)}x`,
    digits: `{"a":${'1'.repeat(long)}`,
    'empty objects': '{}\n'.repeat(long / 3),
    'empty objects in a list that is never closed': `{"a":[\n${'{},\n'.repeat(long / 4)}`,
    'objects that say continue': '{"continue":true}\n'.repeat(long / 18),
    escapes: '\u001B['.repeat(long / 2),
    'titles that are never closed': '\u001B]'.repeat(long / 2),
    'the word decision': '{decision '.repeat(long / 10),
    'decision and blanks': `{decision${' '.repeat(long)}`,
  };
}
