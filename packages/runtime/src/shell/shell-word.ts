/** One word of a command line, after its quotes were removed. */
export interface ShellWord {
  readonly text: string;
  /** True if the word contains a variable, a command substitution or a file name pattern, so that its value is unknown. */
  readonly isOpen: boolean;
  /** The word in the command line, with its quotes. */
  readonly written: string;
}

/** The words of a simple command, without redirections. */
export type SimpleCommand = readonly ShellWord[];

/** The target of a redirection. */
export interface Redirection {
  /** The operator: `<`, `>`, `>>`, `<<<`, `&>` … After `<<<` (a here-string) the word is a text, not the name of a file. */
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
  /** Whether the line contains a variable, `$(…)` or backquotes. Targets of redirections and here-documents are searched too. */
  readonly hasExpansion: boolean;
  /** Whether a POSIX shell reads the text differently than bash: `$'…'`, `$"…"`, operators within `[[ … ]]`. */
  readonly isBashOnly: boolean;
  readonly redirections: readonly Redirection[];
  readonly hereDocuments: readonly HereDocument[];
  /** The elements of each array (`NAME=(…)`), and the names of functions (`name() …`). Empty unless the text is read as a script. */
  readonly arrays: readonly SimpleCommand[];
  readonly functions: readonly string[];
}
