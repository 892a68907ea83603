import type { ReadableExit } from '@tenterhook/protocol';

export type Exited = Extract<ReadableExit, { kind: 'exited' }>;

/** The end of a process that printed this, as a dialect is told of it. */
export function exitWith(stdout: string | Uint8Array, more: Partial<Exited> = {}): Exited {
  const text = typeof stdout === 'string' ? stdout : new TextDecoder().decode(stdout);
  const sizes = {
    stdoutBytes: stdout.length,
    stderrBytes: 0,
    stdoutTruncated: false,
    stderrTruncated: false,
    invalidUtf8: text !== stdout,
  };
  const exit = { kind: 'exited' as const, exitCode: 0, durationMs: 1, leftProcesses: 0, stdout: text, stderr: '' };
  return Object.freeze({ ...exit, ...sizes, ...more });
}

/** Ends of hooks that are no process; this dialect may have none, and says so. */
export function otherExits(answer: object): ReadableExit[] {
  const answers = [null, undefined, 7, 'x', [], {}, answer];
  const bodies = ['', 'x', '{', '[]', JSON.stringify(answer)];
  const responses = [200, 204, 302, 404, 500].flatMap((status) => bodies.map((body) => ({ status, body })));
  return [
    ...answers.map((each) => Object.freeze({ kind: 'answered' as const, answer: each, durationMs: 1 })),
    ...responses.map((each) => Object.freeze({ kind: 'response' as const, ...each, truncated: false, durationMs: 1 })),
  ];
}
