import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { answer, steps } from '../conversation.js';
import { tableOfRecording } from './recorded-table.js';

/** The workspace of the example agent, with its hooks. */
const workspaceOfAgent = new URL('../../../agent-loop/workspace', import.meta.url);

/** Runs the conversation with the tools of an MCP server. The server and the client do not know that there are hooks. */
const scratch = await mkdtemp(join(tmpdir(), 'adapters-'));
const workspace = join(scratch, 'workspace');
const recording = join(scratch, 'hooks.bus.jsonl');
try {
  await cp(workspaceOfAgent, workspace, { recursive: true });

  // In your project: command 'npx', args ['tenterhook-mcp', '--server', …].
  const hooked = fileURLToPath(new URL('bin/tenterhook-mcp.js', import.meta.resolve('@tenterhook/mcp/package.json')));
  const server = fileURLToPath(new URL('file-server.js', import.meta.url));
  const transport = new StdioClientTransport({
    command: 'node',
    args: [hooked, '--server', 'station', '--settings', '.llxprt/settings.json', '--', 'node', server],
    cwd: workspace,
    env: { ...getDefaultEnvironment(), TENTERHOOK_RECORD: recording },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (messages: Buffer) => process.stdout.write(messages));
  const client = new Client({ name: 'example', version: '1.0.0' });
  await client.connect(transport);

  for (const calls of steps) {
    const results = await Promise.all(calls.map(({ name, input }) => client.callTool({ name, arguments: input })));
    for (const [index, { content }] of results.entries()) {
      const [first] = content as { text: string }[];
      console.log(`${calls[index]?.name}: ${first?.text}`);
    }
  }
  console.log(`${answer}\n`);
  await client.close();
  console.log(await tableOfRecording(recording));
} finally {
  await rm(scratch, { recursive: true, force: true });
}
