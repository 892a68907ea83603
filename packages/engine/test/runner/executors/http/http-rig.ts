import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net';
import type { Exit, HookDefinition, HookExecutor, Invocation } from '@tenterhook/protocol';
import { createHttpExecutor, type HttpExecutorOptions } from '../../../../src/runner/executors/http/http-executor.js';
import { hookOf, toolEvent } from '../../../engine-rig.js';

export const loopback = ['127.0.0.1/32'];

/** What a server heard. */
export interface Heard {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface TestServer {
  readonly port: number;
  readonly url: string;
  /** Connections so far. */
  readonly connections: Socket[];
  readonly heard: Heard[];
}

const servers: Server[] = [];
const executors: HookExecutor[] = [];

/** Ends everything that a test has opened; for `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const executor of executors.splice(0)) await executor.dispose?.();
  for (const server of servers.splice(0)) {
    server.close();
    await once(server, 'close');
  }
}

/** A server on a free port of this machine that answers as the test says. */
export async function serve(answer: (response: ServerResponse, heard: Heard) => void): Promise<TestServer> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method, url, headers } = request;
    heard.push({ method, url, headers, body });
    answer(response, heard.at(-1) as Heard);
  });
  return listening(server, heard);
}

/** One that is not an HTTP server: what it does with a connection is the test's. */
export async function serveRaw(onConnection: (socket: Socket) => void): Promise<TestServer> {
  const server = createNetServer((socket) => {
    onConnection(socket);
    // Who does not read does not hear of the end either.
    socket.resume();
  });
  return listening(server, []);
}

/** Resolves when every connection of the server is closed. */
export async function closedOf({ connections }: TestServer): Promise<void> {
  for (const socket of connections) if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
}

async function listening(server: Server, heard: Heard[]): Promise<TestServer> {
  const connections: Socket[] = [];
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    connections.push(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/hook`, connections, heard };
}

/** Disposed of with `closeAll`. */
export function executorWith(options: HttpExecutorOptions = { allowPrivateAddresses: loopback }): HookExecutor {
  const executor = createHttpExecutor(options);
  executors.push(executor);
  return executor;
}

export interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onStart?: () => void;
}

export function invocationOf(url: string, { headers = {}, body = '{}' }: PostOptions = {}): Invocation {
  return { kind: 'http', url, headers, body };
}

/** One run of a hook. */
export function post(executor: HookExecutor, url: string, options: PostOptions = {}): Promise<Exit> {
  const hook: HookDefinition = hookOf('a', { timeoutMs: options.timeoutMs ?? 20_000 });
  const { signal = new AbortController().signal, onStart = () => {} } = options;
  return executor.run(invocationOf(url, options), hook, toolEvent, { signal, onStart });
}

/** What an exit says, where it is one that says something. */
export function saidBy(exit: Exit): string {
  return 'message' in exit ? exit.message : '';
}
