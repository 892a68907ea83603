import { TenterhookError } from '@tenterhook/protocol';

/**
 * The code of an error:
 * - `closed`: the rig was closed.
 * - `ended`: the process ended before it carried out the command.
 * - `timeout`: no hook started within `timeoutMs`.
 * - `malformed`: the input or a message of a process is invalid.
 * - Any other text is the error code of the operating system, such as `EPIPE`.
 */
export type HookRigErrorCode = 'closed' | 'ended' | 'timeout' | 'malformed' | (string & {});

/** A failure of a rig or of a run. Invalid arguments, such as an exit code of 256, cause a TypeError instead. */
export class HookRigError extends TenterhookError {
  declare readonly code: HookRigErrorCode;

  static {
    HookRigError.prototype.name = 'HookRigError';
  }

  constructor(code: HookRigErrorCode, message: string) {
    super(code, message);
  }
}
