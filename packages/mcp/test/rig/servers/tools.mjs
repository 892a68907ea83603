// The tools of both SDK servers. The two SDKs register tools in the same way.
import { z } from 'zod';

const text = (value) => ({ type: 'text', text: value });

export function registerTools(server) {
  server.registerTool('echo', { description: 'Returns its text', inputSchema: { text: z.string() } }, async ({ text: value }) => ({
    content: [text(value)],
  }));
  server.registerTool('write_file', { inputSchema: { path: z.string(), content: z.string() } }, async ({ path, content }) => ({
    content: [text(`wrote ${content} to ${path}`)],
  }));
  server.registerTool('fail', { inputSchema: {} }, async () => ({ content: [text('disk full')], isError: true }));
  for (const name of ['weather', 'forecast']) {
    server.registerTool(name, { inputSchema: {}, outputSchema: { degrees: z.number(), note: z.string() } }, async () => ({
      content: [text('It is mild.')],
      structuredContent: { degrees: 17, note: 'sk-secret' },
    }));
  }
  server.registerTool('media', { inputSchema: {} }, async () => ({
    content: [
      text('sk-secret'),
      { type: 'image', data: 'c2stc2VjcmV0', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///key', text: 'sk-secret', mimeType: 'text/plain' } },
    ],
  }));
  server.registerTool('slow', { inputSchema: {} }, async (_args, context) => {
    const signal = context.signal ?? context.mcpReq.signal;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { content: [text('too late')] };
  });
  server.registerResource('note', 'memo://note', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, text: 'remember' }],
  }));
  server.registerPrompt('greet', { argsSchema: { name: z.string() } }, async ({ name }) => ({
    messages: [{ role: 'user', content: text(`Hello ${name}`) }],
  }));
}

/** Writes what the server receives into a file, for the test. */
export function noteInput(appendFileSync) {
  if (process.env.MCP_SEEN) process.stdin.on('data', (chunk) => appendFileSync(process.env.MCP_SEEN, chunk));
}
