import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { programFile } from './program.js';

/** A message of the browser that is not an answer, with its method and its parameters. */
interface BrowserEvent {
  readonly sessionId?: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What Chromium did with a file that it opened. */
export interface OpenedPage {
  /** The addresses that were requested, the file itself included. */
  readonly requests: readonly string[];
  /** Messages on the console, errors, and reported issues such as a violation of the Content Security Policy. */
  readonly complaints: readonly string[];
  /** Evaluates an expression in the page, and resolves to its value. */
  evaluate<Value>(expression: string): Promise<Value>;
}

const options = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-pipe',
];

/** A headless Chromium. */
export class Chromium {
  readonly #profile = mkdtempSync(join(tmpdir(), 'tenterhook-chromium-'));
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #debugging: DebuggingPipe;

  constructor() {
    const profile = this.#profile;
    this.#process = spawn(programFile('chromium') as string, [...options, `--user-data-dir=${profile}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // A group of its own, because Chromium starts processes that outlive it for a moment.
      detached: true,
      // Its other files, such as those of crashes, are also in the directory that is removed.
      env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
    });
    this.#ended = new Promise<void>((resolve) => this.#process.once('close', () => resolve()));
    this.#debugging = new DebuggingPipe(this.#process.stdio[3] as Writable, this.#process.stdio[4] as Readable);
  }

  /** Opens a file in a page of its own. Resolves when the page was drawn. */
  async open(file: string): Promise<OpenedPage> {
    const debugging = this.#debugging;
    const { targetId } = await debugging.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await debugging.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    const send = <Result>(method: string, params: object = {}) => debugging.send<Result>(method, params, sessionId);
    for (const domain of ['Page', 'Network', 'Log', 'Runtime', 'Audits']) await send(`${domain}.enable`);
    const loaded = debugging.next('Page.loadEventFired', sessionId);
    await send('Page.navigate', { url: `file://${file}` });
    await loaded;
    const evaluate = async <Value>(expression: string) => {
      const { result, exceptionDetails } = await send<{ result: { value: Value }; exceptionDetails?: object }>('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      return result.value;
    };
    // What the page requests and reports has begun when it was drawn.
    await evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    const events = debugging.events.filter((event) => event.sessionId === sessionId);
    return {
      requests: events.filter(({ method }) => method === 'Network.requestWillBeSent').map(({ params }) => addressOf(params)),
      complaints: events.filter(({ method }) => complaining.includes(method)).map(({ params }) => JSON.stringify(params)),
      evaluate,
    };
  }

  async stop(): Promise<void> {
    if (this.#process.pid !== undefined) process.kill(-this.#process.pid, 'SIGKILL');
    await this.#ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

const complaining: readonly string[] = ['Log.entryAdded', 'Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Audits.issueAdded'];

function addressOf(params: BrowserEvent['params']): string {
  return (params['request'] as { readonly url: string }).url;
}

/** The protocol of the browser's developer tools over two pipes: JSON texts, each with a zero byte at its end. */
class DebuggingPipe {
  readonly events: BrowserEvent[] = [];
  readonly #to: Writable;
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  readonly #expected = new Map<string, () => void>();
  #rest = '';
  #sent = 0;

  constructor(to: Writable, from: Readable) {
    this.#to = to;
    to.on('error', () => {});
    from.setEncoding('utf8');
    from.on('data', (text: string) => this.#receive(text));
    from.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Chromium has ended.'));
    });
  }

  send<Result>(method: string, params: object, sessionId?: string): Promise<Result> {
    this.#sent += 1;
    const id = this.#sent;
    this.#to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
    });
  }

  next(method: string, sessionId: string): Promise<void> {
    return new Promise((resolve) => this.#expected.set(`${sessionId} ${method}`, resolve));
  }

  #receive(text: string): void {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop() as string;
    for (const message of messages) this.#read(JSON.parse(message));
  }

  #read(message: BrowserEvent & { readonly id?: number; readonly result?: unknown; readonly error?: { readonly message: string } }): void {
    if (message.id === undefined) {
      this.events.push(message);
      this.#expected.get(`${message.sessionId} ${message.method}`)?.();
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error === undefined) waiting?.resolve(message.result);
    else waiting?.reject(new Error(message.error.message));
  }
}
