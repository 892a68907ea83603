/** Command hooks of one event. */
export interface CommandHooks {
  readonly command: string;
  /** @default 1 */
  readonly count?: number;
  /** One after another instead of side by side. */
  readonly sequential?: boolean;
  /** The answer that each hook must give: what it prints, and whether that allows the call. */
  readonly prints: '' | '{}' | '{"decision":"allow"}';
}

/** A way to run hooks, ready for events. */
export interface Ready {
  readonly name: string;
  /** Fires the event. Rejects if an answer is missing or wrong. */
  fire(): Promise<void>;
  /** Replaces `fire` where another process has the clock. Resolves to milliseconds. */
  readonly measure?: () => Promise<number>;
  dispose?(): Promise<void>;
}

/** A way to run hooks. */
export interface Contender {
  readonly name: string;
  start(hooks: CommandHooks, input: Record<string, unknown>): Promise<Ready>;
}

/** The event that all contenders fire: a call of this tool. */
export const tool = 'write_file';

/** The arguments of the call, so that the input of a hook has about this number of bytes. */
export function callOf(bytes: number): Record<string, unknown> {
  return { path: 'a.txt', content: 'x'.repeat(Math.max(0, bytes - 200)) };
}
