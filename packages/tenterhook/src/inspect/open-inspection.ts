import { rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import { omitUndefined } from '@tenterhook/runtime/json';
import { describeThrown } from '@tenterhook/runtime/text';
import type { SocketTransport } from '@tenterhook/transport-socket';
import { answerQuery, type QueriedService } from './answer-query.js';
import { type InspectOptions, inspectVariable, isRequested, requestTag } from './inspect-options.js';

/** A system that other processes can attach to. */
export interface Inspection {
  /** The bus of the system. Other processes see it at the socket. */
  readonly bus: MessageBus;
  /** Whether progress messages contain what hooks read. */
  readonly tellsInput: boolean;
  /** Answers queries about the service from now on. */
  answer(service: QueriedService): void;
  /** Removes the entry, and closes the bus and its socket if this object has created them. */
  close(): Promise<void>;
}

interface Place {
  readonly bus: MessageBus | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly projectDir: string;
  readonly currentDir: string;
}

/**
 * Lets other processes of the user attach, if the option or the environment variable allows it. With the option, an error rejects: a
 * TypeError, or a SocketTransportError. The variable is set by users, so with it an error is one line on stderr.
 */
export async function openInspection(inspect: boolean | InspectOptions | undefined, place: Place): Promise<Inspection | undefined> {
  if (inspect === false) return undefined;
  if (inspect !== undefined) return open(inspect === true ? {} : inspect, place);
  if (!isRequested(place.env)) return undefined;
  try {
    return await open({}, place);
  } catch (error) {
    const reason = describeThrown(error).replaceAll('\n', ' ');
    process.stderr.write(`tenterhook: ${inspectVariable}: nothing can attach to process ${process.pid}: ${reason}\n`);
    return undefined;
  }
}

async function open(
  { name, socket, stdin = false }: InspectOptions,
  { bus: given, env, projectDir, currentDir }: Place,
): Promise<Inspection> {
  if ((given === undefined) !== (socket === undefined)) {
    const remedy =
      given === undefined
        ? 'Remove "inspect.socket": createHooks creates a hub of its own. To use your hub, pass its bus as "bus".'
        : 'Pass the path of the hub that carries it: inspect: { socket: path }.';
    throw new TypeError(`createHooks: "inspect" needs both "bus" and "inspect.socket", or neither of them. ${remedy}`);
  }
  // Imported here, because most agents cannot be attached to.
  const [{ openDirectory, releaseName, takeName, writeEntry }, { listenOnSocket }, { atExit }, { version }] = await Promise.all([
    import('./agent-entries.js'),
    import('@tenterhook/transport-socket'),
    import('@tenterhook/spawner'),
    import('../cli/version.js'),
  ]);
  const directory = openDirectory(env);
  const own = takeName();
  const path = socket === undefined ? socketPath(directory, own) : resolve(currentDir, socket);
  let hub: SocketTransport | undefined;
  let remove = () => releaseName(own);
  try {
    if (given === undefined) hub = await listenOnSocket({ path });
    const removeFile = writeEntry(directory, own, {
      pid: process.pid,
      startedAt: new Date().toISOString(),
      name: name ?? basename(process.argv[1] ?? process.execPath),
      cwd: projectDir,
      socket: path,
      version,
      ...omitUndefined({ tag: requestTag(env) }),
    });
    remove = () => {
      removeFile();
      // The hub removes its socket when it is closed, but not after a signal.
      if (hub !== undefined && process.platform !== 'win32') rmSync(path, { force: true });
      releaseName(own);
    };
  } catch (error) {
    remove();
    await hub?.close();
    throw error;
  }
  const bus = given ?? new MessageBus({ transport: hub as SocketTransport });
  // A signal ends the process without dispose().
  const forget = atExit(remove);
  let stop = () => {};
  return {
    bus,
    tellsInput: stdin,
    answer: (service) => {
      stop = bus.respond('HOOK_SERVICE_QUERY', (payload) => answerQuery(payload, service));
    },
    close: async () => {
      stop();
      forget();
      remove();
      if (hub === undefined) return;
      await bus.close();
      await hub.close();
    },
  };
}

function socketPath(directory: string, name: string): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\tenterhook-${name}` : join(directory, `${name}.sock`);
}
