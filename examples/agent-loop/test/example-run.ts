import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noOtherHome } from '../../../test/support/environment.js';

const root = join(import.meta.dirname, '../../..');
export const example = 'examples/agent-loop/dist/main.js';
export const command = 'packages/tenterhook/bin/tenterhook.js';

/** Runs a command on a pseudo terminal; stdin is what the user types. Uses python3, which the example needs anyway. */
const onTerminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  /** What is typed, or piped in, before stdin ends. @default stdin is closed at the start */
  readonly input?: string;
  readonly onPseudoTerminal?: boolean;
}

/** A folder for one run: its home directory, its temporary files, and a mark by which its processes are found. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), 'agent-loop-test-'));

  start(args: readonly string[], { input, onPseudoTerminal = false }: StartOptions = {}): { child: ChildProcess; ended: Promise<Run> } {
    // A home directory of its own, so that the hooks of the user who runs this test do not take part.
    const { FORCE_COLOR: _forced, ...own } = process.env;
    const env = { ...own, ...noOtherHome, TMPDIR: this.folder, HOME: this.folder, USERPROFILE: this.folder, TEST_OF: this.folder };
    const [file, ...rest] = [...(onPseudoTerminal ? ['python3', '-c', onTerminal] : []), process.execPath, ...args] as [
      string,
      ...string[],
    ];
    const child = spawn(file, rest, { cwd: root, env, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
    child.stdin?.on('error', () => {}); // Ignored: the program may end before it has read its input.
    child.stdin?.end(input);
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    return { child, ended: new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout, stderr }))) };
  }

  /** Returns what is left of a run: processes that inherited its environment, and files. Processes can only be found on Linux. */
  leftovers(): string[] {
    const processes = existsSync('/proc/self/environ') ? readdirSync('/proc').filter((entry) => this.#isProcessOfRun(entry)) : [];
    return [...processes, ...readdirSync(this.folder)];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #isProcessOfRun(entry: string): boolean {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/environ`, 'utf8').includes(`TEST_OF=${this.folder}\0`);
    } catch {
      return false;
    }
  }
}
