import { createHookClient, type HookClient, type HookClientOptions, type ToolInput, type ToolResult } from '@tenterhook/agent';
import type { HookEventName } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { type HookText, type Scene, settingsOf, withEndingHooks } from './fire-hooks.js';

export interface AgentScene extends Scene {
  readonly client: HookClient;
}

/** Creates a client with its own hook system, for the time of a test. */
export function withClient<Result>(
  options: CreateHooksOptions,
  use: (scene: AgentScene) => Promise<Result>,
  clientOptions: HookClientOptions = {},
): Promise<Result> {
  return withEndingHooks(options, (scene) => use({ ...scene, client: createHookClient(scene.hooks, clientOptions) }));
}

/** Creates such a client, with these hooks in one group of each event. */
export function withCommands<Result>(
  hooks: Partial<Record<HookEventName, readonly HookText[]>>,
  use: (scene: AgentScene) => Promise<Result>,
  clientOptions: HookClientOptions = {},
): Promise<Result> {
  const settings = Object.entries(hooks).map(([eventName, commands]) => settingsOf(eventName as HookEventName, commands));
  const events = settings.map((each) => (each as { hooks: Record<string, unknown> }).hooks);
  return withClient({ settings: { hooks: Object.assign({}, ...events) } }, use, clientOptions);
}

/** A tool that records its calls. */
export function recordingTool(result: ToolResult = { llmContent: 'done' }) {
  const calls: ToolInput[] = [];
  const execute = (input: ToolInput): ToolResult => {
    calls.push(input);
    return result;
  };
  return { calls, execute };
}

/** A model that records its requests. */
export function recordingModel<Request, Response>(response: Response) {
  const requests: Request[] = [];
  const call = (sent: Request): Response => {
    requests.push(sent);
    return response;
  };
  return { requests, call };
}

/** The events that were fired, in order. */
export function firedEvents({ progress }: Scene): string[] {
  return progress.filter(({ kind }) => kind === 'planned').map(({ eventName }) => eventName);
}
