import type { HookDefinition, HookEvent, HookOutput, HookWarning } from '@tenterhook/protocol';
import type { AnswerKeywords } from './answer-keywords.js';

/** The readable part of an output, in canonical fields, and warnings about the rest. */
export interface ReadOutput {
  readonly output: HookOutput;
  readonly warnings: readonly HookWarning[];
}

/** The hook that answered, and the event that it received. */
export interface Answering {
  readonly hook: HookDefinition;
  readonly event: HookEvent;
}

/**
 * The answers of one agent's hooks, for `decodeCommand`. It is for formats in which exit code 0 is an answer, 2 is a rejection, and any other code
 * is a failure, or with the options below something in between.
 */
export interface AnswerFormat {
  /** The name of the format in messages: `An LLxprt hook`. */
  readonly what: string;
  readonly words: AnswerKeywords;
  /**
   * Reads a printed object. `rejects`: the hook exited with 2 and that rejects, so a field with another meaning next to a deny has that
   * meaning. The decision of the object itself must be in the output nevertheless.
   */
  read(object: Readonly<Record<string, unknown>>, answering: Answering, rejects: boolean): ReadOutput;
  /** An object with which this hook denies, for messages. @default the example of its words */
  denial?(hook: HookDefinition): string;
  /** Whether an object between lines of text is an answer. @default every object is */
  isAnswer?(object: Readonly<Record<string, unknown>>): boolean;
  /** Reads text that is not an answer, with exit code 0. */
  ofText(text: string, answering: Answering): Partial<ReadOutput>;
  /** Whether JSON that is not an object counts as text. @default it is ignored */
  readonly takesOtherJsonAsText?: boolean;
  /** Whether exit code 2 of this hook is a deny. @default it is */
  rejects?(hook: HookDefinition): boolean;
  /** Where stdout is blank, objects on stderr are an answer. Text on stderr is always a log. @default all of stderr is a log */
  readonly readsStderr?: boolean;
  /**
   * A JSON object on stdout is an answer with any exit code, and the failure becomes a warning. Among lines of text only an objection counts: a hook
   * that logs objects and fails has failed. @default exit codes other than 0 and 2 are failures, whatever was printed
   */
  readonly objectsCountOnFailure?: boolean;
  /** Whether every exit code but 0 denies, which the dialect itself does with the failure: its message then does not say that the hook is ignored. */
  failureDenies?(hook: HookDefinition): boolean;
  /** Whether text denies with this exit code, other than 0 and 2. The text of stdout is the reason, else that of stderr. @default with none */
  textDenies?(exitCode: number): boolean;
  /** The directory that a relative path in a command counts from, as the end of a remedy. */
  readonly relativePaths: string;
}
