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
 * How the answers of one agent's hooks are read, for `decodeCommand`. It is for formats in which a hook answers with exit code 0, denies
 * with 2, and fails with any other code. The optional members describe exceptions.
 */
export interface AnswerFormat {
  /** The kind of hook, in messages: `An LLxprt hook`. */
  readonly what: string;
  readonly words: AnswerKeywords;
  /**
   * Reads a printed object. `rejects` is true if exit code 2 denies. Fields that mean something else together with a deny must then be read
   * in this way, but the output must still contain the decision of the object itself.
   */
  read(object: Readonly<Record<string, unknown>>, answering: Answering, rejects: boolean): ReadOutput;
  /** Returns an example of an object with which this hook denies, for messages. @default `words.example` */
  denial?(hook: HookDefinition): string;
  /** Tests whether an object between lines of text is an answer. @default every object is one */
  isAnswer?(object: Readonly<Record<string, unknown>>): boolean;
  /** Reads text that is not an answer, printed with exit code 0. */
  ofText(text: string, answering: Answering): Partial<ReadOutput>;
  /** True if JSON that is not an object is read as text. @default it is ignored */
  readonly takesOtherJsonAsText?: boolean;
  /** Tests whether exit code 2 of this hook is a deny. @default it is */
  rejects?(hook: HookDefinition): boolean;
  /**
   * Set if objections in objects on stderr are obeyed when stdout is blank. Text on stderr is a log in every format.
   * @default all of stderr is a log
   */
  readonly readsStderr?: boolean;
  /**
   * Set if a JSON object on stdout is an answer with any exit code, so that the failure only becomes a warning. If there are lines of text
   * around the object, only an objection in it is obeyed, as with exit code 0, because the object may be a log. @default with exit codes
   * other than 0 and 2 the hook has failed, whatever it printed
   */
  readonly objectsCountOnFailure?: boolean;
  /**
   * Tests whether every exit code except 0 denies for this hook. The dialect itself turns the failure into a deny; this method only changes
   * the message, which must not say that the hook is ignored.
   */
  failureDenies?(hook: HookDefinition): boolean;
  /**
   * Tests whether a text denies if the hook ends with this exit code. Not called for the exit codes 0 and 2. The reason is the text of
   * stdout, or of stderr if stdout has none.
   * @default no exit code
   */
  textDenies?(exitCode: number): boolean;
  /** The directory against which relative paths in a command are resolved, as the end of a remedy. */
  readonly relativePaths: string;
}
