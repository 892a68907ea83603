import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Fields } from '../agents/json-lines.js';

/** What the model answers: a text, or a call of a tool. */
export type ModelTurn = { readonly text: string } | { readonly tool: string; readonly input: Fields };

/** Decides what the model answers to a request. */
export type Script = (request: Fields) => ModelTurn;

/** How an API writes an answer of the model. */
export interface ModelApi {
  /** The end of the path of requests to the model. */
  readonly path: string;
  /** The events of an answer, which are streamed. */
  readonly events: (turn: ModelTurn, id: string) => readonly Fields[];
}

/** A model on loopback that says what a script decides, and remembers what it was asked. */
export class ScriptedModel {
  /** The bodies of the requests to the model, in order. */
  readonly requests: Fields[] = [];
  #script: Script = () => ({ text: 'done' });
  readonly #api: ModelApi;
  readonly #server: Server;

  constructor(api: ModelApi) {
    this.#api = api;
    this.#server = createServer(async (request, response) => {
      if (request.method !== 'POST' || !pathOf(request).endsWith(api.path)) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not found"}}');
        return;
      }
      const body = (await json(request)) as Fields;
      this.requests.push(body);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of this.#api.events(this.#script(body), `call-${this.requests.length}`)) {
        response.write(`event: ${event['type']}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forgets what was asked, and answers by another script. */
  play(script: Script): void {
    this.requests.length = 0;
    this.#script = script;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function pathOf(request: IncomingMessage): string {
  return new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
}
