import { type InspectorOptions, requireInspectorOptions } from './inspector-options.js';
import { createApi } from './server/api.js';
import { loadAssets } from './server/assets.js';
import { address, listen } from './server/listen.js';
import { createRoutes } from './server/routes.js';
import { Runner } from './server/run.js';
import { AccessToken } from './server/token.js';
import { LiveSource } from './source/live-source.js';
import { RecordingSource } from './source/recording-source.js';
import { ShownSource } from './source/shown-source.js';
import type { Source } from './source/source.js';
import { TaskRunner } from './threads/task-runner.js';

/** An inspector that runs. */
export interface Inspector {
  /** `http://127.0.0.1:PORT/`, without the token. */
  readonly url: string;
  /** The address with the token in its fragment. It gives access to everything, so do not log it and do not pass it to a program. */
  readonly privateUrl: string;
  /**
   * Returns an address for a browser. Its fragment has a code instead of the token. The page gets the token with the code, once, so the history of
   * the browser has nothing of worth. Each call returns another address.
   */
  createOpeningUrl(): string;
  readonly port: number;
  /** Resolves when a page has used the token for the first time. Never rejects. */
  readonly used: Promise<void>;
  /** Ends all connections, stops the event that is run and its hooks, and removes what was recorded for the inspector. Idempotent. */
  close(): Promise<void>;
  /** Calls `close()` at the end of a scope. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the inspector: a server for a page in the browser of the same machine. Rejects with a RecordingError if a recording cannot be read,
 * with a SocketTransportError if the agent cannot be reached, with the code `port_in_use` if the port is taken, and with a TypeError for
 * invalid options.
 */
export async function startInspector(options: InspectorOptions): Promise<Inspector> {
  const {
    recordings = [],
    agent,
    port = 0,
    mask = true,
    maxEvents,
    findAgents = async () => [],
    findAgent,
    findAgain,
    onAttached = () => {},
    askFiles,
    runFiles,
    now,
  } = requireInspectorOptions(options);
  const assets = loadAssets();
  const sourceOptions = { isMasked: mask, maxEvents };
  const source: Source =
    agent === undefined
      ? await RecordingSource.open(recordings, sourceOptions)
      : await LiveSource.open(agent, { ...sourceOptions, findAgain });
  const shown = new ShownSource(source);
  const attach = async (find: NonNullable<InspectorOptions['findAgent']>, pid: number) => {
    const found = await find(pid);
    if (found === undefined) return false;
    await shown.replace(({ index }) => {
      const begin = { number: index.next, revision: index.revision };
      return LiveSource.open(found, { ...sourceOptions, findAgain, begin });
    });
    onAttached(found);
    return true;
  };
  const runner = runFiles && new Runner(runFiles);
  const tasks = new TaskRunner();
  const token = new AccessToken(now);
  let wasUsed = () => {};
  const used = new Promise<void>((resolve) => {
    wasUsed = resolve;
  });
  try {
    const api = createApi({
      token: token.text,
      shown,
      tasks,
      findAgents,
      files: askFiles,
      attach: findAgent === undefined ? undefined : (pid) => attach(findAgent, pid),
      runner,
    });
    const listening = await listen(port, createRoutes({ assets, api, token, port: () => listening.port, onUse: () => wasUsed() }));
    const url = `http://${address}:${listening.port}/`;
    const close = async () => {
      await Promise.all([listening.close(), runner?.close(), tasks.close()]);
      await shown.close();
    };
    let closing: Promise<void> | undefined;
    const closeOnce = () => {
      closing ??= close();
      return closing;
    };
    return {
      url,
      privateUrl: `${url}#token=${token.text}`,
      createOpeningUrl: () => `${url}#code=${token.issueCode()}`,
      port: listening.port,
      used,
      close: closeOnce,
      [Symbol.asyncDispose]: closeOnce,
    };
  } catch (error) {
    await shown.close();
    throw error;
  }
}
