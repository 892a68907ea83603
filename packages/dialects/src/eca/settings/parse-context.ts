import type { DialectContext, SettingsDocument } from '@tenterhook/protocol';
import type { Reporter } from '../../shared/settings/reporter.js';

/** What all functions that read settings need: the document, the machine, and the reporter of problems. */
export interface ParseContext {
  readonly document: SettingsDocument;
  readonly context: DialectContext;
  readonly reporter: Reporter;
  readonly dialect: string;
}
