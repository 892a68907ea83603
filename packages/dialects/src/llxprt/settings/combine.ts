import type { CombinedSettings, Diagnostic, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Reporter } from '../../shared/settings/reporter.js';
import { type Switch, SwitchedOffHooks } from '../../shared/settings/switched-off.js';
import {
  disabledHook,
  isGiven,
  levelOf,
  levelsAbove,
  misspelledEntries,
  readDisabled,
  whereOf,
  wordOf,
} from '../../shared/settings/switches.js';
import { formatValue } from '../../shared/text.js';
import { enableHooksField } from './schema.js';

/** What one settings file says about hooks as such. */
export interface Switches {
  readonly enableHooks?: boolean;
  readonly disabled: readonly string[];
}

export function readSwitches(value: Record<string, unknown>, reporter: Reporter): Switches {
  for (const key of ['tools', 'hooksConfig']) {
    const section = value[key];
    if (section === undefined || isPlainObject(section)) continue;
    reporter.report('invalid_field', 'error', [key], `"${key}" must be an object, and is ${formatValue(section)}; it is ignored.`, {
      remedy: 'Write an object.',
    });
  }
  const enable = fieldOf(value['tools'], 'enableHooks');
  if (enable !== undefined && !enableHooksField.safeParse(enable).success) {
    const message = `"enableHooks" must be true or false, and is ${formatValue(enable)}; it is ignored.`;
    reporter.report('invalid_field', 'error', ['tools', 'enableHooks'], message, { remedy: 'Write "enableHooks": true.' });
  }
  return {
    ...(typeof enable === 'boolean' ? { enableHooks: enable } : {}),
    disabled: readDisabled(value, reporter),
  };
}

/** A switch of the wrong type: it is unknown whether hooks should run. An invalid entry of the list is dropped alone. */
export function hasUnusableSwitch(value: Readonly<Record<string, unknown>>): boolean {
  const { tools, hooksConfig } = value;
  const [enable, disabled] = [fieldOf(tools, 'enableHooks'), fieldOf(hooksConfig, 'disabled')];
  if ([tools, hooksConfig].some((section) => section !== undefined && !isPlainObject(section))) return true;
  return (enable !== undefined && typeof enable !== 'boolean') || (disabled !== undefined && !Array.isArray(disabled));
}

/** Rules across files: which hooks are enabled (decision 25), and which ones a list disables. */
export function combine(parsed: readonly ParsedSettings[]): CombinedSettings {
  const diagnostics: Diagnostic[] = [];
  const hooks: HookDefinition[] = [];
  const off = new SwitchedOffHooks();
  for (const document of parsed) {
    const by = findSwitch(document, parsed);
    for (const hook of document.hooks) {
      if (by !== undefined) off.add(hook, by);
      else hooks.push(disabledHook(hook, parsed, diagnostics, { disabledBy, mayDisable }) ?? hook);
    }
  }
  return { hooks, off: off.off, diagnostics: [...off.diagnostics, ...diagnostics, ...misspelledEntries(parsed, disabledBy)] };
}

const switchPath = ['tools', 'enableHooks'];

/**
 * What switches the hooks of a document off; undefined if they are on. A file's own value counts, else the value of a level that may speak for it. A
 * repository can disable its own hooks but never a user's guard. Settings that the host passes are enabled unless a value says otherwise.
 */
function findSwitch(document: ParsedSettings, all: readonly ParsedSettings[]): Switch | undefined {
  const isPassed = isGiven(document.source) || document.source.startsWith('extension:');
  const speakers = [document.source, ...(levelsAbove[levelOf(document.source)] ?? [])];
  const said = wordOf(speakers, all, (speaker) => switchesOf(speaker).enableHooks);
  const where = whereOf(document);
  if (said?.value === false) {
    const isOwn = said.document === document;
    const remedy = isOwn || isPassed ? 'Write true.' : `Write true there, or "tools": { "enableHooks": true } in ${where}.`;
    return { document: said.document, path: switchPath, reason: `tools.enableHooks is false in ${said.where}.`, remedy };
  }
  if (said !== undefined || isPassed) return undefined;
  const reason = `Hooks are off by default, and neither ${where} nor a level above it sets tools.enableHooks to true.`;
  return { document, path: ['hooks'], reason, remedy: `Write "tools": { "enableHooks": true } next to "hooks".` };
}

const trust: Readonly<Record<string, number>> = { extension: 0, project: 1, settings: 2, user: 2, system: 3 };

function disabledBy(document: ParsedSettings): readonly string[] {
  return switchesOf(document).disabled;
}

/** A list disables hooks of its own source, and of sources that rank below it in trust. */
function mayDisable(speaker: string, owner: string): boolean {
  if (speaker === owner || (isGiven(speaker) && isGiven(owner))) return true;
  return (trust[levelOf(speaker)] ?? 0) > (trust[levelOf(owner)] ?? 0);
}

function switchesOf(document: ParsedSettings): Switches {
  return (document.data as Switches | undefined) ?? { disabled: [] };
}

function fieldOf(value: unknown, key: string): unknown {
  return isPlainObject(value) ? value[key] : undefined;
}
