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
