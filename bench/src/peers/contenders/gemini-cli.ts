import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type Contender, tool } from './contender.js';
import { settingsOf } from './tenterhook.js';

export const geminiName = 'Gemini CLI core';

/** What the benchmarks use of `@google/gemini-cli-core`. It is imported by its path, because most checkouts do not have it. */
interface GeminiHooks {
  readonly HookSystem: new (config: object) => GeminiHookSystem;
}

export interface GeminiHookSystem {
  initialize(): Promise<void>;
  getAllHooks(): readonly unknown[];
  registerHook(hook: { type: 'runtime'; name: string; action: () => Promise<object> }, eventName: 'BeforeTool'): void;
  getEventHandler(): { fireBeforeToolEvent(tool: string, input: object): Promise<GeminiResult> };
}

export interface GeminiResult {
  readonly success: boolean;
  readonly allOutputs: readonly { readonly decision?: string }[];
  readonly errors: readonly Error[];
}

const core = new URL('../../../peers/node_modules/@google/gemini-cli-core/', import.meta.url);

/** Returns the URL of a file of the installed package, or undefined if it is not installed. */
export function geminiFile(path: string): string | undefined {
  const url = new URL(path, core);
  return existsSync(url) ? url.href : undefined;
}

/** The entry point that loads only the hooks of the package. */
export const geminiHooks = () => geminiFile('dist/src/hooks/index.js');

/**
 * Creates a hook system with these settings. The configuration is the least that the hook system reads. Usage statistics and telemetry are
 * off, which is the default of telemetry. Its debug messages are dropped: without the command line, they are printed.
 */
export async function geminiHookSystem(settings: object): Promise<GeminiHookSystem> {
  const [hooks, logger] = [geminiHooks(), geminiFile('dist/src/utils/debugLogger.js')];
  if (hooks === undefined || logger === undefined)
    throw new Error('@google/gemini-cli-core is not installed; npm run bench:peers installs it');
  const { debugLogger } = (await import(logger)) as { debugLogger: { debug: () => void } };
  debugLogger.debug = () => {};
  const { HookSystem } = (await import(hooks)) as GeminiHooks;
  const config = {
    getHooks: () => (settings as { hooks?: object }).hooks,
    getProjectHooks: () => undefined,
    getDisabledHooks: () => [],
    getExtensions: () => [],
    isTrustedFolder: () => true,
    getProjectRoot: () => process.cwd(),
    getWorkingDir: () => process.cwd(),
    getSessionId: () => 'bench',
    getUsageStatisticsEnabled: () => false,
    getTelemetryEnabled: () => false,
    sanitizationConfig: { allowedEnvironmentVariables: [], blockedEnvironmentVariables: [], enableEnvironmentVariableRedaction: false },
    storage: { getPlansDir: () => tmpdir() },
  };
  // Parts of the hook system read the configuration as a property of their context.
  const system = new HookSystem({ ...config, config });
  await system.initialize();
  return system;
}

/** The hook system of Gemini CLI, as its own command line creates it. */
export const geminiCli: Contender = {
  name: geminiName,
  start: async (wanted, input) => {
    const { count = 1, prints } = wanted;
    const system = await geminiHookSystem(settingsOf(wanted));
    if (system.getAllHooks().length !== count) throw new Error(`${geminiName}: the hooks were not loaded`);
    const handler = system.getEventHandler();
    const outputs = prints === '' ? 0 : count;
    const decision = prints === '{"decision":"allow"}' ? 'allow' : undefined;
    return {
      name: geminiName,
      fire: async () => {
        const { success, allOutputs, errors } = await handler.fireBeforeToolEvent(tool, input);
        const answered = allOutputs.filter((output) => output.decision === decision).length;
        if (!success || errors.length > 0 || answered !== outputs) throw new Error(`${geminiName}: not every hook answered`);
      },
    };
  },
};
