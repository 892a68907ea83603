import { z } from 'zod';

/** A tool that records the inputs with which it ran. It has the form of a tool in all versions of the SDK. */
export function recordedTool(
  output: unknown | ((input: Record<string, unknown>) => unknown) = 'read',
  inputSchema: object = z.object({ path: z.string() }),
) {
  const inputs: unknown[] = [];
  const execute = async (input: Record<string, unknown>) => {
    inputs.push(input);
    return typeof output === 'function' ? (output as (input: unknown) => unknown)(input) : output;
  };
  return { inputs, tool: { description: 'Reads a file.', inputSchema, execute } };
}

export const readCall = (id: string, path = 'a.txt') => ({ id, name: 'read_file', input: { path } });
