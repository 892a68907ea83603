import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { printing, RelayedAgent, type TestGuard } from '../../test/relay/relayed-agent.js';

const packages = join(import.meta.dirname, '../node_modules');

/** Returns the path of a file of an installed package. */
export function fileOf(name: string, path = ''): string {
  return join(packages, name, path);
}

/** Returns the version of an installed package, or undefined if it is not installed. */
export function versionOf(name: string): string | undefined {
  const file = fileOf(name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version : undefined;
}

/**
 * Declares the cases of an agent. If it is not installed or cannot be started here, the title of the only test says why. `start` starts the
 * installed package without any task, and throws if that fails.
 */
export function describeAgent(title: string, packageName: string, start: () => void, declareCases: () => void): void {
  const version = versionOf(packageName);
  const problem = version === undefined ? missing(packageName) : problemOf(start);
  describe(`${title} ${version ?? ''}`.trim(), () => {
    if (problem === undefined) declareCases();
    else test.skip(`not available: ${problem}`, () => {});
  });
}

function missing(packageName: string): string {
  const problem = process.env['REAL_AGENTS_PROBLEM'] ?? '';
  return `${packageName} is not installed. ${problem || 'Run npm install --ignore-scripts in real-agents.'}`;
}

function problemOf(start: () => void): string | undefined {
  try {
    start();
    return undefined;
  } catch (error) {
    return (error as Error).message.trim().split('\n').slice(0, 3).join(' ');
  }
}

/** The command of a guard that denies once in a home, and then only reads. */
export function onceDenying(reason: string): string {
  const denied = '"$HOME/has-denied"';
  return `if [ -e ${denied} ]; then ${printing(undefined)}; fi; touch ${denied}; ${printing({ decision: 'deny', reason })}`;
}

/** An agent with a home and a project of its own, in whose settings `tenterhook relay install` has written its entries. */
export class RealAgent extends RelayedAgent {
  /** Installs the entries as a user does. Returns what the command printed. */
  install(...flags: readonly string[]): string {
    const { status, stdout, stderr } = this.actAlone('install', '--agent', this.agent, ...flags);
    if (status !== 0) throw new Error(`relay install ended with ${status}: ${stderr}`);
    return stdout;
  }

  /** The environment of the agent: nothing of the user who runs the cases but the search path. */
  get ownEnvironment(): NodeJS.ProcessEnv {
    const names = ['PATH', 'HOME', 'XDG_RUNTIME_DIR', 'XDG_STATE_HOME', 'SEEN', 'NO_COLOR'];
    return Object.fromEntries(names.map((name) => [name, this.environment[name]]));
  }

  /** Writes the list of guards, and forgets what earlier guards have read. */
  override list(guards: readonly TestGuard[], settings: object = {}): void {
    rmSync(join(this.home, 'seen'), { force: true });
    super.list(guards, settings);
  }

  /** What the guards read on stdin since the list of guards was written, in order. */
  get seen(): readonly Readonly<Record<string, unknown>>[] {
    const file = join(this.home, 'seen');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  }
}
