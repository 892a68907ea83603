import { spawnSync } from 'node:child_process';
import { closeSync, constants, createReadStream, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { MessageBus } from '@tenterhook/bus';
import { connectToNats, type NatsTransport } from '@tenterhook/transport-nats';
import { NatsCluster } from '../../support/nats-cluster.js';
import { connectMs, testWithNats } from '../../support/nats-server.js';
import { type RunningCli, startCli } from '../../support/running-cli.js';
import { root } from '../../support/sources.js';
import { until } from '../../support/until.js';
import { channel, serving, writeProject } from './serve-scene.js';

jest.setTimeout(1_500_000);

/** 5000 is the whole test, which takes some ten minutes and keeps all processors busy. */
const requests = Number(process.env['TENTERHOOK_CLUSTER_REQUESTS'] ?? 400);
const atOnce = 40;
const stream = 'tenterhook-default-requests';

/** A hook that leaves a line for each run in a FIFO: a limit of file sizes does not apply there. It denies. */
const hookText = (fifo: string) => `
import { openSync, writeSync } from 'node:fs';
import { answerEvents } from ${JSON.stringify(join(root, 'packages/tenterhook/adapters/resident.mjs'))};
const runs = openSync(${JSON.stringify(fifo)}, 'a');
await answerEvents(({ tool_input: { id } }) => {
  writeSync(runs, id + '\\n');
  return { exitCode: 2, stderr: 'no' };
});
`;

/** Three servers, three workers and an agent, and what becomes of its requests. */
class Scene {
  readonly #directory = mkdtempSync(join(tmpdir(), 'th-cluster-'));
  readonly #args: readonly string[];
  readonly cluster: NatsCluster;
  readonly workers: RunningCli[] = [];
  /** How often the hook has run for each request. */
  readonly runs = new Map<string, number>();
  readonly #fifo: number;

  constructor(cluster: NatsCluster, args: readonly string[]) {
    this.cluster = cluster;
    this.#args = args;
    const path = join(this.#directory, 'runs');
    expect(spawnSync('mkfifo', [path]).status).toBe(0);
    this.#fifo = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    createInterface({ input: createReadStream('', { fd: openSync(path, constants.O_RDWR), autoClose: true }) }).on('line', (id) => {
      this.runs.set(id, (this.runs.get(id) ?? 0) + 1);
    });
    const hook = join(this.#directory, 'hook.mjs');
    writeFileSync(hook, hookText(path));
    writeProject(this.#directory, `node ${hook}`, { mode: 'resident' });
  }

  async startWorker(): Promise<RunningCli> {
    const worker = startCli(['serve', '--nats', this.cluster.urls.join(','), ...this.#args], { cwd: this.#directory });
    this.workers.push(worker);
    await serving(worker);
    return worker;
  }

  async end(): Promise<void> {
    for (const worker of this.workers) {
      worker.kill('SIGCONT');
      worker.kill('SIGKILL');
    }
    await Promise.all(this.workers.map(({ ended }) => ended));
    await this.cluster.stop();
    closeSync(this.#fifo);
    rmSync(this.#directory, { recursive: true });
  }
}

/** What is done to the cluster and its workers, after so many answers of a thousand. */
function disturbances(scene: Scene, isKept: boolean): readonly (readonly [after: number, what: string, run: () => Promise<unknown>])[] {
  const { cluster, workers } = scene;
  const restart = async (index: number) => {
    const server = cluster.servers[index];
    await server?.kill();
    await server?.restart();
    if (isKept) await cluster.settled(stream);
  };
  return [
    [
      100,
      'a worker is killed, and another one started',
      async () => {
        workers[0]?.kill('SIGKILL');
        await scene.startWorker();
      },
    ],
    [
      250,
      'the leader stops, and starts later',
      async () => {
        const leader = isKept ? await cluster.leaderOf(stream) : cluster.servers[0];
        await leader?.kill();
        await pause(2000);
        await leader?.restart();
        if (isKept) await cluster.settled(stream);
      },
    ],
    [
      450,
      'the servers restart, one after another',
      async () => {
        for (const index of [0, 1, 2]) await restart(index);
      },
    ],
    [
      650,
      'a worker is stopped for 10 s',
      async () => {
        workers[1]?.kill('SIGSTOP');
        await pause(10_000);
        workers[1]?.kill('SIGCONT');
      },
    ],
    [
      800,
      'the disk of a worker is full for a while',
      async () => {
        const limit = (size: string) => expect(spawnSync('prlimit', [`--fsize=${size}:`, '--pid', String(workers[2]?.pid)]).status).toBe(0);
        limit('0');
        await pause(3000);
        limit('unlimited');
      },
    ],
  ];
}

async function run(isKept: boolean) {
  const cluster = await NatsCluster.start(3);
  const scene = new Scene(cluster, isKept ? ['--at-least-once', '--ack-wait', '2000', '--queue-replicas', '3'] : []);
  try {
    await cluster.ready();
    const atLeastOnce = isKept ? { ackWaitMs: 2000, replicas: 3 } : false;
    const transport: NatsTransport = await connectToNats({ servers: cluster.urls, atLeastOnce, timeoutMs: connectMs });
    const agent = new MessageBus({ transport });
    for (const _ of [1, 2, 3]) await scene.startWorker();

    let connected = Promise.resolve();
    let restore = () => {};
    agent.onConnectionChange((state) => {
      restore();
      if (state === 'lost') {
        connected = new Promise((resolve) => {
          restore = resolve;
        });
      }
    });
    const responses = new Map<string, number>();
    agent.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => {
      responses.set(payload.correlationId, (responses.get(payload.correlationId) ?? 0) + 1);
    });

    const results: string[] = [];
    const answered: string[] = [];
    const unanswered: string[] = [];
    const otherReasons = new Set<string>();
    let [asked, deliveredAgain] = [0, 0];
    const askInTurn = async () => {
      while (asked < requests) {
        await connected;
        if (asked >= requests) return;
        asked += 1;
        const id = `r${asked}`;
        const input = { tool_name: 'deploy', tool_input: { id } };
        const response = await agent.request(
          channel,
          { correlationId: id, eventName: 'BeforeTool', input: input as never },
          { timeoutMs: 60_000 },
        );
        const { success, output, error, deliveries = 1 } = response;
        if (deliveries > 1) deliveredAgain += 1;
        const failure = output?.outcomes.find(({ status }) => status === 'failed' || status === 'timed-out')?.warnings[0]?.code;
        // A shell that cannot work denies, too, and then the hook has not run.
        const isDenied = output?.verdict.kind === 'deny' && output.verdict.reason === 'no';
        results.push(error?.code ?? failure ?? (isDenied ? 'deny' : `other_${output?.verdict.kind}`));
        if (output?.verdict.kind === 'deny' && !isDenied) otherReasons.add(output.verdict.reason ?? '');
        if (isDenied) answered.push(id);
        else if (!success) unanswered.push(id);
      }
    };
    const disturb = async () => {
      for (const [after, what, start] of disturbances(scene, isKept)) {
        await waitFor(() => results.length >= (requests * after) / 1000);
        console.log(`${results.length} answers: ${what}`);
        await start();
      }
    };
    await Promise.all([disturb(), ...Array.from({ length: atOnce }, askInTurn)]);

    const counts: Record<string, number> = {};
    for (const result of results) counts[result] = (counts[result] ?? 0) + 1;
    const repeatedRuns = [...scene.runs.values()].reduce((sum, count) => sum + count - 1, 0);
    console.log(isKept ? 'at least once' : 'at most once', {
      requests,
      ...counts,
      deliveredAgain,
      repeatedRuns,
      ...transport.deliveryCounts,
      missing: answered.filter((id) => !scene.runs.has(id)).length,
      otherReasons: [...otherReasons].slice(0, 3),
    });

    await until('every answered request has run', () => answered.every((id) => scene.runs.has(id)));
    expect(results).toHaveLength(requests);
    expect([...responses.values()].filter((count) => count !== 1)).toEqual([]);
    // A request that ends because the connection is lost has no response message: other processes may have seen the real one.
    expect(responses.size).toBeLessThanOrEqual(requests);
    for (const name of Object.keys(counts)) expect(name).toMatch(/^[a-z][a-z_-]+$/);
    expect(answered.length).toBeGreaterThan(requests / 4);
    await agent.close();
    await transport.close();
    return { runs: scene.runs, unanswered, repeatedRuns };
  } finally {
    await scene.end();
  }
}

/** Polls without an end, because the load decides how long it takes. The test has a timeout. */
async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(20);
}

testWithNats('three workers and three servers: each request is answered once, and runs at most once', async () => {
  const { repeatedRuns } = await run(false);
  expect(repeatedRuns).toBe(0);
});

testWithNats('with requests that a stream keeps, each answered request has run, and repetitions are counted', async () => {
  const { runs, unanswered } = await run(true);
  expect(unanswered.every((id) => (runs.get(id) ?? 0) < 10)).toBe(true);
});
