import { join } from 'node:path';
import { nativeModule } from './copilot.js';
import { type Fields, JsonLines } from './json-lines.js';
import { RealAgent } from './real-agent.js';

const host = join(import.meta.dirname, 'copilot-runner-host.mjs');

/** The hook runner of Copilot, without its loop, with the entries of the relay in the folder of its user's hooks. */
export class CopilotRunner extends RealAgent {
  #host: JsonLines | undefined;
  #variables: Readonly<Record<string, string>> = {};

  constructor() {
    super('copilot');
  }

  /** Fires an event as Copilot does. Returns what its runner hands to the agent, with the failures of hooks. */
  async fire(event: string, fields: object): Promise<CopilotReport> {
    const env = { ...this.ownEnvironment, ...this.#variables };
    this.#host ??= new JsonLines(process.execPath, [host, nativeModule()], { cwd: this.project, env });
    const reported = this.#host.next(() => true);
    this.#host.send({ event, fields });
    return (await reported) as unknown as CopilotReport;
  }

  /** Ends the agent. The next event starts it again, with the settings of then and with these variables. */
  async restart(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#host?.end();
    this.#host = undefined;
    this.#variables = variables;
  }
}

export interface CopilotReport {
  readonly output?: Fields;
  readonly failures: readonly unknown[];
  readonly logs: readonly { readonly level: string; readonly message: string }[];
  /** How many hooks the runner has loaded. */
  readonly hooks: number;
}
