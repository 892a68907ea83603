import type { UnsetVariables } from '../../shared/lint/unset-variables.js';

/**
 * Data of the event that authors expect in environment variables. The key is the end of the variable's name, e.g. `TOOL_NAME` for
 * `GEMINI_TOOL_NAME`. The value is the stdin field with the data.
 */
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

/**
 * Matches variables with the prefix of Gemini CLI, or of Claude Code, from which hooks are copied. A variable such as
 * `GEMINI_MODEL` may be the user's own, so the rest of its name must also be in `fields`.
 */
const named = /^(?:GEMINI|CLAUDE)_(\w+)$/;

function fieldOf(name: string): string | undefined {
  const end = named.exec(name)?.[1] ?? '';
  return Object.hasOwn(fields, end) ? fields[end] : undefined;
}

/**
 * Variables that hooks use although Gemini CLI does not set them. A guard that reads one of them receives an empty text, and
 * therefore allows everything.
 */
export const unsetVariables: UnsetVariables = { agent: 'Gemini CLI', isUnset: (name) => fieldOf(name) !== undefined, fieldOf };
