import type { Socket } from 'node:net';

/**
 * The first message of a process. A watcher is a second process beside a paused hook. It watches the rig, because a paused hook
 * cannot notice that the rig has ended.
 */
export type Hello = HookHello | { readonly kind: 'watcher'; readonly token: string };

export interface HookHello {
  readonly kind: 'hook';
  readonly pid: number;
  readonly ppid: number;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly label?: string;
  /** The token in the command that started this fork. */
  readonly token?: string;
}

/** A command to a hook. Bytes are sent as base64. */
export type Command =
  | { readonly do: 'write'; readonly stream: string; readonly data: string }
  | { readonly do: 'flood'; readonly stream: string; readonly bytes: number; readonly chunkBytes: number }
  | { readonly do: 'close'; readonly stream: string }
  | { readonly do: 'readStdin' | 'reopenStdin' }
  | { readonly do: 'ignoreSignals'; readonly signals: readonly string[] }
  | { readonly do: 'chdir'; readonly path: string }
  | {
      readonly do: 'fork';
      readonly token: string;
      readonly detached: boolean;
      readonly stdio: string;
      readonly label?: string;
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly do: 'watch'; readonly token: string }
  | { readonly do: 'exit'; readonly code: number }
  | { readonly do: 'kill'; readonly signal: string };

/** Messages of a hook after its hello. */
export type Report =
  | { readonly kind: 'piece'; readonly id: number; readonly data: string }
  | { readonly kind: 'done'; readonly id: number; readonly error?: { readonly code: string; readonly message: string } }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'fork-ended'; readonly token: string };

export function readHello(value: unknown): Hello | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, pid, ppid, argv, env, cwd, label, token } = value;
  if (kind === 'watcher') return typeof token === 'string' ? { kind, token } : undefined;
  // The rig kills processes by this id. Killing process 1 (the first process of the system) or 0 (our own process group) must be
  // impossible.
  if (kind !== 'hook' || !isCount(pid) || pid < 2 || !isCount(ppid) || typeof cwd !== 'string') return undefined;
  if (!Array.isArray(argv) || !argv.every((argument) => typeof argument === 'string')) return undefined;
  if (!isRecord(env) || !Object.values(env).every((text) => typeof text === 'string')) return undefined;
  if (!isOptionalText(label) || !isOptionalText(token)) return undefined;
  return {
    kind,
    pid,
    ppid,
    argv,
    env: env as Record<string, string>,
    cwd,
    ...(label === undefined ? {} : { label }),
    ...(token === undefined ? {} : { token }),
  };
}

export function readReport(value: unknown): Report | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, id, data, signal, token, error } = value;
  if (kind === 'signal' && typeof signal === 'string') return { kind, signal };
  if (kind === 'fork-ended' && typeof token === 'string') return { kind, token };
  if (kind === 'piece' && isCount(id) && typeof data === 'string') return { kind, id, data };
  if (kind !== 'done' || !isCount(id)) return undefined;
  if (error === undefined) return { kind, id };
  if (!isRecord(error) || typeof error['code'] !== 'string' || typeof error['message'] !== 'string') return undefined;
  return { kind, id, error: { code: error['code'], message: error['message'] } };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/** The maximum number of characters. The environment and the arguments of any process are shorter. */
const maxLineLength = 16 * 1024 * 1024;

/**
 * Passes each line to `read` as a JSON value, or as undefined if it is not JSON. If `read` returns false, the sender is not a hook,
 * and the connection is closed.
 *
 * Messages are lines, because hooks and watchers are scripts without dependencies. node:readline was rejected: it also splits at
 * U+2028, which JSON does not escape and an environment may contain.
 */
export function readJsonLines(socket: Socket, read: (value: unknown) => boolean): void {
  let rest = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    const lines = piece.split('\n');
    // Only the new text is split. Splitting `rest` too would search a long line again for each chunk.
    lines[0] = rest + lines[0];
    rest = lines.pop() as string;
    if (rest.length > maxLineLength || !lines.every((line) => read(parse(line)))) socket.destroy();
  });
}

export function writeJsonLine(socket: Socket, value: object): void {
  // After the end of the socket nothing can be sent. Callers that wait for an answer are notified by its 'close' event.
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
