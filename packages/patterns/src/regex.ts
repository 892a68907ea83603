import { RE2JS, RE2JSSyntaxException } from 're2js';
import { type Compiled, quotePiece, refuse, refuseTooLong } from './pattern-error.js';
import { explainSyntaxError } from './regex-remedy.js';

export type RegexOptions = {
  /** The whole text must match, instead of any part of it (decision 53). @default false */
  wholeMatch?: boolean;
  /** `.` matches a newline too. @default false */
  dotMatchesNewline?: boolean;
  /**
   * Receives the instructions of the compiled program, of a pattern that is refused for its size too: compiling it cost as much. May throw, to
   * end a reading that is too much. @default they are not counted
   */
  onCompiled?: (instructions: number) => void;
};

/**
 * Instructions of the compiled program. The limit of re2js is 1.4 million, and its time is text times program: `.{1000}` a hundred times, 700
 * characters, needs 20 s for a text of 50,000. This limit is just above the program of the longest accepted literal.
 */
const MAX_PROGRAM_INSTRUCTIONS = 12_000;

/** The limit of re2js, at which it has given up a pattern. */
const MAX_COMPILED_INSTRUCTIONS = 1_400_000;

/**
 * A regular expression in the syntax of RE2, case-sensitive and unanchored unless the options say otherwise. Never throws: a pattern that is
 * malformed, longer than 10,000 characters, too large once its repeat counts are written out, or that needs backtracking (look-ahead,
 * look-behind, back-references) is an error value with a remedy.
 */
export function compileRegex(source: string, options: RegexOptions = {}): Compiled {
  return refuseTooLong(source) ?? compileLinear(source, source, options);
}

/**
 * Without the length limit, for generated expressions: a glob within the limit becomes a longer expression. `written` is the user's pattern, for
 * the message. This file is the only one that imports re2js.
 */
export function compileLinear(source: string, written: string, options: RegexOptions): Compiled {
  const compiled = compile(source, written, options);
  options.onCompiled?.(compiled.instructions);
  return compiled.result;
}

function compile(source: string, written: string, options: RegexOptions): { result: Compiled; instructions: number } {
  try {
    // re2js has a flag for look-behind, on its slowest engine. Not set: a pattern that works here should work in every RE2.
    const expression = RE2JS.compile(source, options.dotMatchesNewline ? RE2JS.DOTALL : 0);
    const instructions = expression.programSize();
    // Only known afterwards. To estimate it from the source would need a second parser, and save at most a second or two and 200 MB at load.
    if (instructions > MAX_PROGRAM_INSTRUCTIONS) return { result: refuseTooLarge(written), instructions };
    // test and testExact request no groups, which keeps re2js on its DFA; matcher() would not.
    const test = options.wholeMatch ? (text: string) => expression.testExact(text) : (text: string) => expression.test(text);
    return { result: { ok: true, test }, instructions };
  } catch (error) {
    const instructions = source.length;
    if (!(error instanceof RE2JSSyntaxException)) return { result: refuseUnknown(written, error), instructions };
    const problem = error.getDescription();
    if (problem === 'expression too large') return { result: refuseTooLarge(written), instructions: MAX_COMPILED_INSTRUCTIONS };
    const explained = explainSyntaxError(source, problem, (error.getPattern() ?? '').replace(/^\(\?s\)/, ''));
    return { result: { ok: false, error: explained }, instructions };
  }
}

function refuseTooLarge(written: string): Compiled {
  return refuse(
    `${quotePiece(written)} is too large for the linear-time engine once its repeats are written out`,
    'Shorten it, lower its repeat counts, or split it into several patterns.',
  );
}

/** A bug of the engine, or a stack overflow in it, must not take a settings file down with it. */
function refuseUnknown(written: string, error: unknown): Compiled {
  return refuse(`${quotePiece(written)} could not be compiled (${String(error)})`, 'Write a simpler expression.');
}
