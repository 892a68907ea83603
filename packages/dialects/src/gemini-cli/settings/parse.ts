import type { DialectContext, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { isUnusableSection, readEvents } from '../../shared/groups/read-events.js';
import { withSlashes } from '../../shared/settings/claimed-by-place.js';
import { formatValue } from '../../shared/settings/format-value.js';
import { reportMisplacedList, reportMisplacedSwitches } from '../../shared/settings/misplaced-switches.js';
import { Reporter } from '../../shared/settings/reporter.js';
import { groupFormat } from '../group-format.js';
import type { GeminiHost } from '../options.js';
import { extensionPathsOf, filledIn, isOfExtension } from './extension-paths.js';
import { manifestFile } from './locations.js';
import { hasUnusableSwitch, readSwitches, type Switches } from './switches.js';

type Fields = Readonly<Record<string, unknown>>;

/** Settings to hooks. A bad part is dropped with a diagnostic that has file, line, path and remedy; its siblings stay. */
export function parse(document: SettingsDocument, context: DialectContext, host: GeminiHost, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value: settings } = document;
  if (!isPlainObject(settings)) {
    reporter.report('invalid_document', 'error', [], `The settings are ${formatValue(settings)} and not an object.`, {
      remedy: 'Write { "hooks": { … } }.',
    });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  if (isOfExtension(document) && isManifest(document)) {
    reporter.report('misplaced_hooks', 'error', ['hooks'], 'Gemini CLI reads no hooks in the manifest of an extension; they do not run.', {
      remedy: 'Move them to hooks/hooks.json of the extension.',
    });
    return { hooks: [], diagnostics: reporter.diagnostics };
  }
  const switches = switchesOf(settings, document, reporter);
  const format = groupFormat(context, host);
  const paths = extensionPathsOf(document, context);
  if (paths !== undefined) reportUnknownPath(settings, paths.extensionPath, reporter);
  const read = paths === undefined ? settings : { ...settings, hooks: filledIn(settings['hooks'], paths) };
  const hooks = readEvents(read, { document, reporter, dialect }, format);
  const isUnusable = switches.isUnusable || isUnusableSection(settings['hooks'], format);
  return { hooks, diagnostics: reporter.diagnostics, data: switches.data, isUnusable };
}

function switchesOf(settings: Fields, document: SettingsDocument, reporter: Reporter): { data?: Switches; isUnusable: boolean } {
  if (isOfExtension(document)) {
    reportSwitchesOfExtension(settings, reporter);
    return { isUnusable: false };
  }
  const data = readSwitches(settings, reporter);
  reportSwitches(settings, reporter);
  return { data, isUnusable: hasUnusableSwitch(settings) };
}

/** Where people, and older versions, write the switch that is `hooksConfig.enabled`. One that is on says what is so without it. */
function reportSwitches(settings: Fields, reporter: Reporter): void {
  const elsewhere = [
    ['enableHooks'],
    ['tools', 'enableHooks'],
    ['hooksConfig', 'enableHooks'],
    ['hooks', 'enabled'],
    ['hooks', 'enableHooks'],
  ];
  reportMisplacedSwitches(settings, ['hooksConfig', 'enabled'], elsewhere, reporter, true);
  reportMisplacedSwitches(settings, ['hooksConfig', 'notifications'], [['hooks', 'notifications']], reporter, true);
  reportMisplacedList(settings, reporter);
}

/** What an extension brings along is hooks. A list of it that switched other hooks off would be a guard gone with an update. */
function reportSwitchesOfExtension(settings: Fields, reporter: Reporter): void {
  if (settings['hooksConfig'] === undefined) return;
  reporter.report('misplaced_switch', 'warning', ['hooksConfig'], '"hooksConfig" of an extension is not read and switches nothing.', {
    remedy: 'Write it into the settings of the user or the project.',
  });
}

function reportUnknownPath({ hooks }: Fields, extensionPath: string | undefined, reporter: Reporter): void {
  if (extensionPath !== undefined || !JSON.stringify(hooks ?? '').includes(`\${extensionPath}`)) return;
  const message = `"\${extensionPath}" is used, and nobody said where the extension lies; it stays as it is.`;
  reporter.report('invalid_field', 'warning', ['hooks'], message, { remedy: 'Hand the extension over with its directory.' });
}

function isManifest({ file }: SettingsDocument): boolean {
  return file !== undefined && withSlashes(file).endsWith(`/${manifestFile}`);
}
