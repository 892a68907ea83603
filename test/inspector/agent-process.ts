import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/sources.js';

const guard = { name: 'guard', command: 'echo no >&2; exit 2' };

/** Settings with a guard of `write_file`, and a hook that the guard's tool does not match. */
export const settings = {
  hooks: {
    BeforeTool: [
      { matcher: 'write_file', hooks: [guard] },
      { matcher: 'read_file', hooks: [{ name: 'reader', command: 'cat >/dev/null' }] },
    ],
  },
};

/** Places of a test: a directory from which the packages are found, and another one for entries, whose path is as short as that of a socket. */
export interface Places {
  readonly cwd: string;
  readonly entries: string;
  readonly env: { readonly XDG_RUNTIME_DIR: string };
  remove(): void;
}

export function createPlaces(): Places {
  const cwd = mkdtempSync(join(root, 'node_modules', '.inspect-'));
  const runtime = mkdtempSync(join(tmpdir(), 'inspect-'));
  return {
    cwd,
    entries: join(runtime, 'tenterhook'),
    env: { XDG_RUNTIME_DIR: runtime },
    remove: () => {
      for (const directory of [cwd, runtime]) rmSync(directory, { recursive: true });
    },
  };
}

/** An agent that fires an event for each line of its stdin, prints the verdict, and ends with its stdin with the status 7. */
export const agentProgram = `import { createInterface } from 'node:readline';
import { createHooks } from 'tenterhook';
const hooks = await createHooks({ settings: ${JSON.stringify(settings)}, sessionId: 's1' });
process.on('SIGTERM', () => { console.log('got SIGTERM'); process.exit(3); });
console.log('ready');
for await (const path of createInterface({ input: process.stdin })) {
  const { verdict } = await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path } });
  console.log(verdict.kind);
}
await hooks.dispose();
process.exitCode = 7;`;

/** An agent in a process of its own. */
export class AgentProcess {
  readonly #process: ChildProcess;
  printed = '';
  readonly ended: Promise<number | null>;

  constructor({ cwd, env }: Places, variables: Readonly<Record<string, string>> = { TENTERHOOK_INSPECT: '1' }) {
    this.#process = spawn(process.execPath, ['--input-type=module', '-e', agentProgram], {
      cwd,
      env: { ...process.env, ...env, ...variables },
    });
    this.#process.stdout?.on('data', (text) => {
      this.printed += text;
    });
    this.ended = new Promise((resolve) => this.#process.once('close', resolve));
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  get isReady(): boolean {
    return this.printed.includes('ready');
  }

  fire(path: string): void {
    this.#process.stdin?.write(`${path}\n`);
  }

  kill(): Promise<number | null> {
    this.#process.kill('SIGKILL');
    return this.ended;
  }

  end(): Promise<number | null> {
    this.#process.stdin?.end();
    return this.ended;
  }
}
