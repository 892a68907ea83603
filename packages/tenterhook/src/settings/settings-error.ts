import { type Diagnostic, formatDiagnostic, TenterhookError } from '@tenterhook/protocol';

/** Thrown by `createHooks({ strict: true })` if the settings have an error. */
export class SettingsError extends TenterhookError {
  static {
    SettingsError.prototype.name = 'SettingsError';
  }

  declare readonly code: 'invalid_settings';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super('invalid_settings', diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
  }
}
