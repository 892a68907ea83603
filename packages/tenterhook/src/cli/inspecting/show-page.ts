import { pathToFileURL } from 'node:url';
import type { AgentAddress, Inspector, OpenedPage } from '@tenterhook/inspector';
import { TenterhookError } from '@tenterhook/protocol';
import { SocketTransportError } from '@tenterhook/transport-socket';
import type { FoundEntry } from '../../inspect/agent-entries.js';
import { type CommandContext, printError } from '../context.js';
import { CommandError, ExitStatus, UsageError } from '../errors/exit-status.js';
import { aborted, onInterrupt } from '../interrupt.js';
import { findAgents } from '../recordings/find-agent.js';
import { askFiles } from './ask-files.js';
import { findBrowser } from './open-browser.js';
import { runFiles } from './run-files.js';

/** The flags of `tenterhook inspect` about the page. */
export interface PageFlags {
  readonly port?: string;
  /** False with `--no-open`. */
  readonly open?: boolean;
  readonly unmasked?: boolean;
  /** The page may run hooks. */
  readonly allowRun?: boolean;
}

/** More than the time between a loss and the first look, and between two looks. */
const betweenLooksMs = 1500;

/** What the page shows. */
export interface Shown {
  readonly recordings?: readonly string[];
  readonly agent?: AgentAddress | FoundEntry;
  /** The project whose settings files are asked where the agent cannot be, and run. @default the current directory */
  readonly projectDir?: string;
}

/** A page that is being shown. */
export interface OpenInspector {
  readonly inspector: Inspector;
  close(): Promise<void>;
}

export function portOf({ port }: PageFlags): number | undefined {
  if (port === undefined) return undefined;
  const number = /^[1-9]\d{0,4}$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535) throw new UsageError(`--port must be a number from 1 to 65535, and is ${JSON.stringify(port)}.`);
  return number;
}

/** Shows a page until a signal, such as Ctrl-C. Resolves to the exit status. */
export async function showPage(shown: Shown, flags: PageFlags, context: CommandContext): Promise<number> {
  const interruption = onInterrupt();
  try {
    // A large recording takes seconds to read, and an agent that was stopped does not answer. The handlers of `exit` remove what was made.
    const opened = await Promise.race([openInspector(shown, flags, context), aborted(interruption.signal)]);
    if (opened === undefined) process.exit(interruption.status);
    const { close } = opened;
    printError(context, 'note: Ctrl-C ends the inspector. An agent goes on.');
    await aborted(interruption.signal);
    await close();
    return ExitStatus.ok;
  } finally {
    interruption.forget();
  }
}

/** Starts the server and the browser. The package is loaded here, so that other commands load nothing of it. */
export async function openInspector(
  { recordings, agent, projectDir }: Shown,
  flags: PageFlags,
  context: CommandContext,
): Promise<OpenInspector> {
  const { openPage, startInspector } = await import('@tenterhook/inspector');
  let inspector: Inspector;
  let attached = agent;
  /** The agent that the page has asked for, until its source is open. */
  let wantedAgent: FoundEntry | undefined;
  const search = new RestartSearch();
  // Those that run now are other agents, also if they have just begun.
  const others = new Set(agent === undefined ? [] : (await findAgents(context, { isRepeated: true })).map(({ socket }) => socket));
  /** A new process of the agent has another pid and another socket, and the name and the project of the old one. */
  const findAgain = async () => {
    if (attached === undefined || !('cwd' in attached)) return undefined;
    const { name, cwd, tag } = attached;
    const since = search.look();
    const next = (await findAgents(context, { isRepeated: true })).find(
      (other) =>
        !others.has(other.socket) && other.name === name && other.cwd === cwd && other.tag === tag && Date.parse(other.startedAt) >= since,
    );
    if (next === undefined) return undefined;
    others.add(next.socket);
    attached = next;
    return addressOf(next);
  };
  /** Another agent that the page shows has a project of its own. */
  const shownProject = () => (attached !== undefined && 'cwd' in attached ? attached.cwd : projectDir);
  try {
    inspector = await startInspector({
      recordings,
      ...(agent === undefined ? {} : { agent: addressOf(agent) }),
      findAgain,
      findAgent: async (wanted) => {
        const found = (await findAgents(context, { isRepeated: true })).filter(({ pid }) => pid === wanted);
        const [first, ...others] = found;
        if (others.length > 0) {
          throw new TenterhookError(
            'several_systems',
            `Process ${wanted} has several hook systems. Pass the socket of one to tenterhook inspect --socket: ${found.map(({ socket }) => socket).join(', ')}.`,
          );
        }
        wantedAgent = first;
        return first && addressOf(first);
      },
      onAttached: ({ socket }) => {
        if (wantedAgent?.socket === socket) attached = wantedAgent;
      },
      port: portOf(flags),
      mask: flags.unmasked !== true,
      findAgents: async () =>
        (await findAgents(context, { isRepeated: true })).map(({ pid, name, cwd, startedAt, version, socket }) => {
          return { pid, name, cwd, startedAt, version, isAttached: socket === attached?.socket };
        }),
      askFiles: askFiles(shownProject, context),
      ...(flags.allowRun === true ? { runFiles: runFiles(shownProject, context) } : {}),
    });
  } catch (error) {
    throw toCommandError(error);
  }
  const browser = flags.open === false ? undefined : findBrowser(context);
  let page: OpenedPage;
  try {
    page = openPage(inspector.createOpeningUrl(), {
      used: inspector.used,
      start: (path) => browser?.(path),
      // Without a browser, a person opens the file, and needs more time than a program.
      ...(browser === undefined ? { keptMs: 2 ** 31 - 1 } : {}),
    });
  } catch (error) {
    await inspector.close();
    throw toCommandError(error);
  }
  const { close } = page;
  // Not a path: paths in messages are shown relative to the current directory, and a browser does not know that.
  const file = pathToFileURL(page.file).href;
  printError(
    context,
    browser === undefined
      ? `note: the inspector is at ${inspector.url}. Open ${file} in a browser. The file gives access to the page once, and is removed when it was used.`
      : `note: the inspector is at ${inspector.url}. The browser is opened with ${file}, which gives access to the page once and is soon removed.`,
  );
  return {
    inspector,
    close: async () => {
      close();
      await inspector.close();
    },
  };
}

/** Errors of the surroundings, such as a port that is taken, have a message for users. All others are bugs. */
function toCommandError(error: unknown): unknown {
  const isExpected =
    error instanceof SocketTransportError ||
    (error instanceof TenterhookError && ['port_in_use', 'no_directory'].includes(error.code as string));
  return isExpected ? new CommandError({ code: 'invalid_request', message: error.message }) : error;
}

/**
 * Knows since when a lost agent is looked for. An agent of the same project that ran before is another one, and must not be shown in its place.
 */
class RestartSearch {
  #since = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Called at each look. Returns the time after which the process has begun, in milliseconds since 1970. */
  look(): number {
    const now = Date.now();
    // The inspector looks once a second, from the loss on. A longer pause means that another loss came.
    if (now - this.#lookedAt > betweenLooksMs * 5) this.#since = now - betweenLooksMs;
    this.#lookedAt = now;
    return this.#since;
  }
}

function addressOf({ socket, name, pid, version }: AgentAddress): AgentAddress {
  return { socket, name, pid, version };
}
