import type { ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { isUnusableSection, readEvents } from '../shared/settings/read-groups.js';
import { Reporter } from '../shared/settings/reporter.js';
import { formatValue } from '../shared/text.js';
import { groupFormat } from './group-format.js';
import { reportSwitches } from './misplaced-switches.js';
import { hasUnusableSwitch, readSwitches } from './switches.js';

/** Settings to hooks. A bad part is dropped with a diagnostic that has file, line, path and remedy; its siblings stay. */
export function parse(document: SettingsDocument, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value: settings } = document;
  if (!isPlainObject(settings)) {
    reporter.report('invalid_document', 'error', [], `The settings are ${formatValue(settings)} and not an object.`, {
      remedy: 'Write { "hooks": { … } }.',
    });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const data = readSwitches(settings, reporter);
  reportSwitches(settings, reporter);
  const hooks = readEvents(settings, { document, reporter, dialect }, groupFormat);
  const isUnusable = hasUnusableSwitch(settings) || isUnusableSection(settings['hooks'], groupFormat);
  return { hooks, diagnostics: reporter.diagnostics, data, isUnusable };
}
