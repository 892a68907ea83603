import { randomUUID } from 'node:crypto';
import { describeThrown, describeValue, requireOptions } from '@tenterhook/runtime/text';
import { type AtLeastOnceOptions, checkAtLeastOnce } from '../jobs/at-least-once-options.js';
import { JobQueue } from '../jobs/job-queue.js';
import { checkLimits, type NatsLimits, requireInteger, requireSignal, requireToken } from '../limits.js';
import { NatsTransportError } from '../nats-error.js';
import { checkLargeMessages, type LargeMessageOptions } from '../objects/large-message-options.js';
import { LargeMessages } from '../objects/large-messages.js';
import { Subjects } from '../wire/subjects.js';
import { DialledSockets } from './dialled-sockets.js';
import { NatsClient } from './nats-client.js';
import { type Authenticator, type ConnectionOptions, loadNatsLibrary, type NatsConnection, type NatsLibrary } from './nats-library.js';
import { NatsLink } from './nats-link.js';

export interface ConnectToNatsOptions extends NatsLimits {
  /**
   * The address of a server, or of several servers of one cluster: `nats://host:4222` or `host:4222`.
   * @default the environment variable `NATS_URL`, or '127.0.0.1:4222'
   */
  readonly servers?: string | readonly string[] | undefined;

  /**
   * Clients of different namespaces receive nothing from each other. Permissions of the server can name it. 1 to 64 letters, digits,
   * hyphens or underscores, like `project` and `client`.
   * @default 'default'
   */
  readonly namespace?: string | undefined;

  /** The project of the requests. A worker with a project serves only its requests. @default no project; a worker serves all projects */
  readonly project?: string | undefined;

  /** The name under which this client receives replies. Permissions of the server can name it. @default '-' */
  readonly client?: string | undefined;

  /** A token for the server, instead of user and password. */
  readonly token?: string | undefined;

  /** The name of a user. Needs `password`. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;

  /** The text of a credentials file: a JWT and the seed of an NKey. */
  readonly credentials?: string | undefined;

  /** The seed of an NKey. It begins with `SU`. */
  readonly nkeySeed?: string | undefined;

  /** TLS options: `ca`, `cert`, `key` (PEM texts), `caFile`, `certFile`, `keyFile` (paths), `handshakeFirst`. @default as the server requires */
  readonly tls?: ConnectionOptions['tls'] | undefined;

  /**
   * Keeps requests in a stream of the server until a worker has answered them, so that another worker carries a request out if its worker
   * ends. Hooks may then run more than once. Agents and workers pass the same value; workers also answer requests of agents without it.
   * Requests wait in the stream if there is no worker. Needs JetStream. @default false
   */
  readonly atLeastOnce?: boolean | AtLeastOnceOptions | undefined;

  /**
   * Keeps requests and answers that are larger than the limit in an object store of the server. Agents and workers pass the same value. Needs
   * JetStream. @default false: such messages are refused with `too_large`
   */
  readonly largeMessages?: boolean | LargeMessageOptions | undefined;

  /** Milliseconds until the attempt to connect fails, from 1 to 2147483647. @default 5000 */
  readonly timeoutMs?: number | undefined;

  /** Aborts the attempt to connect. Has no effect once the client is connected. @default none */
  readonly signal?: AbortSignal | undefined;

  /**
   * Called when the server refuses something that is not the result of a method, such as a subscription that the credentials do not
   * permit. @default the problem is only logged, with `DEBUG=tenterhook:nats`
   */
  readonly onProblem?: ((error: NatsTransportError) => void) | undefined;
}

const optionNames = Object.keys({
  servers: true,
  namespace: true,
  project: true,
  client: true,
  token: true,
  user: true,
  password: true,
  credentials: true,
  nkeySeed: true,
  tls: true,
  atLeastOnce: true,
  largeMessages: true,
  timeoutMs: true,
  signal: true,
  onProblem: true,
  maxMessageBytes: true,
  maxWaitingBytes: true,
  maxRequests: true,
  confirmMs: true,
  aliveMs: true,
} satisfies Record<keyof ConnectToNatsOptions, true>);

export async function connectToNats(options: ConnectToNatsOptions): Promise<NatsClient> {
  requireOptions('connectToNats', options, optionNames);
  const { namespace = 'default', project, client = '-', timeoutMs = 5000, signal } = options;
  requireToken('connectToNats: namespace', namespace);
  if (project !== undefined) requireToken('connectToNats: project', project);
  requireToken('connectToNats: client', client);
  requireInteger('connectToNats: timeoutMs', timeoutMs, 1, 2 ** 31 - 1);
  requireSignal('connectToNats', signal);
  const servers = serversOf(options.servers);
  const limits = checkLimits('connectToNats', options);
  const kept = options.atLeastOnce === undefined || options.atLeastOnce === false ? undefined : options.atLeastOnce;
  const atLeastOnce = kept === undefined ? undefined : checkAtLeastOnce('connectToNats', namespace, kept);
  const large = options.largeMessages === undefined || options.largeMessages === false ? undefined : options.largeMessages;
  const largeMessages = large === undefined ? undefined : checkLargeMessages('connectToNats', namespace, large);
  const session = randomUUID();
  const subjects = new Subjects(namespace, project, client, session);
  const library = await loadNatsLibrary();
  const authenticator = authenticatorOf(library, options);
  const { tls } = options;
  let attempts = 0;
  const settings: ConnectionOptions = {
    servers,
    name: `tenterhook ${namespace}`,
    timeout: timeoutMs,
    ...(authenticator === undefined ? {} : { authenticator }),
    ...(tls === undefined ? {} : { tls }),
    inboxPrefix: `tenterhook.${namespace}.inbox.${client}`,
    maxReconnectAttempts: -1,
    // Credentials may be repaired while the client waits. The library would close the connection after the second refusal.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: () => {
      attempts += 1;
      return Math.min(50 * 2 ** Math.min(attempts - 1, 6), 2000);
    },
    // A server that does not answer is noticed after 15 s. The default of the library is four minutes.
    pingInterval: 5000,
    maxPingOut: 2,
    noAsyncTraces: true,
  };
  const sockets = new DialledSockets();
  const connecting = sockets.during(() => library.connect(settings));
  const connection = await settleConnection(connecting, sockets, servers, timeoutMs, signal);
  attempts = 0;
  const link = new NatsLink(connection, library, limits, () => {
    attempts = 0;
  });
  const queue = atLeastOnce === undefined ? undefined : new JobQueue(link, subjects, atLeastOnce);
  const objects = largeMessages === undefined ? undefined : new LargeMessages(link, largeMessages);
  const opened = new NatsClient(link, subjects, { client, session, limits, queue, large: objects, onProblem: options.onProblem });
  try {
    if (connection.info?.headers !== true) {
      const what = `The NATS server at ${servers.join(', ')} does not have message headers.`;
      throw new NatsTransportError('unsupported_server', what, 'Use version 2.2 of the NATS server or a later one.');
    }
    await opened.open();
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Resolves to the connection. If the signal aborts or the time is up first, the connection is closed when it is made. */
async function settleConnection(
  connecting: Promise<NatsConnection>,
  sockets: DialledSockets,
  servers: readonly string[],
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<NatsConnection> {
  let giveUp = () => {};
  const end = new Promise<'ended'>((resolve) => {
    giveUp = () => resolve('ended');
  });
  const timer = setTimeout(giveUp, timeoutMs);
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted) giveUp();
  try {
    const first = await Promise.race([connecting, end]);
    if (first !== 'ended' && signal?.aborted !== true) {
      sockets.forget();
      return first;
    }
    if (signal?.aborted) {
      const what = `The signal ended the attempt to connect to the NATS server at ${servers.join(', ')}.`;
      throw new NatsTransportError('cancelled', what, 'Nothing is left open.', { cause: signal.reason });
    }
    throw noServer(servers, `no answer within ${timeoutMs} ms`);
  } catch (error) {
    sockets.destroy();
    // The library may still try another address.
    void connecting
      .then(
        (connection) => connection.close(),
        () => {},
      )
      .finally(() => {
        sockets.destroy();
        sockets.forget();
      });
    if (error instanceof NatsTransportError) throw error;
    const { name } = error as { name?: unknown };
    if (name === 'AuthorizationError' || name === 'UserAuthenticationExpiredError') {
      const what = `The NATS server at ${servers.join(', ')} refused the credentials (${describeThrown(error)}).`;
      const remedy = 'Pass token, user and password, credentials or nkeySeed, as the configuration of the server requires.';
      throw new NatsTransportError('not_allowed', what, remedy, { cause: error });
    }
    throw noServer(servers, describeThrown(error), error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

function noServer(servers: readonly string[], reason: string, cause?: unknown): NatsTransportError {
  const what = `No NATS server accepted the connection at ${servers.join(', ')} (${reason}).`;
  return new NatsTransportError('no_server', what, 'Start nats-server, and check the address and the TLS options.', { cause });
}

/** The error messages contain the addresses, so a password in them is refused. */
function serversOf(given: unknown): string[] {
  const servers = given === undefined ? [process.env['NATS_URL'] || '127.0.0.1:4222'] : Array.isArray(given) ? [...given] : [given];
  for (const server of servers) {
    if (typeof server !== 'string' || server === '') {
      throw new TypeError(
        `connectToNats: servers must be an address such as 'nats://127.0.0.1:4222', or a list, and is ${describeValue(given)}.`,
      );
    }
    if (server.includes('@')) throw new TypeError('connectToNats: servers must not contain a user or a password. Pass them as options.');
  }
  if (servers.length === 0) throw new TypeError('connectToNats: servers must have at least one address.');
  return servers;
}

function authenticatorOf(library: NatsLibrary, options: ConnectToNatsOptions): Authenticator | undefined {
  const { token, user, password, credentials, nkeySeed } = options;
  const given = Object.entries({ token, user, credentials, nkeySeed }).filter(([, value]) => value !== undefined);
  for (const [name, value] of [...given, ...(password === undefined ? [] : [['password', password] as const])]) {
    // The value is a secret, so the message does not contain it.
    if (typeof value !== 'string' || value === '') throw new TypeError(`connectToNats: ${name} must be a non-empty string.`);
  }
  if (given.length > 1) {
    throw new TypeError(`connectToNats takes one way to authenticate, and has ${given.map(([name]) => name).join(' and ')}.`);
  }
  if ((user === undefined) !== (password === undefined)) throw new TypeError('connectToNats: user and password belong together.');
  if (token !== undefined) return library.tokenAuthenticator(token);
  if (user !== undefined) return library.usernamePasswordAuthenticator(user, password);
  const encode = (text: string) => new TextEncoder().encode(text);
  if (credentials !== undefined) return readable('credentials', library.credsAuthenticator(encode(credentials)));
  if (nkeySeed !== undefined) return readable('nkeySeed', library.nkeyAuthenticator(encode(nkeySeed)));
  return undefined;
}

/** The library reads the text only when the server has answered, and the error would look like one of the server. */
function readable<Signer extends (nonce?: string) => unknown>(name: string, authenticator: Signer): Signer {
  try {
    authenticator('nonce');
    return authenticator;
  } catch (error) {
    const expected = name === 'credentials' ? 'the text of a .creds file' : 'the seed of an NKey of a user';
    throw new TypeError(`connectToNats: ${name} cannot be read (${describeThrown(error)}). Pass ${expected}.`, { cause: error });
  }
}
