import { RE2JS, RE2JSSyntaxException } from 're2js';
import { type Compiled, quotePiece, refuse, refuseTooLong } from './pattern-error.js';
import { explainSyntaxError } from './regex-remedy.js';

export type RegexOptions = {
  /** Whether the whole text must match. If false, a part is enough (decision 53). @default false */
  wholeMatch?: boolean;
  /** Whether `.` matches a newline too. @default false */
  dotMatchesNewline?: boolean;
  /** Whether upper and lower case match each other. @default false */
  ignoreCase?: boolean;
  /**
   * Called with the number of instructions of the compiled program, even if the pattern is refused because of its size. It may throw to
   * stop the reading of settings. @default instructions are not counted
   */
  onCompiled?: (instructions: number) => void;
};

/**
 * The maximum number of instructions of the compiled program, just enough for the longest literal text that is accepted. The time of a
 * match is proportional to the length of the text times this number. With the limit of re2js itself, 1.4 million, a hundred times `.{1000}`
 * needs 20 s for a text of 50,000 characters.
 */
const MAX_PROGRAM_INSTRUCTIONS = 12_000;

/** The number of instructions at which re2js itself refuses a pattern. */
const MAX_COMPILED_INSTRUCTIONS = 1_400_000;

/**
 * Compiles a regular expression in the syntax of RE2, by default case-sensitive and unanchored. Never throws. The result is an error value
 * with a remedy if the pattern is malformed, longer than 10,000 characters, or too large after its repeat counts are expanded. A pattern
 * that needs backtracking (look-ahead, look-behind, back-references) is an error too.
 */
export function compileRegex(source: string, options: RegexOptions = {}): Compiled {
  return refuseTooLong(source) ?? compileLinear(source, source, options);
}

/**
 * Compiles a generated expression. There is no length limit, because a valid glob may become a longer expression. `written` is the pattern
 * of the user, for messages. Only this file imports re2js.
 */
export function compileLinear(source: string, written: string, options: RegexOptions): Compiled {
  const compiled = compile(source, written, options);
  options.onCompiled?.(compiled.instructions);
  return compiled.result;
}

function compile(source: string, written: string, options: RegexOptions): { result: Compiled; instructions: number } {
  try {
    // The flag for look-behind is not set: it uses the slowest engine of re2js, and the pattern would not work in other RE2 engines.
    const flags = (options.dotMatchesNewline ? RE2JS.DOTALL : 0) | (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const expression = RE2JS.compile(source, flags);
    const instructions = expression.programSize();
    // The size is known only after compiling. Estimating it was rejected: it would need a second parser, and save at most two seconds and
    // 200 MB when settings are loaded.
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
    'Shorten it, lower its repeat counts, or split it into several patterns.',
  );
}

/** Returns an error value for a bug or a stack overflow in the engine, so that the rest of the settings stays usable. */
function refuseUnknown(written: string, error: unknown): Compiled {
  return refuse(`${quotePiece(written)} could not be compiled (${String(error)})`, 'Write a simpler expression.');
}
