import { brandErrors } from '@tenterhook/protocol/internal';

/**
 * Thrown for a hook, or a handler, that cannot be registered. `path` names the field: `matcher.command_pattern`. It is an instance of
 * `TenterhookError`, and extends `TypeError` as every error about wrong use does.
 */
export class InvalidHookError extends TypeError {
  static {
    InvalidHookError.prototype.name = 'InvalidHookError';
    brandErrors(InvalidHookError);
  }

  readonly code = 'invalid_hook';
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}
