import { posix } from 'node:path';
import { answerEvents } from 'tenterhook/resident';

/** Writes the path of a tool in its shortest form. */
await answerEvents(({ tool_input: input }) => {
  const path = input.file_path;
  if (typeof path !== 'string' || posix.normalize(path) === path) return undefined;
  return { output: { hookSpecificOutput: { tool_input: { file_path: posix.normalize(path) } } } };
});
