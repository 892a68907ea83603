import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { noOtherHome } from '../../../../test/support/environment.js';

export const command = fileURLToPath(new URL('../../bin/tenterhook-mcp.js', import.meta.url));

/** The path of a server of these tests. */
export const serverFile = (name: string): string => fileURLToPath(new URL(`./servers/${name}.mjs`, import.meta.url));

export type Json = Record<string, unknown>;

/** Hooks by event: a matcher of the tool, and the command of a hook. */
export type EventHooks = Readonly<
  Record<string, readonly { readonly matcher?: string; readonly command: string; readonly timeout?: number }[]>
>;

/** A project with a settings file, and a file into which the server writes what it receives. */
export interface Place {
  readonly directory: string;
  readonly settings: string;
  writeHooks(hooks: EventHooks): void;
  /** The lines that the server received, parsed. */
  seen(): Json[];
  /** The calls that reached the server. */
  calls(): Json[];
  readonly env: Readonly<Record<string, string>>;
  args(server: string, options?: LinkFlags): string[];
  remove(): void;
}

export interface LinkFlags {
  readonly flags?: readonly string[];
  readonly serverArgs?: readonly string[];
}

export function openPlace(hooks: EventHooks = {}, dialect = 'llxprt'): Place {
  const directory = mkdtempSync(join(tmpdir(), 'tenterhook-mcp-'));
  const settings = join(directory, 'hooks.json');
  const seenFile = join(directory, 'seen');
  const writeHooks = (events: EventHooks) => {
    const groups = Object.entries(events).map(([event, entries]) => [
      event,
      entries.map(({ matcher, ...hook }) => ({ ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', ...hook }] })),
    ]);
    writeFileSync(settings, JSON.stringify({ hooks: Object.fromEntries(groups) }));
  };
  writeHooks(hooks);
  const seen = () =>
    existsSync(seenFile)
      ? readFileSync(seenFile, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Json)
      : [];
  return {
    directory,
    settings,
    writeHooks,
    seen,
    calls: () => seen().filter(({ method }) => method === 'tools/call'),
    env: { ...(process.env as Record<string, string>), ...noOtherHome, HOME: directory, MCP_SEEN: seenFile },
    args: (server, { flags = [], serverArgs = [] } = {}) => [
      command,
      '--server',
      'files',
      '--project',
      directory,
      '--settings',
      settings,
      '--dialect',
      dialect,
      ...flags,
      '--',
      process.execPath,
      serverFile(server),
      ...serverArgs,
    ],
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** A client that writes lines and reads lines. */
export class RawClient {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly status: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly lines: string[] = [];
  stderr = '';
  readonly #read: ((line: string) => void)[] = [];
  readonly #unread: string[] = [];
  #ids = 0;

  constructor(place: Place, server = 'raw-server', options: LinkFlags = {}) {
    const child = spawn(process.execPath, place.args(server, options), { env: place.env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child = child;
    child.stdin.on('error', () => {});
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.lines.push(line);
      const waiting = this.#read.shift();
      if (waiting === undefined) this.#unread.push(line);
      else waiting(line);
    });
    this.ended = new Promise((resolve) => child.once('close', (status, signal) => resolve({ status, signal })));
  }

  write(text: string): void {
    this.child.stdin?.write(`${text}\n`);
  }

  send(message: Json): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** Sends a request and returns its id. */
  request(method: string, params: Json = {}, id: unknown = ++this.#ids): unknown {
    this.send({ id, method, params });
    return id;
  }

  /** Calls a tool and returns the id of the request. */
  call(name: string, input: Json = {}, more: Json = {}): unknown {
    return this.request('tools/call', { name, arguments: input, ...more });
  }

  /** The next message that was not read yet. */
  async next(): Promise<Json> {
    const line = this.#unread.shift() ?? (await new Promise<string>((resolve) => this.#read.push(resolve)));
    return JSON.parse(line) as Json;
  }

  /** Sends a request, and returns the next message that is not a notification. It must be the answer. */
  async ask(method: string, params: Json = {}): Promise<Json> {
    const id = this.request(method, params);
    let answer = await this.next();
    while (answer['id'] === undefined) answer = await this.next();
    if (answer['id'] !== id) throw new Error(`Expected the answer to ${String(id)}, and received ${JSON.stringify(answer)}.`);
    return answer;
  }

  async initialize(capabilities: Json = {}): Promise<Json> {
    const answer = await this.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'test', version: '1' },
    });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  /** Closes the connection, and resolves to how the command ended. */
  async close(): Promise<{ readonly status: number | null; readonly signal: NodeJS.Signals | null }> {
    this.child.stdin?.end();
    return this.ended;
  }
}

/** The text of the first part of a result. */
export function textOf(message: Json): string {
  const { content } = (message['result'] ?? message) as { content?: { text?: string }[] };
  return content?.[0]?.text ?? '';
}

/** Shell text of a hook that prints an answer. */
export const says = (answer: object | string): string =>
  `printf '%s' '${(typeof answer === 'string' ? answer : JSON.stringify(answer)).replaceAll("'", "'\\''")}'`;
