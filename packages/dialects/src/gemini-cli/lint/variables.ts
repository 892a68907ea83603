import type { UnsetVariables } from '../../shared/lint/unset-variables.js';

/** Data of the event that authors expect in variables of the agent, by the end of the name, each with the stdin field that has it. */
const fields: Readonly<Record<string, string>> = {
  TOOL_NAME: '.tool_name',
  TOOL_INPUT: '.tool_input',
  TOOL_ARGS: '.tool_input',
  TOOL_OUTPUT: '.tool_response',
  TOOL_RESPONSE: '.tool_response',
  TOOL_RESULT: '.tool_response',
  TOOL_FILE_PATH: '.tool_input.file_path',
  TOOL_INPUT_FILE_PATH: '.tool_input.file_path',
  TOOL_RESULT_FILE: '.tool_input.file_path',
  FILE_PATH: '.tool_input.file_path',
  FILE_PATHS: '.tool_input.file_path',
  PROMPT: '.prompt',
};

/** The prefix of Gemini CLI, and that of Claude Code, from which hooks are copied. Other names, such as `GEMINI_MODEL`, are of the user. */
const named = /^(?:GEMINI|CLAUDE)_(\w+)$/;

function fieldOf(name: string): string | undefined {
  const end = named.exec(name)?.[1] ?? '';
  return Object.hasOwn(fields, end) ? fields[end] : undefined;
}

/** Variables that Gemini CLI does not set, although hooks use them: a guard that reads one finds nothing to object to. */
export const unsetVariables: UnsetVariables = { agent: 'Gemini CLI', isUnset: (name) => fieldOf(name) !== undefined, fieldOf };
