import { createAgent } from '@tenterhook/agent';
import type { CreateHooksOptions } from './create-hooks-options.js';
import type { EnvFile } from './env-file/open-env-file.js';
import type { Hooks } from './hooks.js';

// What these functions need is loaded by the first call. It reads files, and with the modules of Node for that it made up a fifth of an import of
// this package, of which a program uses a part.

/**
 * Finds the settings and creates a system that runs their hooks. Resolves when all sources are loaded (field failure 25). Rejects with a TypeError for
 * wrong options, and with a SettingsError if `strict` is set and the settings have an error.
 */
export async function createHooks(options: CreateHooksOptions = {}): Promise<Hooks> {
  const currentDir = getCurrentDir();
  const { openHooks } = await import('./open-hooks.js');
  const hooks = await openHooks(options, { currentDir });
  return Object.assign(hooks, {
    agent: (agentOptions) => {
      requireSameSession(options.sessionId, agentOptions?.sessionId);
      return createAgent(hooks, agentOptions);
    },
  } satisfies Pick<Hooks, 'agent'>);
}

/** Before anything is awaited: relative paths in the options are those of the caller. Undefined if the directory was removed. */
function getCurrentDir(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Otherwise hooks would receive the id of `createHooks` in every event, and the agent's would be ignored. */
function requireSameSession(ofHooks: string | undefined, ofAgent: string | undefined): void {
  if (ofHooks === undefined || ofAgent === undefined || ofHooks === ofAgent) return;
  throw new TypeError(
    `agent: sessionId is ${JSON.stringify(ofAgent)}, and createHooks has ${JSON.stringify(ofHooks)}, which every event has. Remove the sessionId of createHooks.`,
  );
}

/** An empty file in its own directory, readable by this user only. Rejects when it cannot be created. */
export async function createEnvFile(): Promise<EnvFile> {
  const { openEnvFile } = await import('./env-file/open-env-file.js');
  return openEnvFile();
}
