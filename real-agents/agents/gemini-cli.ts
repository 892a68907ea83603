import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Fields, JsonLines } from './json-lines.js';
import { fileOf, RealAgent } from './real-agent.js';

export const geminiPackage = '@google/gemini-cli-core';
const host = join(import.meta.dirname, 'gemini-cli-host.mjs');

/** Throws if the hook system cannot be loaded. */
export function startGeminiOnce(): void {
  const script = `import(${JSON.stringify(fileOf(geminiPackage, 'dist/src/hooks/index.js'))}).then(() => process.exit(0))`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** The hook system of Gemini CLI, with the entries of the relay in the settings of its user. */
export class GeminiCli extends RealAgent {
  #host: JsonLines | undefined;

  constructor() {
    super('gemini-cli');
  }

  /** Fires an event as Gemini CLI does. Returns what its hook system reports. */
  async fire(event: string, ...args: readonly unknown[]): Promise<Fields> {
    this.#host ??= new JsonLines(process.execPath, [host, fileOf(geminiPackage), join(this.home, '.gemini/settings.json')], {
      cwd: this.project,
      env: this.ownEnvironment,
    });
    const reported = this.#host.next(() => true);
    this.#host.send({ event, args });
    return reported;
  }

  /** Ends the agent. The next event starts it again, with the settings of then. */
  async restart(): Promise<void> {
    await this.#host?.end();
    this.#host = undefined;
  }
}
