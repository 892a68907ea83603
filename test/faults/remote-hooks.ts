import type { AggregatedHookResult, FireOptions } from '@tenterhook/protocol';
import { type HookRig, hookRig } from '@tenterhook/testing';
import type { CreateHooksOptions } from 'tenterhook';
import { type HookText, type Scene, settingsOf, withHooks } from '../support/fire-hooks.js';

/** A hook system with hooks that the test controls remotely. */
export interface RemoteScene extends Scene {
  readonly rig: HookRig;
  fire(options?: FireOptions): Promise<AggregatedHookResult>;
}

export interface RemoteOptions extends CreateHooksOptions {
  readonly sequential?: boolean;
}

/** The event that is fired. */
export const toolRequest = { eventName: 'BeforeTool', input: { tool_name: 'write_file', tool_input: {} } };

/**
 * Creates a system with the hooks of one group. `command()` returns the command of a remote-controlled hook. Processes that the hooks leave
 * are ended with the rig.
 */
export async function withRemoteHooks(
  hooksOf: (command: HookRig['command']) => readonly HookText[],
  use: (scene: RemoteScene) => Promise<void>,
  { sequential = false, ...options }: RemoteOptions = {},
): Promise<void> {
  const rig = await hookRig();
  try {
    const settings = settingsOf('BeforeTool', hooksOf(rig.command), { sequential });
    await withHooks({ settings, ...options }, (scene) => {
      const fire = (fireOptions?: FireOptions) => scene.handler.fire(toolRequest.eventName, toolRequest.input, fireOptions);
      return use({ ...scene, rig, fire });
    });
  } finally {
    await rig.close();
  }
}
