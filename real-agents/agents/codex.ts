import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { responsesApi } from '../models/responses-api.js';
import { type ModelTurn, ScriptedModel } from '../models/scripted-model.js';
import { type Fields, JsonLines } from './json-lines.js';
import { fileOf, RealAgent } from './real-agent.js';

export const codexPackage = '@openai/codex';

/** Throws if the program cannot be started. */
export function startCodexOnce(): void {
  const { status, stderr, error } = spawnSync(program(), ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(stderr);
}

function program(): string {
  return fileOf('.bin', 'codex');
}

/** A hook of Codex, as its app server lists it. */
export interface ListedHook {
  readonly key: string;
  readonly eventName: string;
  readonly currentHash: string;
  readonly trustStatus: string;
}

/** What Codex reported about a turn. */
export interface CodexTurn {
  /** The runs of its hooks, in order. */
  readonly runs: readonly Fields[];
  /** The first run of the hooks of an event. */
  readonly run: (eventName: string) => Fields | undefined;
  /** What the model read as the results of its calls, in its last request. */
  readonly output: string;
}

/** The app server of Codex, with a model on loopback, and with the entries of the relay in the settings of its user. */
export class Codex extends RealAgent {
  readonly model = new ScriptedModel(responsesApi);
  #server: JsonLines | undefined;
  #requests = 0;
  #variables: Readonly<Record<string, string>> = {};

  constructor() {
    super('codex');
  }

  /** Writes the settings that name the model. Nothing of Codex's own confinement is used: the tools of the cases only print. */
  configure(): void {
    mkdirSync(join(this.home, '.codex'), { recursive: true });
    const lines = [
      'model = "scripted"',
      'model_provider = "scripted"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${this.model.url}/v1"`,
      'wire_api = "responses"',
      'request_max_retries = 0',
      'stream_max_retries = 0',
      'supports_websockets = false',
    ];
    writeFileSync(join(this.home, '.codex/config.toml'), `${lines.join('\n')}\n`);
  }

  /** Asks the app server. Rejects if it answers with an error. */
  async request(method: string, params: object): Promise<Fields> {
    this.#server ??= await this.#start();
    return this.#ask(this.#server, method, params);
  }

  /** The hooks that Codex knows, with their hashes, and whether it runs them. */
  async listHooks(): Promise<readonly ListedHook[]> {
    const { data } = (await this.request('hooks/list', { cwds: [this.project] })) as { data: readonly { hooks: readonly ListedHook[] }[] };
    return data.flatMap(({ hooks }) => hooks);
  }

  /** Ends the app server. The next request starts it again, with the settings of then and with these variables. */
  async restart(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#server?.end();
    this.#server = undefined;
    this.#variables = variables;
  }

  async #start(): Promise<JsonLines> {
    const server = new JsonLines(program(), ['app-server'], { cwd: this.project, env: { ...this.ownEnvironment, ...this.#variables } });
    await this.#ask(server, 'initialize', { clientInfo: { name: 'tenterhook', title: 'tenterhook', version: '0.1.0' } });
    server.send({ method: 'initialized' });
    return server;
  }

  async #ask(server: JsonLines, method: string, params: object): Promise<Fields> {
    this.#requests += 1;
    const id = this.#requests;
    const answered = server.next((message) => message['id'] === id && !('method' in message));
    server.send({ id, method, params });
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as Fields;
  }

  /** Starts a session whose model calls a tool once, and waits for the end of the turn. */
  async turnWithCall(call: ModelTurn, model = 'scripted'): Promise<CodexTurn> {
    this.model.play((request) => (outputsIn(request).length > 0 ? { text: 'done' } : call));
    const { thread } = (await this.request('thread/start', { cwd: this.project, model })) as { readonly thread: { readonly id: string } };
    const server = this.#server as JsonLines;
    const from = server.received.length;
    const ended = server.next(({ method }) => method === 'turn/completed', from);
    await this.request('turn/start', { threadId: thread.id, input: [{ type: 'text', text: 'p' }] });
    await ended;
    const runs = server.received
      .slice(from)
      .flatMap(({ method, params }) => (method === 'hook/completed' ? [(params as { readonly run: Fields }).run] : []));
    return {
      runs,
      run: (eventName) => runs.find((run) => run['eventName'] === eventName),
      output: outputsIn(this.model.requests.at(-1) ?? {}).join('\n'),
    };
  }
}

/** What the model reads as the results of its calls. */
function outputsIn({ input }: Fields): readonly string[] {
  const items = (Array.isArray(input) ? input : []) as readonly Fields[];
  return items.filter(({ type }) => String(type).endsWith('_call_output')).map(({ output }) => JSON.stringify(output));
}
