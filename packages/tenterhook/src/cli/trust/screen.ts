import type { ReportStyle } from '../../output/reports/report-style.js';
import { type CommandContext, styleOf } from '../context.js';
import { timeoutUnitOf } from '../hooks/load-hooks.js';
import type { Answers } from './answers.js';

/** The terminal on which questions are printed and answered. */
export interface Screen {
  readonly style: ReportStyle;
  /** The number of lines that fit. */
  readonly rows: number;
  print(lines: readonly string[]): void;
  /** Asks a question and resolves to the answer. Undefined at the end of the input. */
  ask(question: readonly string[]): Promise<string | undefined>;
}

/** A terminal without a size is assumed to have this many lines. */
const usualRows = 24;

export function createScreen(context: CommandContext, answers: Answers): Screen {
  const { stdout } = context;
  const print = (lines: readonly string[]) => void stdout.write(lines.map((line) => `${line}\n`).join(''));
  return {
    style: { ...styleOf(context), timeoutUnitOf },
    rows: stdout.rows || usualRows,
    print,
    async ask(question) {
      print(question);
      stdout.write('> ');
      const answer = await answers.next();
      // After Ctrl-D the cursor is still in the line of the prompt `>`.
      if (answer === undefined) stdout.write('\n');
      return answer;
    },
  };
}
