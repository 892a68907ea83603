import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamLine } from '../src/api/messages.js';
import type { InspectorOptions } from '../src/inspector-options.js';
import { type Inspector, startInspector } from '../src/start-inspector.js';

/** Calls a function with a fresh directory, which is removed afterwards. */
export async function inDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'tenterhook-inspector-test-'));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export const header = {
  format: 'tenterhook-bus-recording',
  version: 1,
  form: 'full',
  id: 'a',
  part: 1,
  startedAt: '2026-11-22T10:00:00.000Z',
  masked: true,
  placeholders: [],
};

/** A line of a recording. */
export function messageLine(n: number, type: string, payload: object, t = n): string {
  return JSON.stringify({ n, t, type, payload });
}

export interface RecordedEvent {
  readonly id?: string;
  readonly eventName?: string;
  readonly input?: object;
  readonly outcomes?: readonly object[];
  readonly output?: object;
}

/** The lines of an event with one hook, `guard`, unless it says otherwise. */
export function eventLines(index: number, event: RecordedEvent = {}): string[] {
  const { id = `id-${index}`, eventName = 'BeforeTool', input = { tool_name: 'write_file', tool_input: {} }, outcomes, output } = event;
  const base = { correlationId: id, eventName };
  const hook = { hookId: 'llxprt/project/BeforeTool/guard', name: 'guard', dialect: 'llxprt', source: 'project' };
  const outcome = { ...hook, eventName, status: 'succeeded', durationMs: 4, warnings: [] };
  const at = index * 10;
  return [
    messageLine(at + 1, 'HOOK_EXECUTION_REQUEST', { ...base, input }),
    messageLine(at + 2, 'HOOK_EXECUTION_PROGRESS', {
      ...base,
      kind: 'planned',
      elapsedMs: 0.1,
      stages: [[hook]],
      skipped: 0,
      base: { session_id: 's1', cwd: '/srv', timestamp: '' },
    }),
    messageLine(at + 3, 'HOOK_EXECUTION_PROGRESS', { ...base, kind: 'hook-started', elapsedMs: 1, hookId: hook.hookId, timeoutMs: 60_000 }),
    messageLine(at + 4, 'HOOK_EXECUTION_PROGRESS', { ...base, kind: 'hook-finished', elapsedMs: 5, hookId: hook.hookId, outcome }),
    messageLine(at + 5, 'HOOK_EXECUTION_RESPONSE', {
      correlationId: id,
      success: true,
      output: {
        success: true,
        verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
        changes: [],
        allOutputs: [],
        outcomes: outcomes ?? [outcome],
        errors: [],
        totalDuration: 6,
        ...output,
      },
    }),
  ];
}

export function writeRecording(file: string, lines: readonly string[], first: object = header): string {
  writeFileSync(file, [JSON.stringify(first), ...lines].map((line) => `${line}\n`).join(''));
  return file;
}

/** An inspector with the requests that its page makes. */
export interface OpenedInspector extends Inspector {
  readonly token: string;
  get(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
  // biome-ignore lint/suspicious/noExplicitAny: Tests read the fields that they expect.
  json(path: string): Promise<any>;
  /** Reads the stream until a line fits. */
  lines(path: string, until: (line: StreamLine) => boolean): Promise<StreamLine[]>;
}

export async function openInspector(options: InspectorOptions): Promise<OpenedInspector> {
  const inspector = await startInspector(options);
  const token = new URL(inspector.privateUrl).hash.replace('#token=', '');
  const address = (path: string) => `${inspector.url.slice(0, -1)}${path}`;
  const get = (path: string, init: RequestInit = {}) =>
    fetch(address(path), { ...init, headers: { Authorization: `Bearer ${token}`, ...(init.headers as object) } });
  return {
    ...inspector,
    token,
    get,
    post: (path, body, init = {}) =>
      get(path, {
        ...init,
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', Origin: inspector.url.slice(0, -1), ...(init.headers as object) },
      }),
    json: async (path) => (await get(path)).json(),
    lines: async (path, until) => {
      const response = await get(path);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const found: StreamLine[] = [];
      let rest = '';
      const decoder = new TextDecoder();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const texts = (rest + decoder.decode(read.value, { stream: true })).split('\n');
        rest = texts.pop() ?? '';
        for (const text of texts) {
          const line = JSON.parse(text) as StreamLine;
          found.push(line);
          if (!until(line)) continue;
          await reader.cancel();
          return found;
        }
      }
      throw new Error(`The stream ended: ${JSON.stringify(found).slice(0, 500)}`);
    },
  };
}

/** Opens an inspector of a recording with these lines. */
export function inspecting<Result>(
  lines: readonly string[],
  use: (inspector: OpenedInspector, file: string) => Promise<Result>,
  options: Partial<InspectorOptions> = {},
): Promise<Result> {
  return inDirectory(async (directory) => {
    const file = writeRecording(join(directory, 'run.bus.jsonl'), lines);
    const inspector = await openInspector({ recordings: [file], ...options });
    try {
      return await use(inspector, file);
    } finally {
      await inspector.close();
    }
  });
}

/** A response as it came over the connection. `status` is 0 if the server closed the connection without one. */
export interface RawResponse {
  readonly status: number;
  readonly text: string;
  readonly body: string;
}

/** Sends bytes as they are, which `fetch` does not. Resolves when the server ends the connection. */
export function sendRaw(port: number, text: string, host = '127.0.0.1'): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host });
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(received) ?? [];
      resolve({ status: Number(status), text: received, body: received.split('\r\n\r\n').slice(1).join('\r\n\r\n') });
    });
    socket.end(text, 'latin1');
  });
}

/** A request as text. Headers are sent as they are, in this order, also twice. */
export function rawRequest(method: string, path: string, headers: readonly (readonly [string, string])[], body = ''): string {
  const all = [...headers, ['Connection', 'close'], ...(body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body))]])];
  return `${method} ${path} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
