import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { connect } from '@nats-io/transport-node';
import { NatsServer } from './nats-server.js';
import { until } from './until.js';

interface ClusterInfo {
  readonly leader?: string;
  readonly replicas?: readonly { readonly current: boolean; readonly offline?: boolean }[];
}

/** Servers of one cluster on this machine, each with JetStream. The test that starts it must stop it. */
export class NatsCluster {
  readonly servers: readonly NatsServer[];

  private constructor(servers: readonly NatsServer[]) {
    this.servers = servers;
  }

  static async start(size: number): Promise<NatsCluster> {
    const ports = await freePorts(size);
    const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join(', ');
    const configurationOf = (index: number) =>
      `server_name: n${index}\ncluster { name: c, listen: "127.0.0.1:${ports[index]}", routes: [${routes}] }`;
    return new NatsCluster(await Promise.all(ports.map((_, index) => NatsServer.start(configurationOf(index)))));
  }

  get urls(): string[] {
    return this.servers.map(({ url }) => url);
  }

  /** Waits until the cluster can store a stream on all servers. */
  async ready(): Promise<void> {
    const config = { name: 'probe', subjects: ['probe'], num_replicas: this.servers.length, storage: 'memory' };
    await until('the cluster stores streams', async () => {
      const answer = await this.#call('STREAM.CREATE.probe', config);
      return answer !== undefined && answer['error'] === undefined;
    });
    await this.#call('STREAM.DELETE.probe');
  }

  /** The server that leads a stream. */
  async leaderOf(stream: string): Promise<NatsServer> {
    let leader: string | undefined;
    await until(`the stream ${stream} has a leader`, async () => {
      leader = (await this.#clusterOf(stream))?.leader;
      return leader !== undefined && leader !== '';
    });
    return this.servers[Number(leader?.slice(1))] as NatsServer;
  }

  /** Waits until all servers have everything of a stream. */
  async settled(stream: string): Promise<void> {
    await until(`the stream ${stream} is on all servers`, async () => {
      const info = await this.#clusterOf(stream);
      return info?.replicas?.length === this.servers.length - 1 && info.replicas.every(({ current, offline }) => current && !offline);
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  async #clusterOf(stream: string): Promise<ClusterInfo | undefined> {
    return (await this.#call(`STREAM.INFO.${stream}`))?.['cluster'] as ClusterInfo | undefined;
  }

  async #call(operation: string, body: object = {}): Promise<Record<string, unknown> | undefined> {
    try {
      const connection = await connect({ servers: this.urls, reconnect: false });
      try {
        return (await connection.request(`$JS.API.${operation}`, JSON.stringify(body), { timeout: 3000 })).json();
      } finally {
        await connection.close();
      }
    } catch {
      return undefined;
    }
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
