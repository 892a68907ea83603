/** What is simulated. All times are in milliseconds. */
export interface Load {
  readonly agents: number;
  /** Events that one agent sends in a second. They come at random times (a Poisson process). */
  readonly eventsPerSecond: number;
  /** How many events one worker carries out at the same time. Further ones wait in the worker. */
  readonly slots: number;
  /** The median time for which an event occupies a slot, as a benchmark of your hooks has measured it. */
  readonly serviceMs: number;
  /** The 95th percentile of this time. The times have a log-normal distribution. @default serviceMs: all events take the same time */
  readonly serviceP95Ms?: number | undefined;
  /** The simulated time in seconds. The first fifth is not counted, because all workers are idle at its beginning. */
  readonly seconds: number;
  /** Equal seeds give equal results. */
  readonly seed: number;
}

/** What agents see with a number of workers. All times are in milliseconds, and include the time in the queue of a worker. */
export interface Sizing {
  readonly workers: number;
  /** The share of the time in which the slots of a worker are occupied, from 0 to 1. Above 1, the queues grow without end. */
  readonly utilisation: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** The mean time in the queue. */
  readonly meanWaitMs: number;
  /** The largest number of events that were in one worker at a time, in a slot or in the queue. */
  readonly mostInFlight: number;
}

/** The smallest number of workers whose utilisation is at most `target`. */
export function leastWorkers(load: Load, target: number): number {
  return Math.max(1, Math.ceil((load.agents * load.eventsPerSecond * meanServiceMs(load)) / 1000 / load.slots / target));
}

/** The mean of the service times. It is larger than their median, unless all are equal. */
export function meanServiceMs(load: Load): number {
  return load.serviceMs * Math.exp(spreadOf(load) ** 2 / 2);
}

/**
 * Simulates the events of all agents. The server chooses a worker at random for each event, whatever the load of the worker is. The time on
 * the network is not included.
 */
export function simulate(load: Load, workers: number): Sizing {
  const random = createRandom(load.seed);
  const normal = createNormal(random);
  const spread = spreadOf(load);
  const perMs = (load.agents * load.eventsPerSecond) / 1000;
  const endMs = load.seconds * 1000;
  const fleet = Array.from({ length: workers }, () => new Worker(load.slots));
  const times: number[] = [];
  let waited = 0;
  let mostInFlight = 0;
  for (let now = nextGap(random, perMs); now < endMs; now += nextGap(random, perMs)) {
    const worker = fleet[Math.floor(random() * workers)] as Worker;
    const serviceMs = load.serviceMs * Math.exp(spread * normal());
    const { startMs, inFlight } = worker.add(now, serviceMs);
    if (now < endMs / 5) continue;
    waited += startMs - now;
    times.push(startMs - now + serviceMs);
    mostInFlight = Math.max(mostInFlight, inFlight);
  }
  times.sort((a, b) => a - b);
  const rank = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0;
  const utilisation = (perMs * meanServiceMs(load)) / load.slots / workers;
  const meanWaitMs = times.length === 0 ? 0 : waited / times.length;
  return { workers, utilisation, p50Ms: rank(0.5), p95Ms: rank(0.95), p99Ms: rank(0.99), meanWaitMs, mostInFlight };
}

/** A worker serves its queue in the order of arrival. */
class Worker {
  /** When each slot becomes free. */
  readonly #freeAt: number[];
  /** When the waiting events start. The times never decrease, because the queue is served in its order. */
  readonly #starts: number[] = [];
  #firstWaiting = 0;

  constructor(slots: number) {
    this.#freeAt = Array.from({ length: slots }, () => 0);
  }

  add(now: number, serviceMs: number): { readonly startMs: number; readonly inFlight: number } {
    let first = 0;
    let busy = 0;
    for (let slot = 0; slot < this.#freeAt.length; slot += 1) {
      if ((this.#freeAt[slot] as number) < (this.#freeAt[first] as number)) first = slot;
      if ((this.#freeAt[slot] as number) > now) busy += 1;
    }
    const startMs = Math.max(now, this.#freeAt[first] as number);
    this.#freeAt[first] = startMs + serviceMs;
    if (startMs > now) this.#starts.push(startMs);
    else busy += 1;
    while ((this.#starts[this.#firstWaiting] ?? Number.POSITIVE_INFINITY) <= now) this.#firstWaiting += 1;
    return { startMs, inFlight: busy + this.#starts.length - this.#firstWaiting };
  }
}

/** The standard deviation of the logarithm of the service time. 1.645 is the 95th percentile of the normal distribution. */
function spreadOf({ serviceMs, serviceP95Ms = serviceMs }: Load): number {
  return Math.log(Math.max(1, serviceP95Ms / serviceMs)) / 1.6449;
}

function nextGap(random: () => number, perMs: number): number {
  return -Math.log(1 - random()) / perMs;
}

/** Mulberry32: numbers from 0 to 1, the same ones for the same seed on every machine. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Box and Muller's method. */
function createNormal(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
