import { createAgent } from '@tenterhook/agent';
import type { CreateHooksOptions } from './create-hooks-options.js';
import type { EnvFile, EnvFileOptions } from './env-file/open-env-file.js';
import type { Hooks } from './hooks.js';

// Each function imports the modules that it needs when it is first called. Importing them here, with Node's file modules, would take a
// fifth of the time of importing this package, and many programs do not need them.

/**
 * Finds the settings and creates a system that runs their hooks. Resolves when all sources are loaded (field failure 25). Rejects with
 * - a TypeError for invalid options;
 * - a RecordingError if the file of `record` cannot be created;
 * - a SettingsError if `strict` is set and the settings have an error;
 * - a TenterhookError (`cancelled`) if the signal aborts first.
 */
export async function createHooks(options: CreateHooksOptions = {}): Promise<Hooks> {
  const currentDir = getCurrentDir();
  const { openHooks } = await import('./open/open-hooks.js');
  const hooks = await openHooks(options, { currentDir });
  return Object.assign(hooks, {
    agent: (agentOptions) => {
      requireSameSession(options.sessionId, agentOptions?.sessionId);
      return createAgent(hooks, agentOptions);
    },
  } satisfies Pick<Hooks, 'agent'>);
}

/**
 * Returns the current directory, or undefined if it was removed. Called before the first `await`: relative paths in the options are
 * resolved against the directory at the time of the call, and the directory may change later.
 */
function getCurrentDir(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/**
 * Throws if `createHooks()` and `hooks.agent()` received different session ids. Without this check, the id of the agent would be ignored.
 */
function requireSameSession(ofHooks: string | undefined, ofAgent: string | undefined): void {
  if (ofHooks === undefined || ofAgent === undefined || ofHooks === ofAgent) return;
  throw new TypeError(
    `agent: sessionId is ${JSON.stringify(ofAgent)}, but the sessionId of createHooks is ${JSON.stringify(ofHooks)}, which would replace it in every event. Remove the sessionId of createHooks.`,
  );
}

/**
 * Creates an empty file in its own directory, readable by this user only. Rejects with a TenterhookError: `not_created`, or `cancelled` if
 * the signal aborts. After an abort the file is removed.
 */
export async function createEnvFile(options: EnvFileOptions = {}): Promise<EnvFile> {
  const { openEnvFile } = await import('./env-file/open-env-file.js');
  return openEnvFile(options);
}
