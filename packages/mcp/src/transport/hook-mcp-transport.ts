import {
  type AdapterOptions,
  adapterRules,
  type ClientSource,
  type OptionRule,
  requireAdapterOptions,
  requireClientSource,
} from '@tenterhook/agent/internal';
import { onAbort } from '@tenterhook/runtime/async';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { describeOption } from '@tenterhook/runtime/text';
import { HookedLink } from '../link/hooked-link.js';
import type { Message } from '../wire/message.js';

/** The options of `hookMcpTransport`. */
export interface HookMcpTransportOptions extends Pick<AdapterOptions, 'ask' | 'maxRetries' | 'onMessage'> {
  /** The name of the server, as hooks match it: `files` in `mcp__files__write_file`. */
  readonly server: string;
  /**
   * `framework`: when a hook asks, the client is asked with `elicitation/create`, if it declared the capability `elicitation`.
   * @default `ask` decides
   */
  readonly approvals?: 'framework' | undefined;
  /** Whether SessionStart and SessionEnd are fired with the connection. Pass false if your program fires them itself. @default true */
  readonly session?: boolean | undefined;
}

/** A function whose parameters may be narrower in an SDK. */
type Callback<Parameters extends unknown[]> = { bivariant(...parameters: Parameters): void }['bivariant'];

/** The client side of a transport of MCP, of the SDK 1.x or 2.x. */
export interface WrappedTransport {
  start(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: the types of messages differ between the SDKs.
  send(message: any, options?: any): Promise<void>;
  close(): Promise<void>;
  onclose?: Callback<[]> | undefined;
  onerror?: Callback<[error: Error]> | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the types of messages differ between the SDKs.
  onmessage?: Callback<[message: any, extra?: any]> | undefined;
  readonly sessionId?: string | undefined;
  readonly hasPerRequestStream?: boolean | undefined;
  setProtocolVersion?: ((version: string) => void) | undefined;
  setSupportedProtocolVersions?: ((versions: string[]) => void) | undefined;
}

/** A transport with hooks. Pass it to `connect()` of a client. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown, extra?: unknown) => void;
  readonly sessionId?: string | undefined;
  readonly hasPerRequestStream?: boolean;
  setProtocolVersion(version: string): void;
  setSupportedProtocolVersions(versions: string[]): void;
}

const rules: Readonly<Record<string, OptionRule>> = {
  server: { expected: 'the name of the server', isValid: (value) => typeof value === 'string' && value !== '' },
  session: { expected: 'true or false', isValid: (value) => typeof value === 'boolean' },
  ask: adapterRules.ask,
  approvals: adapterRules.approvals,
  maxRetries: adapterRules.maxRetries,
  onMessage: adapterRules.onMessage,
};

/**
 * Wraps the transport of a client, so that each call of a tool passes the hooks: a refused call never reaches the server. Other messages
 * pass unchanged. `client` is a client of hooks, or a function that returns it. Use the wrapped transport only through the returned one.
 * Throws a TypeError for wrong arguments.
 */
export function hookMcpTransport(client: ClientSource, transport: WrappedTransport, options: HookMcpTransportOptions): McpTransport {
  requireClientSource('hookMcpTransport', client);
  if (typeof transport?.send !== 'function' || typeof transport.start !== 'function' || typeof transport.close !== 'function') {
    throw new TypeError(`hookMcpTransport: the second argument must be a transport of an MCP client, and is ${describeOption(transport)}.`);
  }
  requireAdapterOptions('hookMcpTransport', options ?? {}, rules);
  if (options?.server === undefined)
    throw new TypeError('hookMcpTransport: "server" is missing. Pass the name of the server, as hooks match it.');
  return new HookedTransport(client, transport, options);
}

class HookedTransport implements McpTransport {
  declare onclose?: () => void;
  declare onerror?: (error: Error) => void;
  declare onmessage?: (message: unknown, extra?: unknown) => void;
  declare readonly hasPerRequestStream?: boolean;
  readonly #inner: WrappedTransport;
  readonly #link: HookedLink<unknown>;
  #isClosed = false;

  constructor(
    source: ClientSource,
    inner: WrappedTransport,
    { server, session = true, ask, approvals, maxRetries, onMessage }: HookMcpTransportOptions,
  ) {
    this.#inner = inner;
    if (inner.hasPerRequestStream !== undefined) this.hasPerRequestStream = inner.hasPerRequestStream;
    // By these two the SDK 2.x knows that a transport is stdio.
    for (const name of ['pid', 'stderr'] as const) {
      if (name in inner) Object.defineProperty(this, name, { get: () => Reflect.get(inner, name) as unknown });
    }
    this.#link = new HookedLink<unknown>(
      { source, server, hasSession: session, ...omitUndefined({ ask, approvals, maxRetries, onMessage }) },
      {
        toServer: (message, context) => inner.send(message, context),
        toClient: (message, extra) => this.#deliver(message, extra),
      },
    );
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  start(): Promise<void> {
    const inner = this.#inner;
    // The program may have its own callbacks on the transport, as the SDK permits.
    const { onclose, onerror, onmessage } = inner;
    inner.onclose = () => {
      onclose?.call(inner);
      this.#end();
    };
    inner.onerror = (error) => {
      onerror?.call(inner, error);
      this.onerror?.(error);
    };
    inner.onmessage = (message, extra) => {
      onmessage?.call(inner, message, extra);
      this.#link.fromServer(message, extra);
    };
    return inner.start();
  }

  async send(message: unknown, options?: unknown): Promise<void> {
    if (this.#isClosed) throw new Error('The transport with hooks is closed.');
    // Transports with a stream for each request cancel by this signal, and not by a message.
    const signal = isPlainObject(options) ? options['requestSignal'] : undefined;
    const { id } = (message ?? {}) as Message;
    if (id !== undefined && signal instanceof AbortSignal) onAbort(signal, () => this.#link.cancel(id));
    await this.#link.fromClient(message, options);
  }

  async close(): Promise<void> {
    await Promise.all([this.#link.close(), this.#inner.close()]);
    this.#end();
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#link.close();
    this.onclose?.();
  }

  #deliver(message: Message, extra: unknown): void {
    if (this.#isClosed) return;
    try {
      if (extra === undefined) this.onmessage?.(message);
      else this.onmessage?.(message, extra);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}
