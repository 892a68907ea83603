import type { HookDefinition } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import type { Scene } from '../../support/fire-hooks.js';
import { formatNamed, formatNames } from '../../support/formats.js';
import { type Places, withPlaces } from '../../support/places.js';

/** The path of the administrator's settings in Claude Code's format. */
export const managedFile = 'etc/managed-settings.json';

/** Creates a private home and project in which every format finds its settings. The administrator's settings are in `etc`. */
export function withLevels(
  use: (
    places: Places,
    discover: <Result>(use: (scene: Scene) => Promise<Result>, options?: CreateHooksOptions) => Promise<Result>,
  ) => Promise<void>,
  environment: (places: Places) => Readonly<Record<string, string | undefined>> = () => ({}),
): Promise<void> {
  return withPlaces(async (places) => {
    const dialects = formatNames.map((name) => formatNamed(name).dialect(places.at('etc')));
    await use(places, (useScene, options = {}) => places.discover(useScene, { dialects, ...options }));
  }, environment);
}

/** A guard that denies every call without reading it. */
export const denies = `cat > /dev/null; echo 'guarded' >&2; exit 2`;

export function callShell({ handler }: Scene, command = 'rm -rf /') {
  return handler.fireBeforeToolEvent('run_shell_command', { command });
}

/** The sources of the hooks of an event that run for some call. */
export function activeSources({ hooks }: Scene): string[] {
  return hooks
    .list('BeforeTool')
    .flatMap(({ hook, state }: { hook: HookDefinition; state: string }) => (state === 'active' ? [hook.source] : []));
}
