import type { Call } from '../collection.js';

type Tool = Pick<Call, 'event' | 'input'>;

/** A call of a tool under Tenterhook's names, before it runs. */
export function before(tool_name: string, tool_input: object, fields: object = {}): Tool {
  return { event: 'BeforeTool', input: { tool_name, tool_input, ...fields } };
}

/** A call of a tool under Tenterhook's names, with the text that it returned. */
export function after(tool_name: string, tool_input: object, text = '', fields: object = {}): Tool {
  return { event: 'AfterTool', input: { tool_name, tool_input, tool_response: { llmContent: text, returnDisplay: text }, ...fields } };
}

export const beforeShell = (command: string): Tool => before('run_shell_command', { command });
export const afterShell = (command: string, text = ''): Tool => after('run_shell_command', { command }, text);
export const beforeWrite = (path: string, content = ''): Tool => before('write_file', { path, content });
export const afterWrite = (path: string, content = ''): Tool => after('write_file', { path, content }, 'Written.');
