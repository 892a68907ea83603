import { brandErrors } from '@tenterhook/protocol/internal';

/**
 * A hook, or a handler, that cannot be registered. `path` names the field: `matcher.command_pattern`. It is an instance of `TenterhookError`, and
 * extends `TypeError` as every error of wrong use does.
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
