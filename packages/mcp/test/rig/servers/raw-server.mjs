// A server without an SDK. Each tool misbehaves in its own way, and `echo` returns the line that it received.
import { appendFileSync, closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const write = (message) => process.stdout.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const waiting = new Map();

const tools = {
  echo: (id, line) => write({ jsonrpc: '2.0', id, result: text(line) }),
  pid: (id) => write({ jsonrpc: '2.0', id, result: text(String(process.pid)) }),
  hang: (id) => waiting.set(id, true),
  die: () => process.exit(3),
  secret: (id) =>
    write({
      jsonrpc: '2.0',
      id,
      result: { ...text('the key is sk-secret'), structuredContent: { key: 'sk-secret' }, _meta: { note: 'sk-secret' } },
    }),
  twice: (id) => {
    write({ jsonrpc: '2.0', id, result: text('first') });
    write({ jsonrpc: '2.0', id, result: text('sk-secret') });
  },
  otherIdType: (id) => write({ jsonrpc: '2.0', id: typeof id === 'number' ? String(id) : Number(id), result: text('sk-secret') }),
  both: (id) => write({ jsonrpc: '2.0', id, error: { code: -32001, message: 'no' }, result: text('sk-secret') }),
  duplicateKeys: (id) =>
    write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(text('sk-secret'))},"result":${JSON.stringify(text('second'))}}`,
    ),
  requestAndResponse: (id) => {
    write({ jsonrpc: '2.0', id, method: 'ping', result: text('sk-secret') });
    write({ jsonrpc: '2.0', id, result: text('fine') });
  },
  otherCase: (id) => {
    write({ jsonrpc: '2.0', method: 'notifications/message', Id: id, Result: text('sk-secret') });
    write({ jsonrpc: '2.0', id, result: text('fine') });
  },
  noise: (id) => {
    write('Server \u001b[31mready');
    write('{"broken":');
    write({ jsonrpc: '2.0', id, result: text('fine') });
  },
  big: (id) => write({ jsonrpc: '2.0', id, result: text(`${'x'.repeat(20_000_000)} sk-secret`) }),
  protocolError: (id) =>
    write({ jsonrpc: '2.0', id, error: { code: -32042, message: 'no such row sk-secret', data: { row: 'sk-secret' } } }),
  task: (id) => write({ jsonrpc: '2.0', id, result: { resultType: 'task', taskId: 't-1', status: 'working', ttlMs: null } }),
  noObject: (id) => write({ jsonrpc: '2.0', id, result: ['sk-secret'] }),
  deep: (id) => write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`),
  nullError: (id) => write({ jsonrpc: '2.0', id, error: null, result: text('fine') }),
  readNothing: (id) => {
    write({ jsonrpc: '2.0', id, result: text(String(process.pid)) });
    setInterval(() => {}, 1000);
    process.stdin.pause();
  },
  closeInput: (id) => {
    setInterval(() => {}, 1000);
    process.stdin.destroy();
    closeSync(0);
    write({ jsonrpc: '2.0', id, result: text(String(process.pid)) });
  },
  exitAfterAnswer: (id) => {
    write({ jsonrpc: '2.0', id, result: text('last words') });
    process.exitCode = 5;
    process.stdin.destroy();
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  if (process.env.MCP_SEEN) appendFileSync(process.env.MCP_SEEN, `${line}\n`);
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (method === 'initialize') {
    write({
      jsonrpc: '2.0',
      id,
      result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } },
    });
  } else if (method === 'tools/call') (tools[params.name] ?? tools.echo)(id, line);
  else if (method === 'tasks/result') write({ jsonrpc: '2.0', id, result: text('sk-secret') });
  else if (method === 'tasks/get') {
    write({
      jsonrpc: '2.0',
      id,
      result: { resultType: 'complete', taskId: params.taskId, status: 'completed', result: text('sk-secret') },
    });
  } else if (method === 'mirror') write(params.line);
  else if (id !== undefined && method !== undefined) write({ jsonrpc: '2.0', id, error: { code: -32601, message: `no method ${method}` } });
});

// A server that ignores the end of its input and SIGTERM.
if (process.argv.includes('--stubborn')) {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
