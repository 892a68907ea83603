/** A program and its arguments, for starting it without a shell. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/** Shell text that starts the program with exactly these arguments, whatever they hold: for bash and sh, or for PowerShell on Windows. */
export function shellText({ file, args }: Program, platform: NodeJS.Platform = process.platform): string {
  const words = [file, ...args];
  if (platform !== 'win32') return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  // PowerShell 5 hands a double quote to a program only behind a backslash, and without the last part it makes 1 of every exit code.
  const quoted = words.map((word) => `'${word.replaceAll("'", "''").replaceAll('"', '\\"')}'`);
  return `& ${quoted.join(' ')}; exit $LASTEXITCODE`;
}
