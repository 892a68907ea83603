import { RE2JS, RE2JSSyntaxException } from 're2js';
import { type Compiled, quotePiece, refuse, refuseTooLong } from './pattern-error.js';
import { explainSyntaxError } from './regex-remedy.js';

export type RegexOptions = {
  /** Whether the whole text must match. If false, a match of a part of the text is enough (decision 53). @default false */
  wholeMatch?: boolean;
  /** Whether `.` matches a newline too. @default false */
  dotMatchesNewline?: boolean;
  /** Whether upper and lower case match each other. @default false */
  ignoreCase?: boolean;
  /**
   * Called with the number of instructions of the compiled program, even if the pattern is refused because of its size. The
   * callback may throw to stop the reading of settings. @default instructions are not counted
   */
  onCompiled?: (instructions: number) => void;
};

/**
 * The maximum number of instructions of the compiled program. It is just enough for the longest literal text that is accepted. The
 * time of a match is proportional to the length of the text times this number. The limit of re2js, 1.4 million, was rejected:
 * `.{1000}` a hundred times would need 20 s for a text of 50,000 characters.
 */
const MAX_PROGRAM_INSTRUCTIONS = 12_000;

/** The limit of re2js itself. */
const MAX_COMPILED_INSTRUCTIONS = 1_400_000;

/**
 * Compiles a regular expression in the syntax of RE2, by default case-sensitive and unanchored. Never throws. The result is an
 * error value with a remedy if the pattern:
 * - is malformed
 * - is longer than 10,000 characters
 * - is too large after its repeat counts are expanded
 * - needs backtracking (look-ahead, look-behind, back-references)
 */
export function compileRegex(source: string, options: RegexOptions = {}): Compiled {
  return refuseTooLong(source) ?? compileLinear(source, source, options);
}

/**
 * Compiles a generated expression. `written` is the user's pattern, for messages. The length is not limited, because a valid glob
 * may become a longer expression. Only this file imports re2js.
 */
export function compileLinear(source: string, written: string, options: RegexOptions): Compiled {
  const compiled = compile(source, written, options);
  options.onCompiled?.(compiled.instructions);
  return compiled.result;
}

function compile(source: string, written: string, options: RegexOptions): { result: Compiled; instructions: number } {
  try {
    // The flag for look-behind was rejected: it selects the slowest engine of re2js, and other RE2 engines could not run the
    // pattern.
    const flags = (options.dotMatchesNewline ? RE2JS.DOTALL : 0) | (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const expression = RE2JS.compile(source, flags);
    const instructions = expression.programSize();
    // The size is known only after compiling. Estimating it first was rejected: it would need a second parser, and save at most two
    // seconds and 200 MB when settings are loaded.
    if (instructions > MAX_PROGRAM_INSTRUCTIONS) return { result: refuseTooLarge(written), instructions };
    // test() and testExact() need no groups, so re2js can use its fast automaton (DFA). With matcher() it could not.
    const test = options.wholeMatch ? (text: string) => expression.testExact(text) : (text: string) => expression.test(text);
    return { result: { ok: true, test }, instructions };
  } catch (error) {
    const instructions = source.length;
    if (!(error instanceof RE2JSSyntaxException)) return { result: refuseUnknown(written, error), instructions };
    const problem = error.getDescription();
    if (problem === 'expression too large') return { result: refuseTooLarge(written), instructions: MAX_COMPILED_INSTRUCTIONS };
    const explained = explainSyntaxError(source, problem, (error.getPattern() ?? '').replace(/^\(\?[is]+\)/, ''));
    return { result: { ok: false, error: explained }, instructions };
  }
}

function refuseTooLarge(written: string): Compiled {
  return refuse(
    `${quotePiece(written)} is too large for the linear-time engine once its repeat counts are expanded`,
    'Shorten the pattern, lower its repeat counts, or split it into several patterns.',
  );
}

/**
 * Returns an error value for a bug or a stack overflow in the engine. A throw was rejected, so that the rest of the settings stays
 * usable.
 */
function refuseUnknown(written: string, error: unknown): Compiled {
  return refuse(`${quotePiece(written)} could not be compiled (${String(error)})`, 'Write a simpler expression.');
}
