import type { DialectConformanceOptions, DialectEvent, DialectScene, Unreadable } from './dialect-case.js';
import type { Said } from './said.js';

/** What an answer that allows says on stdout with this exit code. */
export function allowWith(options: DialectConformanceOptions, exitCode: number): Said {
  if (!answersCount(options, exitCode)) return 'no allow';
  // What an empty answer of a dialect without a word for it means with another exit code is its own matter.
  return options.answers.allow === undefined ? 'unclear' : 'allow';
}

export function answersCount({ answersWith }: DialectConformanceOptions, exitCode: number): boolean {
  return exitCode === 0 || answersWith?.(exitCode) === true;
}

/** The lowest and the highest exit code beside 0 with which answers count. */
export function otherAnswerCodes(options: DialectConformanceOptions): number[] {
  const codes = Array.from({ length: 255 }, (_, index) => index + 1).filter((exitCode) => answersCount(options, exitCode));
  return codes.filter((_, index) => index === 0 || index === codes.length - 1);
}

export function unreadableOn({ unreadable }: DialectConformanceOptions, { dialectEvent }: DialectEvent): Unreadable {
  return unreadable?.(dialectEvent) ?? 'no opinion';
}

export function isAnswersEvent({ answersEvent }: DialectScene, { dialectEvent }: DialectEvent): boolean {
  return dialectEvent === answersEvent?.dialectEvent;
}
