/** The answer of a hook to one event, as exit code and outputs of a process. */
export interface HookAnswer {
  /** 0: the answer counts. 2: the operation is denied, with the reason in `stderr`. Other codes: the hook has failed. @default 0 */
  readonly exitCode?: number;
  /** The answer as an object. @default no answer */
  readonly output?: Readonly<Record<string, unknown>>;
  /** The answer as text, in place of `output`. @default the text of `output` */
  readonly stdout?: string;
  /** Logs, or the reason of a deny. @default '' */
  readonly stderr?: string;
}

/**
 * Runs a function for each event. Works as a resident hook (`"mode": "resident"`) and with a process for each event. If the function
 * throws, the hook has failed with exit code 1. What it writes with `console.log` goes to stderr.
 */
export function answerEvents(
  handle: (event: Readonly<Record<string, unknown>>) => HookAnswer | undefined | Promise<HookAnswer | undefined>,
): Promise<void>;
