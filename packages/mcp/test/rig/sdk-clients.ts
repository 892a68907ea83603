import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Json, LinkFlags, Place } from './link-rig.js';

/** The SDK of a client and the protocol that it speaks. The server has the same SDK. */
export const sdks = ['1.x, 2025-11-25', '2.x, 2025-11-25', '2.x, 2026-07-28'] as const;

export type Sdk = (typeof sdks)[number];

/** Answers a question of the server, or of the hooks. */
export type Elicit = (params: Json) => Json | Promise<Json>;

export interface ClientOptions {
  /** Answers questions. Without it, the client does not declare the capability. */
  readonly elicit?: Elicit | undefined;
  readonly flags?: LinkFlags['flags'];
  /** Wraps the transport to the server, instead of the command around the server. */
  readonly wrap?: ((transport: StdioV1 | StdioV2) => object) | undefined;
}

export interface SdkClient {
  call(name: string, input?: Json, options?: { signal?: AbortSignal; onprogress?: (progress: Json) => void; meta?: Json }): Promise<Json>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  readonly client: ClientV1 | ClientV2;
  /** The pid of the command, or of the server if the transport is wrapped. */
  readonly pid: number | null;
  readonly stderr: () => string;
  close(): Promise<void>;
}

export const serverOf = (sdk: Sdk): string => (sdk.startsWith('1') ? 'v1-server' : 'v2-server');

export async function connect(sdk: Sdk, place: Place, { elicit, flags = [], wrap }: ClientOptions = {}): Promise<SdkClient> {
  const args = place.args(serverOf(sdk), { flags });
  const started = { command: process.execPath, args: wrap === undefined ? args : args.slice(-1), env: place.env, stderr: 'pipe' } as const;
  const capabilities = elicit === undefined ? {} : { elicitation: {} };
  const answer = async (request: { params?: unknown }) => (await elicit?.(request.params as Json)) as never;
  let stderr = '';
  const listen = (transport: StdioV1 | StdioV2) => {
    transport.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    return transport;
  };
  if (sdk.startsWith('1')) {
    const client = new ClientV1({ name: 'test', version: '1' }, { capabilities });
    if (elicit !== undefined) client.setRequestHandler(ElicitRequestSchema, answer);
    const transport = listen(new StdioV1(started)) as StdioV1;
    await client.connect((wrap?.(transport) ?? transport) as StdioV1);
    return {
      client,
      call: (name, input = {}, { meta, ...options } = {}) =>
        client.callTool(
          { name, arguments: input, ...(meta === undefined ? {} : { _meta: meta }) },
          undefined,
          options as never,
        ) as Promise<Json>,
      listTools: () => client.listTools(),
      pid: transport.pid,
      stderr: () => stderr,
      close: () => client.close(),
    };
  }
  const isModern = sdk.endsWith('2026-07-28');
  const client = new ClientV2(
    { name: 'test', version: '1' },
    { capabilities, ...(isModern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}) },
  );
  if (elicit !== undefined) client.setRequestHandler('elicitation/create', answer);
  const transport = listen(new StdioV2(started)) as StdioV2;
  await client.connect((wrap?.(transport) ?? transport) as StdioV2);
  return {
    client,
    call: (name, input = {}, { meta, ...options } = {}) =>
      client.callTool({ name, arguments: input, ...(meta === undefined ? {} : { _meta: meta }) }, options as never) as Promise<Json>,
    listTools: () => client.listTools(),
    pid: transport.pid,
    stderr: () => stderr,
    close: () => client.close(),
  };
}
