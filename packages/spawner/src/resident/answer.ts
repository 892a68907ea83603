/** What a resident process answered: the same as an exit code and the outputs of a process. */
export interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const known: ReadonlySet<string> = new Set(['id', 'exitCode', 'output', 'stdout', 'stderr']);

/** Returns the object in a line. Undefined if the line is something else. */
export function readObject(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Reads an answer. Returns a problem for a field of the wrong type, and for an unknown field: the author may have written a decision beside
 * `output`, and it must not be lost.
 */
export function readAnswer(record: Readonly<Record<string, unknown>>): Answer | { readonly problem: string } {
  const unknown = Object.keys(record).find((key) => !known.has(key));
  if (unknown !== undefined) {
    return {
      problem: `answered with the unknown field ${JSON.stringify(unknown.slice(0, 40))}: write the answer of the hook into "output"`,
    };
  }
  const { exitCode = 0, output, stdout, stderr = '' } = record;
  if (!Number.isInteger(exitCode) || (exitCode as number) < 0 || (exitCode as number) > 255) {
    return { problem: `answered with an exitCode that is not an integer from 0 to 255: ${shown(exitCode)}` };
  }
  if (stdout !== undefined && typeof stdout !== 'string')
    return { problem: `answered with a stdout that is not a string: ${shown(stdout)}` };
  if (typeof stderr !== 'string') return { problem: `answered with a stderr that is not a string: ${shown(stderr)}` };
  if (stdout !== undefined && output !== undefined) return { problem: 'answered with both "output" and "stdout": write one of them' };
  const printed = stdout ?? (output === undefined || output === null ? '' : JSON.stringify(output));
  return { exitCode: exitCode as number, stdout: printed, stderr };
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 40);
}
