/** One way to ask for an answer. */
export interface Asker {
  /** Sends a request, waits for its answer and checks it. */
  ask(): Promise<void>;
  close(): Promise<void>;
}

/** A request of about 1 KB. */
export const request = {
  eventName: 'BeforeTool',
  input: { tool_name: 'write_file', tool_input: { path: 'a.txt', content: 'x'.repeat(850) }, session_id: 'bench', cwd: '/srv' },
};

/** An answer of about 1 KB, which says what an event with one hook says. */
export const output = {
  success: true,
  verdict: { kind: 'deny' as const, stop: false, reason: 'x'.repeat(300), by: ['llxprt/project/BeforeTool/guard'], stoppedBy: [] },
  changes: [],
  allOutputs: [],
  outcomes: [
    {
      hookId: 'llxprt/project/BeforeTool/guard',
      name: 'guard',
      eventName: 'BeforeTool',
      source: 'project',
      dialect: 'llxprt',
      status: 'blocked' as const,
      exitCode: 2,
      durationMs: 5,
      stderr: 'x'.repeat(300),
      warnings: [],
    },
  ],
  errors: [],
  totalDuration: 6,
};

/** Throws for an answer that is not the expected one, because a variant that fails early would look fast. */
export function check(answer: {
  readonly success: boolean;
  readonly output?: { readonly verdict: { readonly kind: string } } | undefined;
}): void {
  if (!answer.success || answer.output?.verdict.kind !== 'deny') throw new Error('the answer is not the expected one');
}
