import { spawn } from 'node:child_process';
import { chownSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { freshDirectory } from '../support/fire-hooks.js';
import { root } from '../support/sources.js';

/** An agent in a separate process, for what would disturb the process of the test or cannot be measured in it. */
export interface ReportingAgent {
  readonly pid: number;
  /** Resolves to the next value that the program passed to `tell()`. Rejects with the program's stderr if it has ended. */
  nextReport<Value>(): Promise<Value>;
  /** Sends SIGKILL. Resolves when the process has ended and was reaped. */
  kill(): Promise<void>;
}

export interface ReportingAgentOptions {
  /** The maximum number of open descriptors. @default the limit of this process */
  readonly descriptors?: number;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Words before the command, which start it by another program: `['setpriv', …]`. That program must be replaced by the command. @default
   * none
   */
  readonly startedBy?: readonly string[];
  /** The user id of the owner of its directory. @default the user of this process */
  readonly owner?: number;
}

/** The first lines of every program: an import of the built package, and a function that reports a value. */
const prelude = `
  import { createHooks } from ${JSON.stringify(pathToFileURL(join(root, 'packages/tenterhook/dist/index.js')).href)};
  const tell = (value) => console.log(JSON.stringify(value));
`;

/** Runs the text of a module in its own directory. The test has to end hooks that it leaves. */
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
