import { type PatternError, quotePiece } from './pattern-error.js';

type Remedy = { from: string; name: string; remedy: string };

const NO_BACKREFERENCE = 'Repeat the expression of the group in place of the reference, or compare the two parts of the text in the hook.';
const NO_LOOKAHEAD = 'Match the text itself instead of looking ahead: "rm(?= -rf)" becomes "rm -rf".';
const NO_EXCLUSION = 'Write what is allowed there, as in "rm($|[^a-z])" for "rm(?![a-z])", or check the rest in the hook.';
const NO_LOOKBEHIND = 'Match the text before it as well: "(?<=git )push" becomes "git push".';

/** Constructs of other engines that RE2 does not support, by their first characters. */
const MISSING_CONSTRUCTS: readonly Remedy[] = [
  { from: '(?=', name: 'look-ahead', remedy: NO_LOOKAHEAD },
  { from: '(?!', name: 'negative look-ahead', remedy: NO_EXCLUSION },
  { from: '(?<=', name: 'look-behind', remedy: NO_LOOKBEHIND },
  { from: '(?<!', name: 'negative look-behind', remedy: 'Write what is allowed there, as in "(^|[^a-z])rm" for "(?<![a-z])rm".' },
  { from: '(?P=', name: 'a back-reference', remedy: NO_BACKREFERENCE },
  { from: '(?P>', name: 'a subroutine call', remedy: 'Write the group out a second time.' },
  { from: '(?>', name: 'an atomic group', remedy: 'Write "(?:". This engine never backtracks, so the group changes nothing.' },
  { from: '(?(', name: 'a conditional', remedy: 'Write both cases with "|".' },
  { from: '(?|', name: 'a branch reset', remedy: 'Write "(?:".' },
  { from: '(?#', name: 'a comment', remedy: 'Leave the comment out.' },
  { from: '(?x', name: 'the flag x', remedy: 'Leave out the flag and the white space. The available flags are i, m, s and U.' },
  { from: '\\k', name: 'a back-reference', remedy: NO_BACKREFERENCE },
  { from: '\\g', name: 'a back-reference', remedy: NO_BACKREFERENCE },
  { from: '\\u', name: '\\u', remedy: 'Write "\\x{2026}" for "\\u2026".' },
  { from: '\\c', name: '\\c', remedy: 'Write the control character as "\\x01".' },
  { from: '\\Z', name: '\\Z', remedy: 'Write "\\z", or "$".' },
  { from: '\\G', name: '\\G', remedy: 'Leave "\\G" out: there is no previous match to continue from.' },
  { from: '\\h', name: '\\h', remedy: 'Write "[ \\t]".' },
  { from: '\\R', name: '\\R', remedy: 'Write "\\r?\\n".' },
];

/**
 * What to do about a syntax error, by its description in re2js 2. For other errors the message has the description and a general
 * remedy.
 */
const MALFORMED: Readonly<Record<string, string>> = {
  'missing closing )': 'Close the "(", or write "\\(" for the character.',
  'unexpected )': 'Open a "(" before it, or write "\\)" for the character.',
  'missing closing ]': 'Close the "[", or write "\\[" for the character.',
  'missing argument to repetition operator': 'Write ".*" for any text, or a backslash before the operator for the character itself.',
  'invalid nested repetition operator': 'Write one repetition, or put the first into "(?:" and ")".',
  'invalid repeat count': 'Write a count of at most 1000; the counts of nested repeats are multiplied.',
  'invalid character class range': 'Write the smaller end first, and a class that RE2 has: [a-z], [[:alpha:]], \\p{L}.',
  'trailing backslash at end of expression': 'Write "\\\\" for a backslash.',
  'expression nests too deeply': 'Remove groups that are not needed.',
  'duplicate capture group name': 'Remove the name of the group; names are not used.',
  'invalid named capture': 'Write a group without a name; names are not used.',
};

/**
 * Turns an error of the engine into a message with a remedy. Most users write expressions for JavaScript, Python or Perl, whose
 * engines support more. `description` is the error of the engine, and `piece` is the part of the expression at which it occurred.
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
    remedy: MALFORMED[description] ?? 'Write the pattern in the syntax of RE2: https://github.com/google/re2/wiki/Syntax.',
  };
}

function missingConstruct(source: string, piece: string): Remedy | undefined {
  if (piece === '') return undefined;
  if (/^\\[1-9]/.test(piece)) return { from: piece, name: 'a back-reference', remedy: NO_BACKREFERENCE };
  // re2js may cut `piece` too early to tell two constructs apart: for "(?P=name)" it is "(?P".
  return MISSING_CONSTRUCTS.find(({ from }) => piece.startsWith(from) || (from.startsWith(piece) && source.includes(from)));
}
