import type { DialectContext, SettingsDocument } from '@tenterhook/protocol';
import type { Reporter } from '../../shared/settings/reporter.js';

export interface ParseContext {
  readonly document: SettingsDocument;
  readonly context: DialectContext;
  readonly reporter: Reporter;
  readonly dialect: string;
}
