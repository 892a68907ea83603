import type { FireOptions } from '@tenterhook/engine';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { type HookRig, hookRig } from '@tenterhook/testing';
import type { CreateHooksOptions } from 'tenterhook';
import { type HookText, type Scene, settingsOf, withHooks } from '../support/fire-hooks.js';

/** A hook system of which some hooks are remote-controlled. */
export interface RemoteScene extends Scene {
  readonly rig: HookRig;
  fire(options?: FireOptions): Promise<AggregatedHookResult>;
}

export interface RemoteOptions extends CreateHooksOptions {
  readonly sequential?: boolean;
}

/** The event that is fired. */
export const toolRequest = { eventName: 'BeforeTool', input: { tool_name: 'write_file', tool_input: {} } };

/** The hooks of one group; `command()` gives the command of a remote-controlled one. What the hooks leave behind ends with the rig. */
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
