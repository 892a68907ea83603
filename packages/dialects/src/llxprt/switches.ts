import { type CombinedSettings, type Diagnostic, type HookDefinition, isPlainObject, type ParsedSettings } from '@tenterhook/protocol';
import type { Reporter } from '../settings/reporter.js';
import { shown } from '../shown.js';
import { disabledField, enableHooksField } from './settings-schema.js';

/** What one settings file says about hooks as such. */
export interface Switches {
  readonly enableHooks?: boolean;
  readonly disabled: readonly string[];
}

export function readSwitches(value: Record<string, unknown>, reporter: Reporter): Switches {
  for (const key of ['tools', 'hooksConfig']) {
    const section = value[key];
    if (section === undefined || isPlainObject(section)) continue;
    reporter.report('invalid_field', 'error', [key], `"${key}" is ${shown(section)} and not an object; it is ignored.`, {
      remedy: 'Write an object.',
    });
  }
  const enable = fieldOf(value['tools'], 'enableHooks');
  const disabled = fieldOf(value['hooksConfig'], 'disabled');
  if (enable !== undefined && !enableHooksField.safeParse(enable).success) {
    const message = `"enableHooks" is ${shown(enable)} and not true or false; it is ignored.`;
    reporter.report('invalid_field', 'error', ['tools', 'enableHooks'], message, { remedy: 'Write "enableHooks": true.' });
  }
  if (disabled !== undefined && !disabledField.safeParse(disabled).success) {
    const message = `"disabled" is ${shown(disabled)} and not a list of names or commands; what is no text in it is ignored.`;
    reporter.report('invalid_field', 'error', ['hooksConfig', 'disabled'], message, { remedy: 'Write "disabled": ["name"].' });
  }
  return {
    ...(typeof enable === 'boolean' ? { enableHooks: enable } : {}),
    disabled: Array.isArray(disabled) ? disabled.filter((entry) => typeof entry === 'string') : [],
  };
}

/** A switch of another type than it has to be: whether hooks should run cannot be told. A bad entry of a list is left out by itself. */
export function hasUnusableSwitch(value: Readonly<Record<string, unknown>>): boolean {
  const { tools, hooksConfig } = value;
  const [enable, disabled] = [fieldOf(tools, 'enableHooks'), fieldOf(hooksConfig, 'disabled')];
  if ([tools, hooksConfig].some((section) => section !== undefined && !isPlainObject(section))) return true;
  return (enable !== undefined && typeof enable !== 'boolean') || (disabled !== undefined && !Array.isArray(disabled));
}

/** Rules across files: who is switched on (decision 25), and which hooks a list disables. */
export function combine(parsed: readonly ParsedSettings[]): CombinedSettings {
  const diagnostics: Diagnostic[] = [];
  const hooks: HookDefinition[] = [];
  const off: { hook: HookDefinition; reason: string }[] = [];
  for (const document of parsed) {
    const state = enabledState(document, parsed);
    for (const hook of document.hooks) {
      if (!state.enabled) off.push({ hook, reason: state.reason });
      else hooks.push(disabledBy(hook, parsed, diagnostics) ?? hook);
    }
  }
  return { hooks, off, diagnostics };
}

/**
 * A file's own value, else that of the levels which may speak for it. A repository can switch its own hooks off and never a
 * user's guard; what the host handed in is on unless somebody says no.
 */
function enabledState(document: ParsedSettings, all: readonly ParsedSettings[]): { enabled: boolean; reason: string } {
  const given = isGiven(document.source) || document.source.startsWith('extension:');
  const speakers = [document.source, ...(levelsAbove[levelOf(document.source)] ?? [])];
  for (const source of speakers) {
    const speaker = all.find(
      (candidate) =>
        (candidate.source === source || levelOf(candidate.source) === source) && switchesOf(candidate).enableHooks !== undefined,
    );
    if (speaker === undefined) continue;
    const enabled = switchesOf(speaker).enableHooks === true;
    return { enabled, reason: `tools.enableHooks is ${enabled} in ${speaker.file ?? `the settings "${speaker.source}"`}.` };
  }
  const where = document.file ?? `the settings "${document.source}"`;
  return given
    ? { enabled: true, reason: 'Settings that were handed in are on unless they say otherwise.' }
    : {
        enabled: false,
        reason: `Hooks are off unless tools.enableHooks is true, and neither ${where} nor a level above it says so. Write { "tools": { "enableHooks": true } } there.`,
      };
}

const levelsAbove: Readonly<Record<string, readonly string[]>> = {
  project: ['user', 'system'],
  user: ['system'],
  extension: ['user', 'system', 'settings'],
};

const trust: Readonly<Record<string, number>> = { extension: 0, project: 1, settings: 2, user: 2, system: 3 };

/** The hook marked as disabled, if a list names it that may: its own source's, or one that ranks above it in trust. */
function disabledBy(hook: HookDefinition, all: readonly ParsedSettings[], diagnostics: Diagnostic[]): HookDefinition | undefined {
  if (hook.skip !== undefined || hook.action.kind !== 'command') return undefined;
  const { command } = hook.action;
  for (const document of all) {
    const entry = switchesOf(document).disabled.find((name) => name === hook.name || name === command);
    if (entry === undefined) continue;
    const where = document.file ?? `the settings "${document.source}"`;
    if (mayDisable(document.source, hook.source)) {
      return { ...hook, skip: { skipReason: 'disabled', reason: `${shown(entry)} stands in hooksConfig.disabled of ${where}.` } };
    }
    diagnostics.push({
      code: 'foreign_disable',
      severity: 'warning',
      message: `hooksConfig.disabled of ${where} names ${shown(entry)}, a hook of the source "${hook.source}", which it may not switch off; the hook runs.`,
      remedy: `Disable it where it is configured${hook.file === undefined ? '' : `, in ${hook.file}`}.`,
      ...(document.file === undefined ? {} : { file: document.file }),
      path: 'hooksConfig.disabled',
      source: document.source,
      dialect: hook.dialect,
      eventName: hook.eventName,
      hookId: hook.id,
    });
  }
  return undefined;
}

function mayDisable(speaker: string, owner: string): boolean {
  if (speaker === owner || (isGiven(speaker) && isGiven(owner))) return true;
  return (trust[levelOf(speaker)] ?? 0) > (trust[levelOf(owner)] ?? 0);
}

/** `extension:x` is an extension, `settings:2` are settings. */
function levelOf(source: string): string {
  return source.split(':')[0] as string;
}

function isGiven(source: string): boolean {
  return levelOf(source) === 'settings';
}

function switchesOf(document: ParsedSettings): Switches {
  return (document.data as Switches | undefined) ?? { disabled: [] };
}

function fieldOf(value: unknown, key: string): unknown {
  return isPlainObject(value) ? value[key] : undefined;
}
