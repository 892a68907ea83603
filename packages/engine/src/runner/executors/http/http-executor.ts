import type { Socket } from 'node:net';
import type { HookExecutor } from '@tenterhook/protocol';
import type { SpawnerLimits } from '@tenterhook/spawner';
import { resolveLimits } from '@tenterhook/spawner/internal';
import { TurnQueue } from '../turn-queue.js';
import { AddressPolicy } from './address-policy.js';
import { type ResolveHost, resolveHost } from './guarded-lookup.js';
import type { HttpOptions } from './http-options.js';

export interface HttpExecutorOptions extends HttpOptions {
  /** `concurrency` and `queued` count requests as they count processes, each on its own; `stdoutBytes` is kept of an answer. */
  readonly limits?: Partial<SpawnerLimits>;
  /** @default what the system's resolver says */
  readonly resolve?: ResolveHost;
}

/** Runs hooks that are a POST to a URL. */
export function createHttpExecutor({
  limits = {},
  allowPrivateAddresses = false,
  resolve = resolveHost,
}: HttpExecutorOptions = {}): HookExecutor {
  const { stdoutBytes: bodyBytes, ...bounds } = resolveLimits(limits);
  const policy = new AddressPolicy(allowPrivateAddresses);
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
      // Not before the first request: Node's http and tls take some milliseconds to load, and few systems have such hooks.
      const [{ readTarget }, { sendRequest }] = await Promise.all([import('./request-target.js'), import('./send-request.js')]);
      const target = readTarget(invocation);
      if ('problem' in target) return { kind: 'unrunnable', code: 'invalid_input', message: target.problem, durationMs: 0 };
      return queue.run(signal, (own) => {
        onStart();
        const { body } = invocation;
        return sendRequest({ target, body, timeoutMs: hook.timeoutMs, bodyBytes, signal: own, policy, resolve, onSocket });
      });
    },
    async dispose() {
      await queue.dispose();
      await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    },
  };
}
