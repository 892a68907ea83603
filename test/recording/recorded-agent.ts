import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHookClient, executeToolWithHooks, type HookClientOptions, type HooksOnBus, runAgentTurnWithHooks } from '@tenterhook/agent';

/** A guard, a hook that rewrites, one that answers with paths, and one that crashes. */
const scripts: Readonly<Record<string, string>> = {
  'stay-inside.sh': `case "$(jq -r .tool_input.path)" in /etc/*) echo '{"decision":"deny","reason":"outside of '"$PWD"'"}';; esac`,
  'rewrite.sh': `jq -c '{hookSpecificOutput:{tool_input:{path:(.tool_input.path + ".txt")}}}'`,
  'context.sh': `file=$(mktemp "\${TMPDIR:-/tmp}/context-XXXXXX"); rm "$file"; echo "{\\"hookSpecificOutput\\":{\\"additionalContext\\":\\"$HOME $file $PWD\\"}}"`,
  'crash.sh': `echo "at $(date +%T), pid $$" >&2; exit 1`,
};

export const settings = {
  hooks: {
    BeforeTool: [
      { matcher: 'write_file', sequential: true, hooks: [command('rewrite.sh'), command('stay-inside.sh')] },
      { matcher: 'read_file', hooks: [command('stay-inside.sh'), command('crash.sh')] },
    ],
    AfterTool: [{ hooks: [command('context.sh')] }],
    BeforeAgent: [{ hooks: [command('context.sh')] }],
  },
};

function command(file: string) {
  return { type: 'command', name: file.replace('.sh', ''), command: `bash hooks/${file}` };
}

/** Calls a function with a project that has these hooks. `changed` replaces scripts. */
export async function inProject<Result>(
  use: (project: string) => Promise<Result>,
  changed: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const project = mkdtempSync(join(tmpdir(), 'tenterhook-project-'));
  try {
    mkdirSync(join(project, 'hooks'));
    for (const [file, text] of Object.entries({ ...scripts, ...changed })) {
      writeFileSync(join(project, 'hooks', file), `${text}\n`);
      chmodSync(join(project, 'hooks', file), 0o755);
    }
    return await use(project);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** A small agent: a turn with tool calls, of which one is denied. Returns all that its model and its user see. */
export async function runAgent(hooks: HooksOnBus, project: string, options: HookClientOptions = {}): Promise<unknown[]> {
  const client = createHookClient(hooks, options);
  const seen: unknown[] = [];
  const call = async (name: string, input: Record<string, unknown>) => {
    const execute = (given: object) => ({ llmContent: `did ${name} with ${JSON.stringify(given)}` });
    const { before: _before, after: _after, ...outcome } = await executeToolWithHooks(client, { name, input, execute });
    return outcome;
  };
  const { status, prompt, systemMessages } = await runAgentTurnWithHooks(client, {
    prompt: 'Write the notes.',
    respond: async () => {
      seen.push(await call('write_file', { path: join(project, 'notes') }));
      seen.push(await call('write_file', { path: '/etc/passwd' }));
      seen.push(...(await Promise.all([call('read_file', { path: join(project, 'a') }), call('list_files', {})])));
      return 'Done.';
    },
  });
  return [{ status, prompt, systemMessages }, ...seen];
}
