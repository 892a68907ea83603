/** A hook, or a handler, that cannot be registered. `code` is stable; `path` names the field: `matcher.command_pattern`. */
export class InvalidHookError extends TypeError {
  static {
    InvalidHookError.prototype.name = 'InvalidHookError';
  }

  readonly code = 'invalid_hook';
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}
