import type { DialectContext, HookDefinition, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { Reporter } from '../shared/settings/reporter.js';
import { formatValue } from '../shared/text.js';
import { misplacedHooks } from './misplaced-hooks.js';
import { parseHook } from './parse-hook.js';

/** Settings to hooks, one for each action. A bad part is dropped with a diagnostic; its siblings stay. What stands beside "hooks" is not ours. */
export function parse(document: SettingsDocument, context: DialectContext, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value } = document;
  if (!isPlainObject(value)) {
    const message = `The settings are ${formatValue(value)} and not an object.`;
    reporter.report('invalid_document', 'error', [], message, { remedy: 'Write { "hooks": { … } }.' });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const written = value['hooks'];
  if (written !== undefined && !isPlainObject(written)) {
    const message = `"hooks" is ${formatValue(written)} and not an object.`;
    const remedy = 'Write { "my-hook": { "type": "preToolCall", "actions": [ … ] } }.';
    reporter.report('invalid_document', 'error', ['hooks'], message, { remedy });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const parsing = { document, context, reporter, dialect };
  const hooks: HookDefinition[] = Object.entries(written ?? {}).flatMap(([key, hook]) => parseHook(key, hook, parsing));
  return { hooks: [...hooks, ...misplacedHooks(value, parsing)], diagnostics: reporter.diagnostics };
}
