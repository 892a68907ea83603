/** What the file beside the client says. The client, a program in C or a script, reads it line by line. */
export interface ClientFacts {
  /** The path of Node. */
  readonly node: string;
  /** The path of the script of the command. */
  readonly script: string;
  readonly version: string;
  /** Where the daemon writes what it prints. */
  readonly log: string;
}

/** Reads a fact from the file beside the client. Undefined if the file does not have it. */
export function factIn(text: string, key: keyof ClientFacts): string | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${key}\t`));
  return line?.slice(key.length + 1);
}
