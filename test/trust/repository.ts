import type { CreateHooksOptions } from 'tenterhook';
import { callShell, type FormatName, formats, withLevels } from '../attacks/levels/places.js';
import type { Scene } from '../support/fire-hooks.js';
import type { Places } from '../support/places.js';

export { formatNames, formats } from '../attacks/levels/places.js';

/** Discovers hooks. Of those that come with the project, only the accepted ones run. */
export type Discover = <Result>(use: (scene: Scene) => Promise<Result>, options?: CreateHooksOptions) => Promise<Result>;

/** Creates a private home and project, in which hooks need the trust of their user. */
export function withRepository(use: (places: Places, discover: Discover) => Promise<void>): Promise<void> {
  return withLevels(
    (places, discover) => use(places, (useScene, options = {}) => discover(useScene, { trust: 'store', ...options })),
    (places) => ({ XDG_STATE_HOME: places.at('state') }),
  );
}

/** Trusts every hook that needs a decision. */
export async function acceptAll({ hooks }: Scene): Promise<void> {
  for (const { pin } of hooks.trust.requests()) await hooks.trust.accept(pin);
}

/** A script that denies every call with this reason. */
export function denying(reason: string): string {
  return `#!/bin/sh\ncat > /dev/null\necho '${reason}' >&2\nexit 2\n`;
}

/** Settings of a project with one guard before tools. */
export function guard(command: string, fields: Readonly<Record<string, unknown>> = {}, format: FormatName = 'claude-code'): object {
  return formats[format].settings(command, fields);
}

/** The verdict on a tool call, and the reason. */
export async function callTool(scene: Scene): Promise<{ kind: string; reason: string | undefined }> {
  const { verdict } = await callShell(scene, 'ls');
  return { kind: verdict.kind, reason: verdict.reason };
}

/** The states of trust of the hooks before tools, in plan order. */
export function statesIn({ hooks }: Scene): (string | undefined)[] {
  return hooks.list('BeforeTool').map(({ hook }) => hook.trust?.state);
}
