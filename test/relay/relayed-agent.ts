import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { HookEventName } from '@tenterhook/protocol';
import { installClient } from '../../packages/tenterhook/src/cli/commands/relay/client.js';
import { noOtherHome } from '../support/environment.js';
import { freshDirectory } from '../support/fire-hooks.js';
import { bin, type CliRun, runCli, spawnCli } from '../support/run-cli.js';

type Variables = Readonly<Record<string, string>>;

/** A guard: its format, and its settings. */
export interface TestGuard {
  readonly dialect: string;
  readonly settings: object;
}

export interface RelayRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The JSON in the last line on stdout, or undefined if stdout is empty. */
  readonly answer: unknown;
  /** What the guards read on stdin, in order. */
  readonly seen: readonly Readonly<Record<string, unknown>>[];
}

/** A client that runs. */
export interface RunningClient {
  readonly pid: number;
  readonly ended: Promise<CliRun>;
}

/** An agent with a home directory and a project, whose events go through the real command, and through the client and its daemon. */
export class RelayedAgent {
  readonly agent: string;
  readonly home: string;
  readonly project: string;

  /** `of` is another agent with the same home and project. @default new directories */
  constructor(agent: string, of?: RelayedAgent) {
    this.agent = agent;
    this.home = of?.home ?? freshDirectory('relayed');
    this.project = join(this.home, 'app');
    mkdirSync(this.project, { recursive: true });
    mkdirSync(join(this.home, 'run'), { recursive: true, mode: 0o700 });
  }

  /** The program that agents start. */
  get client(): string {
    return join(this.home, '.local/share/tenterhook/bin/tenterhook-hook');
  }

  /** The environment of its hooks. */
  get environment(): NodeJS.ProcessEnv {
    return this.#whole({});
  }

  /** The folder of the daemon. */
  get folder(): string {
    return join(this.home, 'run/tenterhook');
  }

  get socket(): string {
    return join(this.folder, 'relay-1.sock');
  }

  /** Installs the program. `kind` is the script for machines without a compiled one. `script` replaces that of the command. */
  installClient(kind: 'compiled' | 'script' = 'compiled', script = bin): void {
    const place = { home: this.home, environment: this.#env };
    if (kind === 'script') installClient(place, script, null);
    else installClient(place, script);
  }

  /**
   * Runs one event in a process of its own, and once more through the client and its daemon, which must answer the same. `payload` is what
   * the agent writes: an object, or any text.
   */
  run(
    event: string,
    payload: object | string,
    guards: readonly TestGuard[] = [],
    args: readonly string[] = [],
    env: Variables = {},
  ): RelayRun {
    const { words, options } = this.#prepare(event, payload, guards, args, env);
    const ran = this.#read(spawnCli(words, options));
    this.#expectSame(ran, this.relay(event, payload, guards, args, env));
    return ran;
  }

  /** Runs one event in this process, which is faster, and once more through the client and its daemon. `settings` are further keys of the list. */
  async runHere(
    event: string,
    payload: object | string,
    guards: readonly TestGuard[] = [],
    args: readonly string[] = [],
    settings: object = {},
  ): Promise<RelayRun> {
    const { words, options } = this.#prepare(event, payload, guards, args, {}, settings);
    const ran = this.#read(await runCli(words, options));
    this.#expectSame(ran, this.relay(event, payload, guards, args, {}, settings));
    return ran;
  }

  /** Runs one event through the client. The first event starts the daemon. */
  relay(
    event: string,
    payload: object | string,
    guards: readonly TestGuard[] = [],
    args: readonly string[] = [],
    env: Variables = {},
    settings: object = {},
  ): RelayRun {
    const { options } = this.#prepare(event, payload, guards, args, env, settings);
    if (!existsSync(this.client)) this.installClient();
    return this.#read(this.program(this.client, [this.agent, event, ...args], options.stdin, env));
  }

  /** Starts the client, and does not wait for it. The list of guards must be written before. */
  start(event: string, payload: object | string, args: readonly string[] = [], env: Variables = {}, cwd = this.project): RunningClient {
    if (!existsSync(this.client)) this.installClient();
    const child = spawn(this.client, [this.agent, event, ...args], { cwd, env: this.#whole(env) });
    child.stdin.on('error', () => {});
    child.stdin.end(typeof payload === 'string' ? payload : JSON.stringify(payload));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
    return {
      pid: child.pid as number,
      ended: (async () => ({ status: await ended, stdout: await stdout, stderr: await stderr }))(),
    };
  }

  /** Writes the list of guards. */
  list(guards: readonly TestGuard[], settings: object = {}): void {
    const folder = join(this.home, '.config/tenterhook');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'relay.json'), JSON.stringify({ ...settings, guards }));
  }

  /** Asks the daemon about itself. Undefined if none answers. */
  get daemon(): { readonly pid: number; readonly events: number; readonly running: number; readonly systems: number } | undefined {
    if (!existsSync(this.socket)) return undefined;
    const { stdout } = this.program(this.client, ['tenterhook', 'status'], '');
    return stdout === '' ? undefined : JSON.parse(stdout);
  }

  /** Runs another action of the command in this process, which is faster. */
  act(...args: readonly string[]): Promise<CliRun> {
    return runCli(['relay', ...args], { cwd: this.project, home: this.home, env: this.#env });
  }

  /** Runs another action in a process of its own, which an action that starts or is a daemon needs. */
  actAlone(...args: readonly string[]): CliRun {
    return spawnCli(['relay', ...args], { cwd: this.project, home: this.home, env: this.#env });
  }

  /** Runs a program as the agent would start its hook. */
  program(file: string, args: readonly string[], stdin: string, env: Variables = {}): CliRun {
    const options = { cwd: this.project, encoding: 'utf8', input: stdin, env: this.#whole(env) } as const;
    const { status, stdout, stderr } = spawnSync(file, [...args], options);
    return { status, stdout, stderr };
  }

  #whole(env: Variables): NodeJS.ProcessEnv {
    return { ...process.env, ...noOtherHome, ...this.#env, HOME: this.home, NO_COLOR: '1', ...env };
  }

  /**
   * The answers and what the guards read are the same, but for times, for an id of a session that the agent has not named, and for what only a
   * daemon remembers.
   */
  #expectSame(ran: RelayRun, relayed: RelayRun): void {
    const withoutTime = ({ seen, status, stdout, stderr }: RelayRun) => {
      const texts = seen.map(({ timestamp: _time, ...fields }) => JSON.stringify(fields).replace(/"session-[\da-f-]{36}"/, '"session"'));
      // Guards that run side by side write in any order.
      const said = withoutTimes(stdout).replaceAll(' Its last good state stays in use.', '');
      return { status, stdout: said, stderr: withoutTimes(stderr), seen: texts.sort() };
    };
    expect(withoutTime(relayed)).toEqual(withoutTime(ran));
  }

  get #env(): Variables {
    return {
      XDG_CONFIG_HOME: '',
      XDG_DATA_HOME: '',
      CODEX_HOME: '',
      COPILOT_HOME: '',
      XDG_STATE_HOME: join(this.home, 'state'),
      XDG_RUNTIME_DIR: join(this.home, 'run'),
      SEEN: join(this.home, 'seen'),
    };
  }

  #prepare(
    event: string,
    payload: object | string,
    guards: readonly TestGuard[],
    args: readonly string[],
    env: Variables,
    settings: object = {},
  ) {
    this.list(guards, settings);
    rmSync(join(this.home, 'seen'), { force: true });
    const stdin = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const options = { cwd: this.project, home: this.home, stdin, env: { ...this.#env, ...env } };
    return { words: ['relay', 'run', '--agent', this.agent, '--event', event, ...args], options };
  }

  #read({ status, stdout, stderr }: CliRun): RelayRun {
    return { status, stdout, stderr, answer: answerIn(stdout), seen: readSeen(join(this.home, 'seen')) };
  }

  /** Stops the daemon, and removes the directories. */
  remove(): void {
    if (existsSync(this.socket)) this.program(this.client, ['tenterhook', 'stop'], '');
    rmSync(this.home, { recursive: true, maxRetries: 5 });
  }
}

/** On a busy machine, a process of its own may not have started a guard when the budget is spent. */
const notStarted = 'did not run: the event was cancelled while the hook waited for its turn';

function withoutTimes(text: string): string {
  return text.replace(/within [\d.]+ ms/g, 'in time').replaceAll(notStarted, 'was running when the event was cancelled');
}

/** The last line of an output is the answer. Some agents read lines with messages before it. */
function answerIn(stdout: string): unknown {
  const [last] = stdout.trimEnd().split('\n').slice(-1);
  return last === undefined || last === '' ? undefined : JSON.parse(last);
}

function readSeen(file: string): RelayRun['seen'] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

/** A command that keeps its stdin and prints an object. */
export function printing(answer: object | undefined, exit = 0, stderr = ''): string {
  const print = answer === undefined ? '' : `; printf '%s' '${JSON.stringify(answer).replaceAll("'", "'\\''")}'`;
  // One write for a line, because guards run side by side.
  return `printf '%s\\n' "$(cat)" >> "$SEEN"${print}${stderr === '' ? '' : `; echo '${stderr}' >&2`}; exit ${exit}`;
}

/** A guard in LLxprt's format on a canonical event, which prints the answer. */
export function llxprtGuard(eventName: HookEventName, answer: object | undefined, hook: object = {}): TestGuard {
  return groups('llxprt', eventName, printing(answer), hook);
}

/** The answer with `hookEventName`. */
export function specific(eventName: HookEventName | string, fields: object): object {
  return { hookSpecificOutput: { hookEventName: eventName, ...fields } };
}

/** A guard in a format with groups of commands. */
export function groups(dialect: string, event: string, command: string, hook: object = {}, matcher?: string): TestGuard {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command, ...hook }] };
  return { dialect, settings: { ...(dialect === 'llxprt' ? { tools: { enableHooks: true } } : {}), hooks: { [event]: [group] } } };
}

export function ecaGuard(type: string, answer: object, matcher?: string, more: object = {}): TestGuard {
  const hook = { ...more, type, ...(matcher === undefined ? {} : { matcher }), actions: [{ type: 'shell', shell: printing(answer) }] };
  return { dialect: 'eca', settings: { hooks: { guard: hook } } };
}
