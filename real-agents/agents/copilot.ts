import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { callOnce, messagesApi, resultIn } from '../models/messages-api.js';
import { type ModelTurn, ScriptedModel } from '../models/scripted-model.js';
import type { Fields } from './json-lines.js';
import { fileOf, RealAgent, versionOf } from './real-agent.js';
import { runToEnd } from './run-to-end.js';

export const copilotPackage = '@github/copilot';
const program = fileOf(copilotPackage, 'npm-loader.js');
const machine = `${process.platform}-${process.arch}`;

/** The program unpacks itself below its home when it is first started. */
const unpackedHome = fileOf('.copilot');

/** The file of the native module, which contains the hook runner. */
export function nativeModule(): string {
  const version = versionOf(copilotPackage) ?? '';
  return join(unpackedHome, '.cache/copilot/pkg', machine, version, 'prebuilds', machine, 'runtime.node');
}

/** Throws if the program cannot be started, or if its native module cannot be loaded. */
export function startCopilotOnce(): void {
  const env = { PATH: process.env['PATH'], HOME: unpackedHome };
  const unpacking = spawnSync(process.execPath, [program, '--version'], { encoding: 'utf8', env });
  if (unpacking.status !== 0) throw new Error(unpacking.stderr);
  const loading = spawnSync(process.execPath, ['-e', `require(${JSON.stringify(nativeModule())})`], { encoding: 'utf8', env });
  if (loading.status !== 0) throw new Error(loading.stderr);
}

/** What Copilot did with one prompt. */
export interface CopilotRun {
  readonly stdout: string;
  readonly stderr: string;
  /** What the model read as the result of its call, in its last request. */
  readonly result: Fields | undefined;
}

/** The command line of Copilot, with a model on loopback, and with the entries of the relay in the folder of its user's hooks. */
export class Copilot extends RealAgent {
  readonly model = new ScriptedModel(messagesApi);

  constructor() {
    super('copilot');
  }

  /** Runs a prompt, at which the model calls a tool once. */
  async runWithCall(call: ModelTurn, flags: readonly string[]): Promise<CopilotRun> {
    this.model.play(callOnce(call));
    const { stdout, stderr } = await runToEnd(process.execPath, [program, '-p', 'p', ...flags], {
      cwd: this.project,
      env: {
        ...this.ownEnvironment,
        XDG_CACHE_HOME: join(unpackedHome, '.cache'),
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: this.model.url,
        COPILOT_PROVIDER_TYPE: 'anthropic',
        COPILOT_PROVIDER_API_KEY: 'dummy',
        COPILOT_MODEL: 'claude-sonnet-4',
      },
    });
    return { stdout, stderr, result: resultIn(this.model.requests.at(-1) ?? {}) };
  }
}
