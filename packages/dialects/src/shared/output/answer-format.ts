import type { HookDefinition, HookEvent, HookOutput, HookWarning } from '@tenterhook/protocol';
import type { AnswerKeywords } from './answer-keywords.js';

/** The answer in canonical fields, and warnings about parts that were not read. */
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
 * How `decodeCommand` reads the answers of one agent's hooks. A hook answers with exit code 0, denies with 2, and fails with any
 * other code. The optional members describe exceptions.
 */
export interface AnswerFormat {
  /** The kind of hook in messages, e.g. `An LLxprt hook`. */
  readonly what: string;
  readonly words: AnswerKeywords;
  /**
   * Reads a printed object. `rejects` is true if the hook denied with exit code 2: in some formats a field then has another
   * meaning. The output must still contain the decision of the object itself.
   */
  read(object: Readonly<Record<string, unknown>>, answering: Answering, rejects: boolean): ReadOutput;
  /**
   * Returns the object that the hook read on stdin. Some hooks print their input again, so a printed field that equals the field of
   * this object is left out, without a warning. The object must not contain fields that can be an answer.
   * @default nothing is left out
   */
  received?(answering: Answering): Readonly<Record<string, unknown>>;
  /** Returns an example of an object with which this hook denies, for messages. @default `words.example` */
  denial?(hook: HookDefinition): string;
  /** Tests whether an object with text before or after it is an answer. @default every object is an answer */
  isAnswer?(object: Readonly<Record<string, unknown>>): boolean;
  /** Reads text that is not an answer. Called only for exit code 0. */
  ofText(text: string, answering: Answering): Partial<ReadOutput>;
  /** True if JSON that is not an object is read as text. @default it is ignored */
  readonly takesOtherJsonAsText?: boolean;
  /** Tests whether exit code 2 of this hook is a deny. @default it is a deny */
  rejects?(hook: HookDefinition): boolean;
  /**
   * True if a JSON object on stderr may deny, ask or stop when stdout is blank. Text on stderr is always a log.
   * @default all of stderr is a log
   */
  readonly readsStderr?: boolean;
  /**
   * True if a JSON object on stdout is an answer, whatever the exit code. A failure is then only a warning. If there is text around
   * the object, only a deny, ask or stop in the object is obeyed, because the object may be part of a log.
   * @default with exit codes other than 0 and 2 the hook has failed, whatever it printed
   */
  readonly objectsCountOnFailure?: boolean;
  /**
   * Tests whether every exit code except 0 denies for this hook. The result is used only for the message, which otherwise says that
   * the hook is ignored. The dialect itself must return the deny.
   */
  failureDenies?(hook: HookDefinition): boolean;
  /**
   * Tests whether printed text is a deny if the hook ends with this exit code. The reason is the text on stdout, or the text on
   * stderr if stdout has no text. Not called for the exit codes 0 and 2.
   * @default no exit code
   */
  textDenies?(exitCode: number): boolean;
  /**
   * Says where relative paths in a command start, e.g. `a relative path starts in the workspace folder`. Remedies end with this
   * text.
   */
  readonly relativePaths: string;
}
