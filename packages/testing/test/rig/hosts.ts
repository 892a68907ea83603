import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { HookRig, HookRun } from '../../src/index.js';

const hosts: ChildProcess[] = [];

/** Records a process for `endHosts()`. */
export function asHost(child: ChildProcess): ChildProcess {
  hosts.push(child);
  return child;
}

export function endHosts(): void {
  for (const host of hosts.splice(0)) if (host.exitCode === null && host.signalCode === null) host.kill('SIGKILL');
}

export interface Host {
  readonly child: ChildProcess;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly stdout: Promise<string>;
  readonly stderr: Promise<string>;
}

/** Starts a hook as a host does: bash runs the shell text. */
export function start(
  text: string,
  stdio: StdioOptions = 'pipe',
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Host {
  const child = spawn('bash', ['-c', text], { stdio, ...options });
  asHost(child);
  const exit = once(child, 'exit').then(([code, signal]) => ({ code: code as number | null, signal: signal as string | null }));
  return { child, exit, stdout: textOf(child.stdout), stderr: textOf(child.stderr) };
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const piece of stream?.setEncoding('utf8') ?? []) text += piece;
  return text;
}

/**
 * Reads the state of a process from /proc: R (running), S (sleeping), T (stopped), Z (its parent has not read its exit). Returns
 * undefined if the process does not exist.
 */
export function stateOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .charAt(0);
  } catch {
    return undefined;
  }
}

export function isRunning(pid: number): boolean {
  return !['Z', 'X', undefined].includes(stateOf(pid));
}

/** Returns the processes that have this text in their arguments. Hooks of a rig have the path of its socket there. */
export function processesWith(text: string): number[] {
  const holdsText = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && holdsText(entry))
    .map(Number)
    .filter(isRunning);
}

export function socketOf(rig: HookRig): string {
  return rig.program().args[1] as string;
}

/** Polls until the condition is true, for changes that nothing reports. No assertion depends on the duration. */
export async function until(condition: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 25_000;
  while (!condition()) {
    if (Date.now() > giveUpAt) throw new Error(`Waited in vain for ${condition}.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Starts a hook of the rig in a new host process. */
export async function startRunOf(rig: HookRig, label?: string, stdio?: StdioOptions): Promise<Host & { readonly run: HookRun }> {
  const host = start(rig.command(label), stdio);
  return { ...host, run: await rig.nextRun(label) };
}
