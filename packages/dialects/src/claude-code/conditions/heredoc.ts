/** A text for a command's stdin, up to a line that is the delimiter. */
export interface Heredoc {
  readonly delimiter: string;
  /** Whether variables and commands in it are expanded. */
  readonly isOpen: boolean;
  readonly withoutTabs: boolean;
}
