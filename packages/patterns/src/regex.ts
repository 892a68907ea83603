import { RE2JS, RE2JSSyntaxException } from 're2js';
import { type Compiled, quotePiece, refuse, refuseTooLong } from './pattern-error.js';
import { explainSyntaxError } from './regex-remedy.js';

export type RegexOptions = {
  /** Whether the whole text must match, and not only a part of it (decision 53). @default false */
  wholeMatch?: boolean;
  /** Whether `.` matches a newline too. @default false */
  dotMatchesNewline?: boolean;
  /** Whether upper and lower case match each other. @default false */
  ignoreCase?: boolean;
  /**
   * Called with the number of instructions of the compiled program. It is also called for a pattern that is refused because of its size,
   * because compiling it took the same time. It may throw to stop the reading of settings. @default instructions are not counted
   */
  onCompiled?: (instructions: number) => void;
};

/**
 * The maximum number of instructions of the compiled program. It is just enough for the longest literal text that is accepted. The limit of
 * re2js itself, 1.4 million, is too high, because its time is proportional to the length of the text times the size of the program: a
 * hundred times `.{1000}`, a pattern of 700 characters, needs 20 s for a text of 50,000 characters.
 */
const MAX_PROGRAM_INSTRUCTIONS = 12_000;

/** The number of instructions at which re2js itself refuses a pattern. */
const MAX_COMPILED_INSTRUCTIONS = 1_400_000;

/**
 * Compiles a regular expression in the syntax of RE2, case-sensitive and unanchored unless the options say otherwise. Never throws. The
 * result is an error value with a remedy if the pattern is malformed, is longer than 10,000 characters, becomes too large when its repeat
 * counts are expanded, or needs backtracking (look-ahead, look-behind, back-references).
 */
export function compileRegex(source: string, options: RegexOptions = {}): Compiled {
  return refuseTooLong(source) ?? compileLinear(source, source, options);
}

/**
 * Compiles an expression without the length limit. It is for generated expressions, because a glob within the limit may become a longer
 * expression. `written` is the pattern that the user wrote, for messages. No other file imports re2js.
 */
export function compileLinear(source: string, written: string, options: RegexOptions): Compiled {
  const compiled = compile(source, written, options);
  options.onCompiled?.(compiled.instructions);
  return compiled.result;
}

function compile(source: string, written: string, options: RegexOptions): { result: Compiled; instructions: number } {
  try {
    // re2js has a flag for look-behind. It is not set, because it uses the slowest engine, and because a pattern that works here should
    // work in every RE2.
    const flags = (options.dotMatchesNewline ? RE2JS.DOTALL : 0) | (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const expression = RE2JS.compile(source, flags);
    const instructions = expression.programSize();
    // The size is known only after compiling. Estimating it from the source was rejected: it would need a second parser, and would save at
    // most a second or two and 200 MB when settings are loaded.
    if (instructions > MAX_PROGRAM_INSTRUCTIONS) return { result: refuseTooLarge(written), instructions };
    // test() and testExact() request no groups, so re2js can use its fast automaton (DFA). With matcher() it could not.
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
    'Shorten it, lower its repeat counts, or split it into several patterns.',
  );
}

/** A bug or a stack overflow in the engine must not make a whole settings file unusable. */
function refuseUnknown(written: string, error: unknown): Compiled {
  return refuse(`${quotePiece(written)} could not be compiled (${String(error)})`, 'Write a simpler expression.');
}
