/**
 * The interpreter that the first line of a script names: `python3` for `#!/usr/bin/env python3`, and `/bin/sh` for `#!/bin/sh -e`.
 */
export interface Shebang {
  /** A path, or a name that is looked up in PATH. */
  readonly program: string;
  /** The line after `#!`, without white space at its ends. */
  readonly line: string;
}

/**
 * Reads the first line of a script. `head` is the beginning of the script. Returns undefined if the line has no `#!` with an
 * interpreter.
 */
export function shebangOf(head: string): Shebang | undefined {
  const line = /^#!([^\r\n]*)/.exec(head)?.[1]?.trim();
  if (line === undefined || line === '') return undefined;
  const [first = '', ...words] = line.split(/\s+/);
  if (!/(?:^|\/)env$/.test(first)) return { program: first, line };
  // After `env`, options and variables come before the program.
  const program = words.find((word) => !word.startsWith('-') && !/^\w+=/.test(word));
  return { program: program ?? first, line };
}
