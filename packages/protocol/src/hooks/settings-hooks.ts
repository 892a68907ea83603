/** Types for settings in the format of LLxprt Code. */

export interface CommandHookConfig {
  /** @default 'command' */
  type?: 'command';
  /** Shell command. The shell expands `~` and `$VARIABLES`. */
  command: string;
  /** Milliseconds, 1 to 2147483647. @default 60000 */
  timeout?: number;
  name?: string;
  description?: string;
  env?: Record<string, string>;
  /** What a failure means. @default 'continue' */
  onError?: 'continue' | 'block';
}

export type HookConfig = CommandHookConfig;

export interface HookGroup {
  /** The pattern that selects events. Absent: matches everything. */
  matcher?: string;
  /** @default false */
  sequential?: boolean;
  hooks: HookConfig[];
}

export interface SettingsHooks {
  hooks: { [eventName: string]: HookGroup[] };
}
