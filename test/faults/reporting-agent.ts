import { spawn } from 'node:child_process';
import { chownSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { freshDirectory } from '../support/fire-hooks.js';
import { root } from '../support/sources.js';

/** An agent in a process of its own: for what the process of a test must not be put through, or cannot be measured in. */
export interface ReportingAgent {
  readonly pid: number;
  /** The next value that the program gave to `tell()`. Rejects with its stderr when it has ended instead. */
  nextReport<Value>(): Promise<Value>;
  /** By SIGKILL; resolves when it is gone and reaped. */
  kill(): Promise<void>;
}

export interface ReportingAgentOptions {
  /** The most descriptors that it may have open. @default the limit of this process */
  readonly descriptors?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The words before its command, by which another program starts it: `['setpriv', …]`. They must not stay beside it. @default none */
  readonly startedBy?: readonly string[];
  /** The owner of its directory. @default the user of this process */
  readonly owner?: number;
}

/** Found at once in every program: the built package, and a way to say something. */
const prelude = `
  import { createHooks } from ${JSON.stringify(pathToFileURL(join(root, 'packages/tenterhook/dist/index.js')).href)};
  const tell = (value) => console.log(JSON.stringify(value));
`;

/** Runs the text of a module, in a directory of its own, while a test uses it. Hooks that it leaves are the test's to end. */
export async function withReportingAgent<Result>(
  program: string,
  use: (agent: ReportingAgent) => Promise<Result>,
  { descriptors, env = {}, startedBy = [], owner }: ReportingAgentOptions = {},
): Promise<Result> {
  const cwd = freshDirectory('agent');
  if (owner !== undefined) chownSync(cwd, owner, owner);
  const node = [process.execPath, '--input-type=module', '-e', prelude + program];
  const limit = descriptors === undefined ? [] : ['sh', '-c', 'ulimit -n "$0" && exec "$@"', String(descriptors)];
  const words = [...startedBy, ...limit, ...node];
  const child = spawn(words[0] as string, words.slice(1), { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const agent: ReportingAgent = {
    pid: child.pid as number,
    async nextReport() {
      const { value, done } = await lines.next();
      if (!done) return JSON.parse(value);
      await ended;
      throw new Error(`The agent ended without a report (${child.exitCode ?? child.signalCode}): ${stderr}`);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
  try {
    return await use(agent);
  } finally {
    await agent.kill();
    rmSync(cwd, { recursive: true, force: true });
  }
}
