import { type Diagnostic, formatDiagnostic } from '@tenterhook/protocol';

/** Thrown by `createHooks({ strict: true })` when settings cannot be used as they are written. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'invalid_settings';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
  }
}
