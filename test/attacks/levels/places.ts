import { claudeCode, eca, geminiCli, llxprt } from '@tenterhook/dialects';
import type { HookDefinition } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import type { Scene } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';

/** How one format writes a hook that runs before a tool, and where the settings of a project and of a user are. */
interface Format {
  readonly project: string;
  readonly user: string;
  settings(command: string, fields?: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Settings that switch hooks off in this format, or that may be taken for such a switch. */
  readonly switches: Readonly<Record<string, unknown>>;
}

const group = (event: string, command: string, fields: object) => ({
  hooks: { [event]: [{ hooks: [{ type: 'command', command, ...fields }] }] },
});

export const formats: Readonly<Record<'llxprt' | 'claude-code' | 'gemini-cli' | 'eca', Format>> = {
  llxprt: {
    project: 'project/.llxprt/settings.json',
    user: 'home/.llxprt/settings.json',
    settings: (command, fields = {}) => ({ tools: { enableHooks: true }, ...group('BeforeTool', command, fields) }),
    switches: { tools: { enableHooks: false } },
  },
  'claude-code': {
    project: 'project/.claude/settings.json',
    user: 'home/.claude/settings.json',
    settings: (command, fields = {}) => group('PreToolUse', command, fields),
    switches: { disableAllHooks: true },
  },
  'gemini-cli': {
    project: 'project/.gemini/settings.json',
    user: 'home/.gemini/settings.json',
    settings: (command, fields = {}) => group('BeforeTool', command, fields),
    switches: { hooksConfig: { enabled: false } },
  },
  eca: {
    project: 'project/.eca/config.json',
    user: 'home/.config/eca/config.json',
    settings: (command, { onError }: Readonly<Record<string, unknown>> = {}) => ({
      hooks: {
        guard: { type: 'preToolCall', ...(onError === undefined ? {} : { onError }), actions: [{ type: 'shell', shell: command }] },
      },
    }),
    switches: {},
  },
};

export type FormatName = keyof typeof formats;
export const formatNames = Object.keys(formats) as FormatName[];

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
    const dialects = [
      llxprt({ systemFile: places.at('etc/llxprt.json') }),
      claudeCode({ managedFile: places.at(managedFile) }),
      geminiCli({ systemFile: places.at('etc/gemini.json') }),
      eca(),
    ];
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
