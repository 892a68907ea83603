import { escapeUnseen } from '@tenterhook/runtime/text';

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Makes a hook's text safe for a terminal: one line of at most `maxLength` characters, without control sequences and invisible characters.
 * They are escaped, not removed, so that readers see that a hook tried to move the cursor.
 */
export function escapeForTerminal(text: string, maxLength = 200): string {
  // A hook may print megabytes, so the text is cut before it is escaped. This is safe, because escaping never makes a text shorter.
  const escaped = escapeUnseen(text.slice(0, maxLength + 1), escapeCharacter);
  return escaped.length <= maxLength ? escaped : `${withoutHalfPair(escaped.slice(0, maxLength - 1))}…`;
}

export function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) as number;
  return short[character] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 5)}}`);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

function withoutHalfPair(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
