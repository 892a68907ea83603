import { type Decoded, describeHook } from '@tenterhook/protocol';
import type { AnswerFormat, Answering, ReadOutput } from './answer-format.js';
import type { Exited } from './failed-exit.js';
import { oneOutputOf } from './one-output.js';
import type { Stdout } from './read-stdout.js';

/** What is read of one run, and in which format. */
export interface Run extends Answering {
  readonly exit: Exited;
  readonly stdout: Stdout;
  readonly format: AnswerFormat;
}

/** The most characters of a text that was printed and has to do as a reason: about 16,000 words, beyond what anybody reads. */
const maxReason = 65_536;

export function readObjects({ objects, mixed }: Extract<Stdout, { kind: 'objects' }>, run: Run, rejects: boolean): ReadOutput {
  const read = objects.map((object) => run.format.read(object, run, rejects));
  return mixed ? oneOutputOf(read) : (read.at(-1) as ReadOutput);
}

/** Half an answer must not be taken for a message: the deny may have stood in the other half. */
export function truncated({ exit, hook }: Pick<Run, 'exit' | 'hook'>): Decoded {
  const bytes = exit.stdoutTruncated ? exit.stdoutBytes : exit.stderrBytes;
  const message = `${describeHook(hook)} wrote ${bytes} bytes, more than is kept; the answer is not read.`;
  return { failure: { code: 'output_truncated', message }, warnings: [] };
}

/** The reason goes to a model, and what was merely printed may be megabytes; the outcome has all that was kept of it. */
export function asReason(text: string): string {
  return text.length > maxReason ? `${text.slice(0, maxReason - 1)}…` : text;
}
