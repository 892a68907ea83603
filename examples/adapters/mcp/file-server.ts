import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/** An MCP server with the tools of the conversation, in the folder that it is started in. It checks nothing, because hooks do. */
const server = new McpServer({ name: 'station', version: '1.0.0' });
const answer = (text: string) => ({ content: [{ type: 'text' as const, text }] });

const fileSchema = { path: z.string(), content: z.string() };
server.registerTool('write_file', { description: 'Writes a file.', inputSchema: fileSchema }, async ({ path, content }) => {
  await writeFile(resolve(path), content);
  return answer(`Wrote ${Buffer.byteLength(content)} bytes.`);
});

const commandSchema = { command: z.string() };
server.registerTool('run_shell_command', { description: 'Runs a command with bash.', inputSchema: commandSchema }, async ({ command }) => {
  const { stdout } = await promisify(execFile)('bash', ['-c', command]);
  return answer(stdout);
});

await server.connect(new StdioServerTransport());
