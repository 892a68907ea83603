import type { DialectContext, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { parentOf } from '../../shared/paths.js';
import { isUnusableSection, readEvents } from '../../shared/settings/read-groups.js';
import { Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { groupFormat } from '../group-format.js';
import type { ClaudeHost } from '../options.js';
import { readEnv } from '../settings-env.js';
import type { ClaudeHookData } from './hook-data.js';
import type { ParseOptions } from './parse-context.js';
import { hasUnusablePolicy, readPolicies, sessionEndMsOf } from './policies.js';

/** Settings to hooks. A bad part is dropped with a diagnostic that has file, line, path and remedy; its siblings stay. */
export function parse(
  document: SettingsDocument,
  { home, projectDir, environment, platform }: DialectContext,
  host: ClaudeHost,
  dialect: string,
): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value: settings, frontMatterOf } = document;
  if (!isPlainObject(settings)) {
    const message = `The settings are ${formatValue(settings)} and not an object.`;
    reporter.report('invalid_document', 'error', [], message, { remedy: 'Write { "hooks": { … } }.' });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const plugin = pluginOf(document);
  const options: ParseOptions = {
    host,
    roots: { home, projectDir },
    platform,
    environment,
    ...(frontMatterOf === undefined ? {} : { frontMatterOf }),
    ...(plugin === undefined ? {} : { plugin }),
  };
  const format = groupFormat(options);
  // A manifest may have an "env" that is none of ours.
  const env = plugin === undefined ? readEnv(settings, reporter) : {};
  const data = { ...readPolicies(settings, document, reporter), ...sessionEndMsOf(environment), ...env };
  const hooks = readEvents(settings, { document, reporter, dialect }, format);
  const isUnusable = hasUnusablePolicy(settings) || isUnusableSection(settings['hooks'], format);
  return { hooks, diagnostics: reporter.diagnostics, data, isUnusable };
}

/** The directory that a plugin's hooks name in their commands: as it was handed in, or the one that holds the file where a plugin has it. */
function pluginOf({ source, directory, file }: SettingsDocument): ClaudeHookData['plugin'] {
  const name = /^plugin:(.+)$/s.exec(source)?.[1];
  const folder = file === undefined ? undefined : /^(.*)[\\/](?:hooks[\\/]hooks|\.claude-plugin[\\/]plugin)\.json$/s.exec(file)?.[1];
  const root = directory ?? folder ?? (name === undefined || file === undefined ? undefined : parentOf(file));
  if (root === undefined || (name === undefined && folder === undefined)) return undefined;
  return { root, ...(name === undefined ? {} : { name }) };
}
