import { UsageError } from '../errors/exit-status.js';
import type { SettingsFlags } from '../hooks/load-hooks.js';
import type { StreamFlags } from './connect-nats.js';
import type { WorkerPlace } from './connect-worker.js';
import { accessFlagsOf, type NatsAccessFlags, requirePlainAddress } from './nats-access.js';

/** The flags of `tenterhook serve`. */
export interface ServeFlags extends SettingsFlags, NatsAccessFlags, StreamFlags {
  readonly socket?: string;
  readonly nats?: string;
  readonly namespace?: readonly string[];
  readonly maxInFlight?: readonly string[];
  readonly atLeastOnce?: boolean;
  readonly largeMessages?: boolean;
  readonly ackWait?: string;
  readonly maxDeliveries?: string;
  readonly queueReplicas?: string;
  readonly drainTimeout?: string;
  readonly recordStream?: string;
  readonly recordProgress?: boolean;
  readonly recordUnmasked?: boolean;
  readonly secret?: readonly string[];
  readonly healthPort?: string;
  readonly loadQuery?: boolean;
  readonly json?: boolean;
}

/** A namespace that the worker serves. */
export interface WantedNamespace {
  readonly name: string;
  /** The project directory of its settings. Undefined for the settings of the flags. */
  readonly directory?: string;
  readonly maxInFlight: number;
}

/** The numbers among the flags. */
export interface ServeLimits {
  readonly drainTimeoutMs: number;
  readonly healthPort: number | undefined;
  /** The option `atLeastOnce` of `connectToNats()` for a namespace with this limit. */
  readonly atLeastOnce: (maxInFlight: number) => object | undefined;
}

const usualInFlight = 1024;
/** Requests that a stream keeps wait there, and another worker may be free. */
const usualKeptInFlight = 64;

/** Returns where the agents are. Throws a UsageError for flags that do not belong together. */
export function placeOf(flags: ServeFlags): WorkerPlace {
  const { socket, nats, namespace, recordStream, atLeastOnce, largeMessages } = flags;
  if ((socket === undefined) === (nats === undefined)) {
    throw new UsageError('Pass where the agents are, with --socket <path> or --nats <url>: tenterhook serve --socket /run/agent/bus');
  }
  if (socket === '' || nats === '') throw new UsageError(`--${socket === '' ? 'socket' : 'nats'} is empty. Pass the address of the bus.`);
  requirePlainAddress(nats);
  const access = accessFlagsOf(flags);
  if (nats !== undefined) return { address: nats, nats: { address: nats, access } };
  const [given] =
    Object.entries({ ...access, namespace, recordStream, atLeastOnce, largeMessages }).find(([, value]) => value !== undefined) ?? [];
  if (given !== undefined) throw new UsageError(`--${toFlag(given)} is for --nats. A socket has one namespace and no users.`);
  return { address: socket as string };
}

function toFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Reads the numbers among the flags. Throws a UsageError for one that is out of range. */
export function limitsOf({
  drainTimeout = '10000',
  healthPort,
  atLeastOnce,
  ackWait,
  maxDeliveries,
  queueReplicas,
}: ServeFlags): ServeLimits {
  const given = Object.entries({ 'ack-wait': ackWait, 'max-deliveries': maxDeliveries, 'queue-replicas': queueReplicas });
  const [alone] = given.find(([, value]) => value !== undefined) ?? [];
  if (alone !== undefined && !atLeastOnce) throw new UsageError(`--${alone} is for --at-least-once. Pass both.`);
  const options = {
    ...(ackWait === undefined ? {} : { ackWaitMs: integerOf('--ack-wait', ackWait, 1000, 3_600_000) }),
    ...(maxDeliveries === undefined ? {} : { maxDeliveries: integerOf('--max-deliveries', maxDeliveries, 1, 1_000_000) }),
    ...(queueReplicas === undefined ? {} : { replicas: integerOf('--queue-replicas', queueReplicas, 1, 5) }),
  };
  return {
    drainTimeoutMs: integerOf('--drain-timeout', drainTimeout, 0, 2 ** 31 - 1),
    healthPort: healthPort === undefined ? undefined : integerOf('--health-port', healthPort, 0, 65_535),
    atLeastOnce: (maxInFlight) => (atLeastOnce ? { ...options, maxRunning: maxInFlight } : undefined),
  };
}

/** Returns the namespaces, or the default one with the settings of the flags. */
export function namespacesOf({ namespace = ['default'], maxInFlight = [], atLeastOnce }: ServeFlags): readonly WantedNamespace[] {
  const limits = inFlightOf(maxInFlight);
  const names = new Set<string>();
  const wanted = namespace.map((given) => {
    const [, name = '', directory] = /^([^=]*)(?:=(.*))?$/s.exec(given) ?? [];
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      throw new UsageError(`--namespace ${JSON.stringify(given)}: the name must have 1 to 64 letters, digits, hyphens or underscores.`);
    }
    if (directory === '') throw new UsageError(`--namespace ${given}: the directory is empty. Write ${name}=<dir>, or ${name}.`);
    if (names.has(name)) throw new UsageError(`--namespace ${name} is given twice.`);
    names.add(name);
    const limit = limits.get(name) ?? limits.get('') ?? (atLeastOnce ? usualKeptInFlight : usualInFlight);
    return { name, maxInFlight: limit, ...(directory === undefined ? {} : { directory }) };
  });
  const unknown = [...limits.keys()].find((name) => name !== '' && !names.has(name));
  if (unknown !== undefined)
    throw new UsageError(`--max-in-flight ${unknown}=…: the worker does not serve ${unknown}. Pass --namespace ${unknown}.`);
  return wanted;
}

/** Reads `100` and `web=100`. The limit without a name is that of the other namespaces. */
function inFlightOf(given: readonly string[]): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const text of given) {
    const [, name = '', number = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(text) ?? [];
    if (limits.has(name)) throw new UsageError(`--max-in-flight is given twice${name === '' ? '' : ` for ${name}`}.`);
    limits.set(name, integerOf('--max-in-flight', number, 1, 1_000_000));
  }
  return limits;
}

function integerOf(option: string, text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${option} must be an integer from ${least} to ${most}, and is ${JSON.stringify(text)}.`);
}
