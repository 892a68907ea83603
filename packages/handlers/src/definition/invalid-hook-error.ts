import { brandErrors } from '@tenterhook/protocol/internal';

/**
 * Thrown for a hook, or a handler, that cannot be registered. `path` names the field, such as `matcher.command_pattern`. It is an instance
 * of `TenterhookError`, and also of `TypeError`, like every error about wrong use.
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
