import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { longestTimerMs, onAbort, wait } from '@tenterhook/runtime/async';
import { describeThrown } from '@tenterhook/runtime/text';
import { type PipedProcess, startPiped } from '@tenterhook/spawner/internal';
import { createHookClient, createHooks, formatDiagnostic, type Hooks } from 'tenterhook';
import { closeServer } from './close-server.js';
import { type Flags, readFlags, UsageError, usage } from './flags.js';
import { Report } from './report.js';
import { StdioLink } from './stdio-link.js';

/** Exit statuses of the command itself. Otherwise it has the status of the server. */
const ExitStatus = { ok: 0, failure: 1, usage: 64 } as const;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Milliseconds for the last output of the server, for hooks of AfterTool when it has ended with open calls, and for the last bytes to the
 * client.
 */
const longestRestMs = { reading: 500, calls: 5000, output: 1000 };

/** Runs the command `tenterhook-mcp`. `version` is the one of this package. Resolves to the exit status. */
export async function runCommand(argv: readonly string[], version: string): Promise<number> {
  let flags: ReturnType<typeof readFlags>;
  try {
    flags = readFlags(argv, process.cwd());
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`tenterhook-mcp: ${error.message}\n`);
    return ExitStatus.usage;
  }
  if (flags === 'help' || flags === 'version') {
    process.stdout.write(flags === 'help' ? usage : `${version}\n`);
    return ExitStatus.ok;
  }
  // A client need not read stderr. Then messages are lost, and nothing else.
  process.stderr.on('error', () => {});
  const report = new Report(flags.server);
  // The timers with which processes are killed do not keep our process alive.
  const untilEnd = setInterval(() => {}, longestTimerMs);
  try {
    return await runWithHooks(flags, report);
  } finally {
    clearInterval(untilEnd);
  }
}

async function runWithHooks(flags: Flags, report: Report): Promise<number> {
  let hooks: Hooks;
  try {
    hooks = await openHooks(flags, report);
  } catch (error) {
    for (const line of describeThrown(error).split('\n')) report.note(line);
    return ExitStatus.failure;
  }
  try {
    return await serve(flags, hooks, report);
  } finally {
    await hooks.dispose();
  }
}

async function openHooks({ projectDir, settings, dialect }: Flags, report: Report): Promise<Hooks> {
  // A guard that the user named and that cannot be read must not be missing silently.
  if (statSync(projectDir, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Error(`--project ${projectDir} is not a directory, so the hooks of the project would not run. Pass its directory.`);
  }
  const hooks = await createHooks({
    projectDir,
    watch: true,
    ...(settings === undefined ? {} : { settings, strict: true }),
    ...(dialect === undefined ? {} : { dialect }),
  });
  const tell = () => {
    for (const diagnostic of hooks.diagnostics) report.note(formatDiagnostic(diagnostic));
  };
  tell();
  hooks.onChange(tell);
  return hooks;
}

/** Starts the server and passes messages until one side ends. Resolves to the exit status of the server. */
async function serve(flags: Flags, hooks: Hooks, report: Report): Promise<number> {
  const [file, ...args] = flags.command;
  const started = await startPiped({ file, args, cwd: process.cwd(), env: ownEnvironment() });
  if ('error' in started) {
    report.note(`${file} cannot be started: ${describeThrown(started.error)}. Check the command after --.`);
    return ExitStatus.failure;
  }
  const { link, clientEnded, serverEnded, serverClosedInput } = new StdioLink(
    { fromClient: process.stdin, toClient: process.stdout, fromServer: started.stdout, toServer: started.stdin },
    {
      source: createHookClient(hooks, { onUnavailable: flags.onUnavailable }),
      server: flags.server,
      onMessage: report.message,
      hasSession: true,
      ...(flags.canElicit ? { approvals: 'framework' } : {}),
    },
    report,
  );
  const hurry = new AbortController();
  const interrupt = () => hurry.abort();
  for (const signal of signals) process.on(signal, interrupt);
  const interrupted = new Promise<void>((resolve) => onAbort(hurry.signal, resolve));

  const first = await Promise.race([
    Promise.race([clientEnded, interrupted]).then(() => 'client' as const),
    started.ended.then(() => 'server' as const),
    // A server that has closed its output can answer no more.
    serverEnded.then(() => 'server' as const),
    serverClosedInput.then(() => 'server' as const),
  ]);
  if (first === 'server') await endCalls(link, started, serverEnded, flags);
  await Promise.all([closeServer(started, hurry.signal), link.close().then(() => hooks.dispose())]);
  await flush();
  return statusOf(await started.ended);
}

/** Answers the calls that the server leaves open. */
async function endCalls(link: StdioLink['link'], server: PipedProcess, serverEnded: Promise<void>, { server: name }: Flags): Promise<void> {
  // What the server wrote before its end is read first. A process that it left may keep its output open, and it may itself go on when it
  // has closed its output.
  const limit = new AbortController();
  void Promise.all([serverEnded, server.ended]).then(() => limit.abort());
  await wait(longestRestMs.reading, limit.signal);
  const end = await Promise.race([server.ended, Promise.resolve(undefined)]);
  const how =
    end === undefined
      ? `has closed its ${server.stdin.destroyed ? 'input' : 'output'}`
      : end.signal === null
        ? `ended with status ${end.exitCode}`
        : `was ended by ${end.signal}`;
  const calls = new AbortController();
  void link.endServer(`The MCP server "${name}" ${how} before it answered.`).then(() => calls.abort());
  await wait(longestRestMs.calls, calls.signal);
}

/** Waits until the client has the last message, or reads no more. */
async function flush(): Promise<void> {
  const limit = new AbortController();
  process.stdout.write('', () => limit.abort());
  await wait(longestRestMs.output, limit.signal);
}

function statusOf({ exitCode, signal }: Awaited<PipedProcess['ended']>): number {
  return exitCode ?? 128 + (constants.signals[signal ?? 'SIGKILL'] ?? 0);
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
