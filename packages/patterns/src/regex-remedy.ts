import { type PatternError, quotePiece } from './pattern-error.js';

type Remedy = { from: string; name: string; remedy: string };

const NO_BACKREFERENCE = 'Write out what the group may match a second time, or compare the two parts in the hook itself.';
const NO_LOOKAHEAD = 'Match the text itself instead of looking ahead: "rm(?= -rf)" becomes "rm -rf".';
const NO_EXCLUSION = 'Write what is allowed there, as in "rm($|[^a-z])" for "rm(?![a-z])", or let the hook itself rule out the rest.';
const NO_LOOKBEHIND = 'Match the text before it as well: "(?<=git )push" becomes "git push".';

/** Constructs of other engines that RE2 does not have, by their beginning. */
const MISSING_CONSTRUCTS: readonly Remedy[] = [
  { from: '(?=', name: 'look-ahead', remedy: NO_LOOKAHEAD },
  { from: '(?!', name: 'negative look-ahead', remedy: NO_EXCLUSION },
  { from: '(?<=', name: 'look-behind', remedy: NO_LOOKBEHIND },
  { from: '(?<!', name: 'negative look-behind', remedy: 'Write what is allowed there, as in "(^|[^a-z])rm" for "(?<![a-z])rm".' },
  { from: '(?P=', name: 'a back-reference', remedy: NO_BACKREFERENCE },
  { from: '(?P>', name: 'a subroutine call', remedy: 'Write the group out a second time.' },
  { from: '(?>', name: 'an atomic group', remedy: 'Write "(?:": this engine never backtracks, so nothing has to be kept from it.' },
  { from: '(?(', name: 'a conditional', remedy: 'Write both cases with "|".' },
  { from: '(?|', name: 'a branch reset', remedy: 'Write "(?:".' },
  { from: '(?#', name: 'a comment', remedy: 'Leave the comment out.' },
  { from: '(?x', name: 'the flag x', remedy: 'Leave the flag and the white space out. The flags i, m, s and U exist.' },
  { from: '\\k', name: 'a back-reference', remedy: NO_BACKREFERENCE },
  { from: '\\g', name: 'a back-reference', remedy: NO_BACKREFERENCE },
  { from: '\\u', name: '\\u', remedy: 'Write "\\x{2026}" for "\\u2026".' },
  { from: '\\c', name: '\\c', remedy: 'Write the control character as "\\x01".' },
  { from: '\\Z', name: '\\Z', remedy: 'Write "\\z", or "$".' },
  { from: '\\G', name: '\\G', remedy: 'Leave it out: there is no previous match to continue from.' },
  { from: '\\h', name: '\\h', remedy: 'Write "[ \\t]".' },
  { from: '\\R', name: '\\R', remedy: 'Write "\\r?\\n".' },
];

/** By the description of re2js 2; one that is not here still gets the description itself and a general remedy. */
const MALFORMED: Readonly<Record<string, string>> = {
  'missing closing )': 'Close the "(", or write "\\(" for the character.',
  'unexpected )': 'Open a "(" before it, or write "\\)" for the character.',
  'missing closing ]': 'Close the "[", or write "\\[" for the character.',
  'missing argument to repetition operator': 'Write ".*" for any text, or a backslash before it for the character itself.',
  'invalid nested repetition operator': 'Write one repetition, or put the first into "(?:" and ")".',
  'invalid repeat count': 'Write a count of at most 1000; the counts of nested repeats are multiplied.',
  'invalid character class range': 'Write the smaller end first, and a class that RE2 has: [a-z], [[:alpha:]], \\p{L}.',
  'trailing backslash at end of expression': 'Write "\\\\" for a backslash.',
  'expression nests too deeply': 'Take away groups that are not needed.',
  'duplicate capture group name': 'Take the name away: nothing reads it here.',
  'invalid named capture': 'Write a plain group: nothing reads its name here.',
};

/**
 * Turns an error of the engine into a remedy, because most expressions come from JavaScript, Python or Perl, and their authors
 * cannot know the limits of linear time. `description` and `piece` are the engine's: the error, and where it begins.
 */
export function explainSyntaxError(source: string, description: string, piece: string): PatternError {
  const missing = missingConstruct(source, piece);
  if (missing) {
    return {
      message: `${quotePiece(source)} uses ${missing.name} (${missing.from}), which the linear-time engine does not support`,
      remedy: missing.remedy,
    };
  }
  const detail = piece === '' || piece === source ? '' : `: ${quotePiece(piece)}`;
  return {
    message: `${quotePiece(source)} is not a regular expression of RE2: ${description}${detail}`,
    remedy: MALFORMED[description] ?? 'Write it in the syntax of RE2: https://github.com/google/re2/wiki/Syntax.',
  };
}

function missingConstruct(source: string, piece: string): Remedy | undefined {
  if (piece === '') return undefined;
  if (/^\\[1-9]/.test(piece)) return { from: piece, name: 'a back-reference', remedy: NO_BACKREFERENCE };
  // re2js may cut the piece before the character that tells them apart: "(?P" for "(?P=name)".
  return MISSING_CONSTRUCTS.find(({ from }) => piece.startsWith(from) || (from.startsWith(piece) && source.includes(from)));
}
