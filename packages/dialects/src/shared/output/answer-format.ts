import type { HookDefinition, HookEvent, HookOutput, HookWarning } from '@tenterhook/protocol';
import type { AnswerWords } from './answer-keywords.js';

/** An output as far as it could be read, in canonical fields, and what was wrong with the rest. */
export interface ReadOutput {
  readonly output: HookOutput;
  readonly warnings: readonly HookWarning[];
}

/** The hook that answered, and the event as it was told of it. */
export interface Answering {
  readonly hook: HookDefinition;
  readonly event: HookEvent;
}

/**
 * What hooks of one agent answer on stdout: all that `decodeCommand` has to know of a format in which 0 is an answer, 2 a rejection, and any
 * other exit code a failure, or something between the two.
 */
export interface AnswerFormat {
  /** Names the format in messages: `An LLxprt hook`. */
  readonly what: string;
  readonly words: AnswerWords;
  /**
   * What a printed object says. `rejects`: the hook ended with exit code 2 where that rejects, so that a field that means another thing beside
   * a deny means that here; what the object itself decides must be told all the same.
   */
  read(object: Readonly<Record<string, unknown>>, answering: Answering, rejects: boolean): ReadOutput;
  /** Whether an object that stands between lines of text is an answer. @default every object is */
  isAnswer?(object: Readonly<Record<string, unknown>>): boolean;
  /** What a text that is no answer says, with exit code 0. */
  ofText(text: string, answering: Answering): Partial<ReadOutput>;
  /** JSON that is no object is such a text. @default it says nothing */
  readonly takesOtherJsonAsText?: boolean;
  /** Whether exit code 2 is a deny. @default it is, of every hook */
  rejects?(hook: HookDefinition): boolean;
  /** Where stdout is blank, objects on stderr are an answer as they would be there; text on stderr stays a log. @default all of it is a log */
  readonly readsStderr?: boolean;
  /**
   * A JSON object on stdout is an answer with any exit code, and what would be a failure is a warning beside it. Among lines of text it has to
   * object: whoever fails and logs objects has failed. @default exit codes other than 0 and 2 are failures, whatever was printed
   */
  readonly objectsCountOnFailure?: boolean;
  /** Whether with this exit code, which is neither 0 nor 2, a text denies and is the reason: of stdout, else of stderr. @default with none */
  textDenies?(exitCode: number): boolean;
  /** From where a relative path in a command counts, as the end of a sentence that tells how to mend one. */
  readonly relativePaths: string;
}
