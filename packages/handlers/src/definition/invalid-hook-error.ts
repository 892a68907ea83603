import { brandErrors } from '@tenterhook/protocol/internal';

/**
 * Thrown for a hook or a handler that cannot be registered. `path` names the field, e.g. `matcher.command_pattern`. Like every error about
 * wrong use, it is a `TypeError` and a `TenterhookError`.
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
