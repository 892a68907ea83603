import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BusMessage } from '@tenterhook/protocol';

export interface Report {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** Another process on the bus. Its reports are kept until the test reads them. */
export class Peer {
  readonly #child: ChildProcess;
  readonly #reports: Report[] = [];
  #wake: () => void = () => {};

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (report: Report) => {
      this.#reports.push(report);
      this.#wake();
    });
  }

  /** Resolves to the next report of this kind. */
  async next(kind: string): Promise<Report> {
    for (;;) {
      const index = this.#reports.findIndex((each) => each.kind === kind);
      if (index >= 0) return this.#reports.splice(index, 1)[0] as Report;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Returns how many reports of this kind the test has not read yet. */
  count(kind: string): number {
    return this.#reports.filter((each) => each.kind === kind).length;
  }

  /** Resolves when the process has carried out the order. For a request, resolves when it was sent. */
  async order(order: string, options: object = {}): Promise<void> {
    this.#child.send({ order, ...options });
    if (order !== 'request') await this.next('done');
  }

  /** Lets the process answer, and resolves when the whole bus knows its server. */
  async respond(options: { channel: string; name: string; hangs?: boolean; dies?: boolean; route?: string }): Promise<void> {
    await this.order('respond', options);
    await this.order('settle');
  }

  async publish(message: BusMessage): Promise<void> {
    await this.order('publish', { message });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** Ends everything that was started. */
export class Peers {
  readonly #peers: Peer[] = [];

  async start(role: 'hub' | 'client', path: string): Promise<Peer> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/peer.mjs'), role, path], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const peer = new Peer(child);
    this.#peers.push(peer);
    await peer.next('ready');
    return peer;
  }

  async end(): Promise<void> {
    await Promise.all(this.#peers.map((peer) => peer.kill()));
  }
}
