/** One word of a command line. `text` is the word without its quotes. */
export interface ShellWord {
  readonly text: string;
  /** Whether the word contains a variable, a command substitution or a file name pattern. The value of the word is then unknown. */
  readonly isOpen: boolean;
  /** The word as in the command line, with its quotes. */
  readonly written: string;
}

/** The words of one command, without redirections. */
export type SimpleCommand = readonly ShellWord[];

export interface Redirection {
  /** The operator: `<`, `>`, `>>`, `<<<`, `&>` … After `<<<` the word is the text itself, otherwise the word names a file. */
  readonly operator: string;
  readonly word: ShellWord;
}

/** A here-document. `text` is what the command receives on stdin. */
export interface HereDocument {
  readonly text: string;
  /** Whether the shell replaces variables in the text. */
  readonly isOpen: boolean;
}

export interface ShellCommands {
  readonly commands: readonly SimpleCommand[];
  /** Whether the line contains a variable, `$(…)` or backquotes, also in targets of redirections and in here-documents. */
  readonly hasExpansion: boolean;
  /** Whether bash and a POSIX shell read the text differently, e.g. because of `$'…'`, `$"…"` or operators in `[[ … ]]`. */
  readonly isBashOnly: boolean;
  readonly redirections: readonly Redirection[];
  readonly hereDocuments: readonly HereDocument[];
  /**
   * The elements of each array, e.g. of `NAME=(a b)`. Empty unless `isScript` is set; so is `functions`, the names of functions
   * such as `name() { … }`.
   */
  readonly arrays: readonly SimpleCommand[];
  readonly functions: readonly string[];
}
