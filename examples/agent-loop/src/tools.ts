import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ToolCall, ToolSchema } from 'tenterhook/agent';
import type { FunctionDeclaration } from './gen-ai-shape.js';

export interface Tool {
  readonly declaration: FunctionDeclaration;
  readonly schema: ToolSchema;
  readonly execute: ToolCall['execute'];
}

/** Creates four tools with real effects. They check only the schema of their input; hooks do the rest. A command has `commandMs` to run. */
export function createTools(workspace: string, { commandMs = 10_000 } = {}): readonly Tool[] {
  return [
    tool('write_file', 'Writes a file.', ['path', 'content'], async ({ path, content }) => {
      const file = resolve(workspace, String(path));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, String(content));
      return { llmContent: `Wrote ${Buffer.byteLength(String(content))} bytes.` };
    }),

    tool('read_file', 'Reads a file.', ['path'], async ({ path }) => {
      return { llmContent: await readFile(resolve(workspace, String(path)), 'utf8') };
    }),

    tool('replace', 'Replaces a text in a file.', ['path', 'old_string', 'new_string'], async ({ path, old_string, new_string }) => {
      const file = resolve(workspace, String(path));
      const text = await readFile(file, 'utf8');
      if (!text.includes(String(old_string))) throw new Error(`${path} does not have that text.`);
      await writeFile(
        file,
        text.replace(String(old_string), () => String(new_string)),
      );
      return { llmContent: `Changed ${path}.` };
    }),

    tool('run_shell_command', 'Runs a command with bash.', ['command'], ({ command }, { signal }) => {
      const options = { cwd: workspace, signal, timeout: commandMs };
      return new Promise((settle) => {
        execFile('bash', ['-c', String(command)], options, (error, stdout, stderr) => {
          if (error === null) settle({ llmContent: stdout });
          else settle({ llmContent: stderr || error.message, error: { message: error.message } });
        });
      });
    }),
  ];
}

function tool(name: string, description: string, fields: readonly string[], execute: Tool['execute']): Tool {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]));
  const parametersJsonSchema = { type: 'object', properties, required: fields };
  return { declaration: { name, description, parametersJsonSchema }, schema: textFields(fields), execute };
}

/**
 * Returns a schema for an object of strings. The Standard Schema interface needs only these few lines; a schema of zod, valibot or
 * arktype works too. The input is checked after the hooks, because they may rewrite it.
 */
function textFields(names: readonly string[]): ToolSchema {
  return {
    '~standard': {
      validate(value) {
        const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
        const wrong = names.filter((name) => typeof fields[name] !== 'string');
        return wrong.length === 0 ? {} : { issues: wrong.map((name) => ({ message: 'must be a text', path: [name] })) };
      },
    },
  };
}
