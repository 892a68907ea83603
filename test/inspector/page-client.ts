import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EventDetails, EventRow, Inspector, StreamLine } from '@tenterhook/inspector';
import { type RunningCli, startCli } from '../support/running-cli.js';
import { until } from '../support/until.js';

/** What the page of an inspector asks. */
export class PageClient {
  readonly url: string;
  readonly token: string;

  constructor(privateUrl: string) {
    const [url = '', token = ''] = privateUrl.split('#token=');
    this.url = url;
    this.token = token;
  }

  static of({ privateUrl }: Inspector): PageClient {
    return new PageClient(privateUrl);
  }

  get(path: string): Promise<Response> {
    return fetch(`${this.url.slice(0, -1)}${path}`, { headers: { Authorization: `Bearer ${this.token}` } });
  }

  // biome-ignore lint/suspicious/noExplicitAny: Tests read the fields that they expect.
  async json(path: string): Promise<any> {
    return (await this.get(path)).json();
  }

  details(n: number): Promise<EventDetails> {
    return this.json(`/api/events/${n}`);
  }

  post(path: string, body: unknown): Promise<Response> {
    const origin = this.url.slice(0, -1);
    const headers = { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json', Origin: origin };
    return fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** Follows the stream. */
  async follow(query = ''): Promise<FollowedRows> {
    const response = await this.get(`/api/stream${query}`);
    return new FollowedRows((response.body as ReadableStream<Uint8Array>).getReader());
  }
}

/** The list as a page has it: rows by number, each in its last state. */
export class FollowedRows {
  readonly rows = new Map<number, EventRow>();
  readonly lines: StreamLine[] = [];
  /** Every state of a hook that was seen, such as `guard running`. */
  readonly states = new Set<string>();
  hasEnded = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
    void this.#read();
  }

  /** Rows that came as new although they were known, or did not follow the last one. */
  readonly wrong: number[] = [];

  until(what: string, holds: (followed: FollowedRows) => boolean): Promise<void> {
    return until(what, () => holds(this));
  }

  async end(): Promise<void> {
    await this.#reader.cancel();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for (let read = await this.#reader.read(); !read.done; read = await this.#reader.read()) {
        const texts = (rest + decoder.decode(read.value, { stream: true })).split('\n');
        rest = texts.pop() ?? '';
        for (const text of texts) this.#take(JSON.parse(text));
      }
    } catch {
      // The inspector has ended.
    }
    this.hasEnded = true;
  }

  #take(line: StreamLine): void {
    this.lines.push(line);
    const rows = line.kind === 'rows' ? line.rows : line.kind === 'row-changed' ? [line.row] : [];
    for (const row of rows) {
      if (this.rows.has(row.n) === (line.kind === 'rows')) this.wrong.push(row.n);
      this.rows.set(row.n, row);
      for (const { name, status } of row.hooks) this.states.add(`${name} ${status}`);
    }
  }
}

/** `tenterhook inspect` in a process of its own, with a client that has read its token where a browser would. */
export interface StartedInspect {
  readonly cli: RunningCli;
  readonly file: string;
  /** Reads the file, which is removed when the client has got its token. */
  client(): Promise<PageClient>;
}

export async function startInspect(
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<StartedInspect> {
  const cli = startCli(['inspect', '--no-open', ...args], options);
  const found = () => / Open (file:\S+) in a browser/.exec(cli.stderr())?.[1];
  let hasEnded = false;
  void cli.ended.then(() => {
    hasEnded = true;
  });
  await until('the inspector has said where its page is', () => found() !== undefined || hasEnded);
  const address = found();
  if (address === undefined) throw new Error(`The inspector has ended: ${cli.stderr()}`);
  const file = fileURLToPath(address);
  return { cli, file, client: () => redeem(/url=([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '') };
}

/** Gets the token with the code of an address, as the page does. */
async function redeem(openingUrl: string): Promise<PageClient> {
  const [url = '', code = ''] = openingUrl.split('#code=');
  const answer = await new PageClient(`${url}#token=${code}`).post('/api/session', {});
  const { token } = (await answer.json()) as { token: string };
  return new PageClient(`${url}#token=${token}`);
}
