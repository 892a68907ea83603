/** One word of a command line, after its quotes were removed. */
export interface ShellWord {
  readonly text: string;
  /** True if the word contains a variable, a command substitution or a file name pattern. Its value is then unknown. */
  readonly isOpen: boolean;
  /** The word in the command line, with its quotes. */
  readonly written: string;
}

/** The words of a simple command, without redirections. */
export type SimpleCommand = readonly ShellWord[];

/** The target of a redirection. */
export interface Redirection {
  /** The operator: `<`, `>`, `>>`, `<<<`, `&>` … After `<<<` the word is a text, otherwise it is a file. */
  readonly operator: string;
  readonly word: ShellWord;
}

/** A here-document: the text that a command receives on stdin. */
export interface HereDocument {
  readonly text: string;
  /** True if the shell replaces variables in the text. */
  readonly isOpen: boolean;
}

/** The content of a command line. */
export interface ShellCommands {
  readonly commands: readonly SimpleCommand[];
  /** Whether the line contains a variable, `$(…)` or backquotes, also in targets of redirections and in here-documents. */
  readonly hasExpansion: boolean;
  /** Whether bash and a POSIX shell read the text differently: `$'…'`, `$"…"`, operators in `[[ … ]]`. */
  readonly isBashOnly: boolean;
  readonly redirections: readonly Redirection[];
  readonly hereDocuments: readonly HereDocument[];
  /**
   * The elements of each array (`NAME=(…)`), and the names of functions (`name() …`). Both are empty if the text is not parsed with
   * `isScript`.
   */
  readonly arrays: readonly SimpleCommand[];
  readonly functions: readonly string[];
}
