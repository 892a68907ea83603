import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** A tool without the form of any framework. */
export interface StationTool {
  readonly description: string;
  /** The names of its arguments. All are texts. */
  readonly fields: readonly string[];
  run(input: Readonly<Record<string, string>>): Promise<string>;
}

/** The tools of every example. They check nothing, because hooks do. */
export function stationTools(workspace: string): Readonly<Record<'write_file' | 'run_shell_command', StationTool>> {
  return {
    write_file: {
      description: 'Writes a file.',
      fields: ['path', 'content'],
      async run({ path = '', content = '' }) {
        await writeFile(resolve(workspace, path), content);
        return `Wrote ${Buffer.byteLength(content)} bytes.`;
      },
    },
    run_shell_command: {
      description: 'Runs a command with bash.',
      fields: ['command'],
      async run({ command = '' }) {
        const { stdout } = await promisify(execFile)('bash', ['-c', command], { cwd: workspace });
        return stdout;
      },
    },
  };
}
