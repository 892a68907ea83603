/** Types for settings in the format of LLxprt Code. */

export interface CommandHookConfig {
  /** @default 'command' */
  type?: 'command';
  /** Shell command. The shell expands `~` and `$VARIABLES`. */
  command: string;
  /** Milliseconds, from 1 to 2147483647. @default 60000 */
  timeout?: number;
  name?: string;
  description?: string;
  env?: Record<string, string>;
  /** What happens if the hook fails: nothing (`continue`) or a deny (`block`). @default 'continue' */
  onError?: 'continue' | 'block';
}

export type HookConfig = CommandHookConfig;

export interface HookGroup {
  /** The pattern that selects events. @default every event matches */
  matcher?: string;
  /** @default false */
  sequential?: boolean;
  hooks: HookConfig[];
}

export interface SettingsHooks {
  hooks: { [eventName: string]: HookGroup[] };
}
