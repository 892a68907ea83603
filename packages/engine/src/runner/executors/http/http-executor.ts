import type { Socket } from 'node:net';
import type { HookExecutor } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption } from '@tenterhook/runtime/text';
import type { SpawnerLimits } from '@tenterhook/spawner';
import { resolveLimits } from '@tenterhook/spawner/internal';
import { TurnQueue } from '../turn-queue.js';
import type { AddressPolicy, ResolveHost } from './address-policy.js';

/** Where hooks of the kind `http` may send requests, and what they may send. */
export interface HttpOptions {
  /**
   * The private addresses to which requests may be sent. All others are refused, so that a URL in a settings file cannot reach the
   * private network of the agent. `true` allows all. A host name in the list allows every address of that name. An address or a CIDR
   * range (`127.0.0.1`, `10.0.0.0/8`, `fd00::/8`) allows these addresses under any name. Hooks of Claude Code's format may also send
   * requests to this machine (`127.0.0.0/8`, `::1`), unless the option is `false`.
   * @default none
   */
  readonly allowPrivateAddresses?: boolean | readonly string[];
  /**
   * The environment variables that `http` hooks of a repository may send in headers, if the hook lists them too. Settings of the user or
   * the administrator can add more (`httpHookAllowedEnvVars`).
   * @default none
   */
  readonly env?: readonly string[];
}

const field = 'http.allowPrivateAddresses';
const options = ['allowPrivateAddresses', 'env'];

/**
 * Checks the options. Throws a TypeError that names an invalid field and its value. A mistyped list could allow too many addresses, or
 * prevent a guard from reaching its server.
 */
export function requireHttpOptions(given: unknown = {}): HttpOptions {
  if (!isPlainObject(given)) throw new TypeError(`"http" must be { ${options.join(', ')} }, and is ${describeOption(given)}.`);
  const unknown = Object.keys(given).find((key) => !options.includes(key));
  if (unknown !== undefined) throw new TypeError(`"http" has no option "${unknown}". Its options are ${options.join(' and ')}.`);
  const allowed = requireAddresses(given['allowPrivateAddresses']);
  const allowPrivateAddresses = allowed === undefined ? {} : { allowPrivateAddresses: allowed };
  const { env } = given;
  if (env === undefined) return allowPrivateAddresses;
  if (!Array.isArray(env)) throw new TypeError(`"http.env" must be an array of names of variables, and is ${describeOption(env)}.`);
  for (const [index, name] of env.entries()) {
    if (typeof name === 'string' && /^[^\s=\0$]+$/.test(name)) continue;
    throw new TypeError(`"http.env[${index}]" must be the name of a variable such as "HOOK_TOKEN", and is ${describeOption(name)}.`);
  }
  return { ...allowPrivateAddresses, env: [...(env as string[])] };
}

function requireAddresses(allowed: unknown): boolean | readonly string[] | undefined {
  if (allowed === undefined || typeof allowed === 'boolean') return allowed;
  if (!Array.isArray(allowed)) {
    throw new TypeError(
      `"${field}" must be true, false or an array of host names, addresses and CIDR ranges, and is ${describeOption(allowed)}.`,
    );
  }
  for (const [index, entry] of allowed.entries()) {
    const isUsable = typeof entry === 'string' && (familyOf(entry) !== 0 || isRange(entry) || isHostName(entry));
    if (isUsable) continue;
    const examples = '"localhost", "127.0.0.1" or "10.0.0.0/8"';
    throw new TypeError(
      `"${field}[${index}]" must be a host name, an address or a CIDR range such as ${examples}, and is ${describeOption(entry)}.`,
    );
  }
  // The list is copied, so that the caller cannot change it after the check.
  return [...(allowed as string[])];
}

/**
 * Returns the version of an address: 4, 6, or 0 if the text is not an address. Importing `node:net` was rejected, because it loads all
 * streams of Node. That takes a twentieth of the start time.
 */
const familyOf = (address: string): number => process.getBuiltinModule('node:net').isIP(address);

function isRange(entry: string): boolean {
  const [address = '', prefix = '', ...rest] = entry.split('/');
  const mostBits = { 0: -1, 4: 32, 6: 128 }[familyOf(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= mostBits;
}

/**
 * Whether a text is a host name, without a port, a wildcard or a scheme. A name whose last part is a number is not valid, because a URL
 * parser would treat it as an address.
 */
function isHostName(entry: string): boolean {
  return /^(?=.{1,254}$)(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+\.?$/u.test(entry) && !/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(entry);
}

export interface HttpExecutorOptions extends HttpOptions {
  /** `concurrency` and `queued` limit requests, separately from processes. `stdoutBytes` limits the size of an answer. */
  readonly limits?: Partial<SpawnerLimits>;
  /** @default the resolver of the system */
  readonly resolve?: ResolveHost;
}

/** Runs hooks that send a POST to a URL. */
export function createHttpExecutor({ limits = {}, allowPrivateAddresses, resolve }: HttpExecutorOptions = {}): HookExecutor {
  const { stdoutBytes: bodyBytes, ...bounds } = resolveLimits(limits);
  const policies = new Map<boolean, AddressPolicy>();
  const queue = new TurnQueue(bounds);
  const sockets = new Set<Socket>();
  const onSocket = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  return {
    kind: 'http',
    queues: true,
    async run(invocation, hook, _event, { signal, onStart }) {
      if (invocation.kind !== 'http') throw new TypeError(`an http executor was given "${invocation.kind}"`);
      // Loaded for the first request, because Node's http, tls and dns take some milliseconds to load, and few systems have http hooks.
      const { readTarget, sendRequest } = await import('./send-request.js');
      const addresses = await import('./address-policy.js');
      const target = readTarget(invocation);
      if ('problem' in target) return { kind: 'unrunnable', code: 'invalid_input', message: target.problem, durationMs: 0 };
      return queue.run(signal, (own) => {
        onStart();
        const callsThisMachine = hook.action.kind === 'http' && hook.action.callsThisMachine === true;
        const policy = policies.get(callsThisMachine) ?? addresses.createPolicy(allowPrivateAddresses, callsThisMachine);
        policies.set(callsThisMachine, policy);
        const { body } = invocation;
        const reach = { policy, resolve: resolve ?? addresses.resolveHost };
        return sendRequest({ target, body, timeoutMs: hook.timeoutMs, bodyBytes, signal: own, onSocket, ...reach });
      });
    },
    async dispose() {
      await queue.dispose();
      await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    },
  };
}
