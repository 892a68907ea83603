import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks } from 'tenterhook';

export const workspace = join(import.meta.dirname, '../workspace');

const calls: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[] = [
  ['run_shell_command', { command: 'ls -la' }],
  ['run_shell_command', { command: 'rm -rf build' }],
  ['write_file', { file_path: 'src/../notes.md', content: 'Nothing secret.' }],
  ['write_file', { file_path: 'key.txt', content: 'AKIAIOSFODNN7EXAMPLE' }],
];

/** The answer of the hooks to one call. */
export interface Answer {
  readonly call: string;
  readonly verdict: string;
  /** The path that the tool receives, if a hook has rewritten it. */
  readonly path?: string;
  /** How each hook that ran was run: `resident`, or undefined for a process of its own. */
  readonly routes: Readonly<Record<string, string | undefined>>;
}

/**
 * Fires an event for each call, `rounds` times, with the hooks of the workspace. In the mode `cold`, each event starts a process for each
 * hook. Returns the answers of the last round.
 */
export async function runCalls(mode: 'resident' | 'cold', rounds: number): Promise<{ answers: Answer[]; msPerEvent: number }> {
  const text = readFileSync(join(workspace, '.llxprt/settings.json'), 'utf8').replaceAll('"mode": "resident"', `"mode": "${mode}"`);
  const hooks = await createHooks({ settings: JSON.parse(text), projectDir: workspace });
  const answers = new Map<string, Answer>();
  // Resident processes start at their first event.
  let began = 0;
  for (let round = 0; round <= rounds; round += 1) {
    if (round === 1) began = performance.now();
    for (const [tool, input] of calls) {
      const call = `${tool} ${JSON.stringify(input)}`;
      const result = await hooks.fire('BeforeTool', { tool_name: tool, tool_input: input });
      const { kind, reason } = result.verdict;
      const ran = result.outcomes.filter(({ status }) => status !== 'skipped');
      const path = result.changes?.find((change) => change.path === 'tool_input.file_path')?.after;
      answers.set(call, {
        call,
        verdict: reason === undefined ? kind : `${kind}: ${reason}`,
        ...(typeof path === 'string' ? { path } : {}),
        routes: Object.fromEntries(ran.map(({ name, route }) => [name ?? '', route?.kind])),
      });
    }
  }
  const msPerEvent = (performance.now() - began) / (rounds * calls.length);
  await hooks.dispose();
  return { answers: [...answers.values()], msPerEvent };
}
