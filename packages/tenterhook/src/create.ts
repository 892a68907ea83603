import { createAgent } from '@tenterhook/agent';
import type { CreateHooksOptions } from './create-hooks-options.js';
import type { EnvFile, EnvFileOptions } from './env-file/open-env-file.js';
import type { Hooks } from './hooks.js';

// The modules that these functions need are imported by the first call. With the Node modules for reading files, they take a fifth of the
// time of importing this package, and many programs use only other parts of it.

/**
 * Finds the settings and creates a system that runs their hooks. Resolves when all sources are loaded (field failure 25). Rejects with a
 * TypeError for invalid options, with a SettingsError if `strict` is set and the settings have an error, and with a TenterhookError
 * (`cancelled`) if the signal aborts before.
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

/**
 * Returns the current directory; undefined if it was removed. It is read before anything is awaited, because relative paths in the options
 * are resolved against the directory at the time of the call.
 */
function getCurrentDir(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Throws if both have a session id and these differ. Without this check, the agent's id would be ignored. */
function requireSameSession(ofHooks: string | undefined, ofAgent: string | undefined): void {
  if (ofHooks === undefined || ofAgent === undefined || ofHooks === ofAgent) return;
  throw new TypeError(
    `agent: sessionId is ${JSON.stringify(ofAgent)}, but the sessionId of createHooks is ${JSON.stringify(ofHooks)}, which would replace it in every event. Remove the sessionId of createHooks.`,
  );
}

/**
 * Creates an empty file in a directory of its own, readable by this user only. Rejects with a TenterhookError: `not_created`, or `cancelled`
 * if the signal aborts. What is created after the abort is removed.
 */
export async function createEnvFile(options: EnvFileOptions = {}): Promise<EnvFile> {
  const { openEnvFile } = await import('./env-file/open-env-file.js');
  return openEnvFile(options);
}
