import type { HookDefinition, HookEvent, HookOutput, HookWarning } from '@tenterhook/protocol';
import type { AnswerKeywords } from './answer-keywords.js';

/** What was read of an answer, in canonical fields, and warnings about the rest. */
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
 * How the answers of one agent's hooks are read, for `decodeCommand`. For formats in which exit code 0 is an answer, 2 rejects, and any
 * other code is a failure. The optional members describe exceptions to this.
 */
export interface AnswerFormat {
  /** The kind of hook, in messages: `An LLxprt hook`. */
  readonly what: string;
  readonly words: AnswerKeywords;
  /**
   * Reads a printed object. `rejects`: true if exit code 2 rejects, so that a field that means something else next to a deny has that
   * meaning. The output must nevertheless contain the decision of the object itself.
   */
  read(object: Readonly<Record<string, unknown>>, answering: Answering, rejects: boolean): ReadOutput;
  /** Returns an example of an object with which this hook denies, for messages. @default `words.example` */
  denial?(hook: HookDefinition): string;
  /** Tests whether an object between lines of text is an answer. @default every object is */
  isAnswer?(object: Readonly<Record<string, unknown>>): boolean;
  /** Reads text that is not an answer, printed with exit code 0. */
  ofText(text: string, answering: Answering): Partial<ReadOutput>;
  /** True if JSON that is not an object counts as text. @default it is ignored */
  readonly takesOtherJsonAsText?: boolean;
  /** Tests whether exit code 2 of this hook is a deny. @default it is */
  rejects?(hook: HookDefinition): boolean;
  /**
   * True if objections in objects on stderr count when stdout is blank. Text on stderr is a log in every format.
   * @default all of stderr is a log
   */
  readonly readsStderr?: boolean;
  /**
   * True if a JSON object on stdout is an answer with any exit code, so that the failure becomes a warning. Between lines of text only an
   * objection counts, as with exit code 0: a hook that logs objects and fails has failed. @default with exit codes other than 0 and 2 the
   * hook has failed, whatever it printed
   */
  readonly objectsCountOnFailure?: boolean;
  /**
   * Tests whether every exit code but 0 denies. The dialect itself makes the deny of the failure; here this only changes the message, which
   * must not say that the hook is ignored.
   */
  failureDenies?(hook: HookDefinition): boolean;
  /**
   * Tests whether text denies with this exit code, which is not 0 or 2. The reason is the text of stdout, or of stderr if stdout has none.
   * @default no exit code
   */
  textDenies?(exitCode: number): boolean;
  /** The directory against which relative paths in a command are resolved, as the end of a remedy. */
  readonly relativePaths: string;
}
