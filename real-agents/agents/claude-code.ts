import { spawnSync } from 'node:child_process';
import { callOnce, messagesApi, resultIn } from '../models/messages-api.js';
import { type ModelTurn, ScriptedModel } from '../models/scripted-model.js';
import type { Fields } from './json-lines.js';
import { fileOf, RealAgent } from './real-agent.js';
import { runToEnd } from './run-to-end.js';

export const claudePackage = '@anthropic-ai/claude-code';
/** It starts the binary of this machine where no script of the package has run. */
const program = fileOf(claudePackage, 'cli-wrapper.cjs');

/** Throws if the program cannot be started. */
export function startClaudeOnce(): void {
  const { status, stderr } = spawnSync(process.execPath, [program, '--version'], { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
  if (status !== 0) throw new Error(stderr);
}

/** What Claude Code did with one prompt. */
export interface ClaudeRun {
  /** What it printed, without the outputs of its hooks. */
  readonly reported: string;
  /** What the model read as the result of its call, in its last request. */
  readonly result: Fields | undefined;
}

/** Claude Code in its print mode, with a model on loopback, and with the entries of the relay in the settings of its user. */
export class ClaudeCode extends RealAgent {
  readonly model = new ScriptedModel(messagesApi);
  /** Further variables of the agent. */
  variables: Readonly<Record<string, string>> = {};

  constructor() {
    super('claude-code');
  }

  /** Runs a prompt, at which the model calls a tool once. */
  async runWithCall(call: ModelTurn, flags: readonly string[]): Promise<ClaudeRun> {
    this.model.play(callOnce(call));
    const words = ['-p', 'p', '--output-format', 'stream-json', '--verbose', '--include-hook-events', ...flags];
    const { stdout } = await runToEnd(process.execPath, [program, ...words], {
      cwd: this.project,
      env: {
        ...this.ownEnvironment,
        ...this.variables,
        ANTHROPIC_API_KEY: 'dummy',
        ANTHROPIC_BASE_URL: this.model.url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    });
    const lines = stdout.split('\n').filter((line) => line !== '' && (JSON.parse(line) as Fields)['subtype'] !== 'hook_response');
    return { reported: lines.join('\n'), result: resultIn(this.model.requests.at(-1) ?? {}) };
  }
}
