import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

export interface ToolResult {
  readonly text: string;
  readonly isError?: boolean;
}

export type ToolInput = Readonly<Record<string, unknown>>;
export type Tool = (input: ToolInput, signal: AbortSignal) => Promise<ToolResult>;
export type Tools = Readonly<Record<string, Tool>>;

/** Three tools with real effects. None of them checks what it is told to do: that is what hooks are for. */
export function createTools(workspace: string): Tools {
  return {
    async write_file(input) {
      const file = resolve(workspace, String(input['path']));
      const content = String(input['content']);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return { text: `Wrote ${Buffer.byteLength(content)} bytes.` };
    },

    async read_file(input) {
      return { text: await readFile(resolve(workspace, String(input['path'])), 'utf8') };
    },

    run_shell_command(input, signal) {
      const options = { cwd: workspace, signal, timeout: 10_000 };
      return new Promise((settle) => {
        execFile('bash', ['-c', String(input['command'])], options, (error, stdout, stderr) => {
          settle(error === null ? { text: stdout } : { text: stderr || error.message, isError: true });
        });
      });
    },
  };
}
