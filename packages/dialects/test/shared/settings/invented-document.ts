import type { SettingsDocument } from '@tenterhook/protocol';
import { Reporter } from '../../../src/parts.js';

/** Every path is on the line that is its length, so that a lost place shows. */
export const document: SettingsDocument = {
  source: 'project',
  file: '/srv/app/hooks.json',
  value: {},
  locate: (path) => ({ line: path.length + 1, column: 1 }),
};

export function inventedReporter(): Reporter {
  return new Reporter(document, 'invented');
}
