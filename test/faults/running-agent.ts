import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { watchPrivateDirectories } from '../support/running-cli.js';
import { root } from '../support/sources.js';

/** An agent in a separate process that waits for the answer to one BeforeTool event. It ends only on command. */
export interface RunningAgent {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** The directories for files of jobs that the process has created and not removed. */
  privateDirectories(): string[];
  /** Lets the agent execute `thereafter`. */
  goOn(): void;
  /** Resolves when the agent has printed this word. */
  said(word: string): Promise<void>;
  readonly ended: Promise<{
    readonly status: number | null;
    readonly signal: string | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

export interface AgentProgram {
  readonly projectDir: string;
  readonly settings: object;
  /** Code that runs before the event is fired. It can use `hooks`. */
  readonly atStart?: string;
  /** Code that runs after `goOn()`. It can use `hooks` and `fired`. @default nothing */
  readonly thereafter?: string;
}

/**
 * Starts a real Node process with the built package, because jest's `process` neither exits nor receives signals. After SIGTERM hooks have
 * ten minutes, so a hook that ends at once was killed.
 */
export function startAgent({ projectDir, settings, atStart = '', thereafter = '' }: AgentProgram): RunningAgent {
  const index = pathToFileURL(join(root, 'packages/tenterhook/dist/index.js')).href;
  const options = { projectDir, sessionId: 's1', settings, limits: { killGraceMs: 600_000 } };
  const program = `import { createHooks } from ${JSON.stringify(index)};
    const hooks = await createHooks(${JSON.stringify(options)});
    ${atStart}
    const fired = hooks.getEventHandler().fireBeforeToolEvent('write_file', {});
    process.stdin.once('data', async () => { ${thereafter} });`;
  const directoriesOf = watchPrivateDirectories();
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: projectDir, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  // Ignored: the agent may have ended before it has read this line.
  child.stdin.on('error', () => {});
  return {
    pid: child.pid as number,
    kill: (signal) => child.kill(signal),
    privateDirectories: () => directoriesOf(child.pid as number),
    goOn: () => child.stdin.write('go on\n'),
    said: (word) =>
      new Promise((resolve) => {
        const look = () => {
          if (!stdout.includes(word)) return;
          child.stdout.off('data', look);
          resolve();
        };
        child.stdout.on('data', look);
        look();
      }),
    ended: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status, signal) => resolve({ status, signal, stdout, stderr }));
    }),
  };
}
