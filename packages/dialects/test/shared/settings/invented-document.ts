import type { SettingsDocument } from '@tenterhook/protocol';
import { Reporter } from '../../../src/parts.js';

/** The line of a path is the length of the path, so a diagnostic with a wrong place fails a test. */
export const document: SettingsDocument = {
  source: 'project',
  file: '/srv/app/hooks.json',
  value: {},
  locate: (path) => ({ line: path.length + 1, column: 1 }),
};

export function inventedReporter(): Reporter {
  return new Reporter(document, 'invented');
}
