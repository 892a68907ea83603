import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInspector } from '@tenterhook/inspector';
import { until } from '../support/until.js';
import { startBusyAgent } from './busy-agent.js';
import { PageClient } from './page-client.js';

const rounds = 5;
const plan = { total: 500, perSecond: 500 };
const connections = 1_000;

/** A flood of one inspector: connections that send their headers slowly, and bodies of 2 MiB. */
class Flood {
  readonly #sockets: Socket[] = [];
  readonly #drip: NodeJS.Timeout;
  readonly #page: PageClient;
  #isOver = false;
  readonly statuses: number[] = [];
  readonly #bodies: Promise<void>;

  constructor(page: PageClient) {
    this.#page = page;
    const port = Number(new URL(page.url).port);
    for (let index = 0; index < connections; index += 1) {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => {});
      socket.write('GET / HTTP/1.1\r\nHost: ');
      this.#sockets.push(socket);
    }
    // A byte now and then keeps a connection from being idle.
    this.#drip = setInterval(() => {
      for (const socket of this.#sockets) if (!socket.destroyed) socket.write('x');
    }, 100);
    this.#bodies = this.#sendBodies();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#drip);
    for (const socket of this.#sockets) socket.destroy();
    await this.#bodies;
  }

  async #sendBodies(): Promise<void> {
    const body = { eventName: 'BeforeTool', input: { text: 'x'.repeat(2 * 1024 * 1024) } };
    while (!this.#isOver) {
      const answer = await this.#page.post('/api/explain', body).catch(() => undefined);
      if (answer !== undefined) this.statuses.push(answer.status);
    }
  }
}

const medianOf = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] as number;

test('16. an agent answers as many events while its inspector is flooded as before, and all are shown', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flood-'));
  const socket = join(directory, 'bus');
  const agent = await startBusyAgent(socket);
  const inspector = await startInspector({ agent: { socket } });
  try {
    const page = PageClient.of(inspector);
    const followed = await page.follow();
    const medians = { calm: [] as number[], flooded: [] as number[] };
    const counts: number[] = [];
    // One after the other, so that what else the machine does affects both.
    for (let round = 0; round < rounds; round += 1) {
      const calm = await agent.fire(plan);
      const flood = new Flood(page);
      const flooded = await agent.fire(plan);
      await flood.end();
      expect(flood.statuses.filter((status) => status !== 413)).toEqual([]);
      counts.push(calm.answered, flooded.answered);
      medians.calm.push(calm.medianMs);
      medians.flooded.push(flooded.medianMs);
    }
    expect(counts).toEqual(Array.from({ length: 2 * rounds }, () => plan.total));
    const total = 2 * rounds * plan.total;
    // The stream is one of the connections that the flood competes with. It was open before, and stays.
    await until('all events are shown', () => [...followed.rows.values()].filter(({ state }) => state === 'answered').length === total);
    const problems = followed.lines.filter((line) => line.kind === 'gap' || (line.kind === 'stats' && line.dropped > 0));
    expect([problems, followed.hasEnded]).toEqual([[], false]);
    const [calm, flooded] = [medianOf(medians.calm), medianOf(medians.flooded)];
    process.stdout.write(`Milliseconds of an event: ${calm.toFixed(2)} before, ${flooded.toFixed(2)} while the inspector is flooded.\n`);
  } finally {
    await inspector.close();
    await agent.end();
    rmSync(directory, { recursive: true, force: true });
  }
}, 300_000);
