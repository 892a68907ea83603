import type { CreateHooksOptions } from 'tenterhook';
import { callShell, withLevels } from '../attacks/levels/places.js';
import type { Scene } from '../support/fire-hooks.js';
import { formatNamed, formatNames } from '../support/formats.js';
import type { Places } from '../support/places.js';

export { formatNamed, formatNames, formats } from '../support/formats.js';

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

/** Writes settings of the project in a format, with one hook before tools that its agent's user has reviewed. */
export function writeGuard(places: Places, name: string, command: string): void {
  const { project, settings, review } = formatNamed(name);
  places.write(project, settings([{ command }]));
  review?.(places, command);
}

/** The formats whose user hooks start in the project. */
export const formatsInProject = formatNames.filter((name) => formatNamed(name).startsUserHooksElsewhere !== true);

/** Settings in Claude Code's format with one guard before tools. */
export function guard(command: string, fields: Readonly<Record<string, unknown>> = {}): object {
  return { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, ...fields }] }] } };
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
