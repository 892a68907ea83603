import type { DialectContext, SettingsDocument } from '@tenterhook/protocol';
import type { Reporter } from '../../shared/settings/reporter.js';

/** Where hooks are read: whose they are, and who is told what is wrong with them. */
export interface ParseContext {
  readonly document: SettingsDocument;
  readonly context: DialectContext;
  readonly reporter: Reporter;
  readonly dialect: string;
}
