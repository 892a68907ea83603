import type { HookSwitches, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Reporter } from '../../shared/settings/reporter.js';
import { readDisabled } from '../../shared/settings/switches.js';
import { formatValue } from '../../shared/text.js';
import { enableHooksField } from './schema.js';

const switchPath = ['tools', 'enableHooks'];

/**
 * Reads the switch and the list of disabled hooks of a document. Without the switch, hooks in files are off, and hooks that the
 * program passes are on.
 */
export function readSwitches(value: Record<string, unknown>, { source }: SettingsDocument, reporter: Reporter): HookSwitches {
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
    reporter.report('invalid_field', 'error', switchPath, message, { remedy: 'Write "enableHooks": true.' });
  }
  const isPassed = /^(?:settings|extension)(?::|$)/.test(source);
  return {
    ...(typeof enable === 'boolean' ? { enabled: { value: enable, path: switchPath } } : {}),
    ...(isPassed ? {} : { offByDefault: { path: switchPath, remedy: 'Write "tools": { "enableHooks": true } next to "hooks".' } }),
    ...readDisabled(value, reporter),
  };
}

/**
 * Tests whether a switch has the wrong type. It is then unknown whether hooks should run. An invalid entry in the list of disabled
 * hooks does not matter here, because only this entry is dropped.
 */
export function hasUnusableSwitch(value: Readonly<Record<string, unknown>>): boolean {
  const { tools, hooksConfig } = value;
  const [enable, disabled] = [fieldOf(tools, 'enableHooks'), fieldOf(hooksConfig, 'disabled')];
  if ([tools, hooksConfig].some((section) => section !== undefined && !isPlainObject(section))) return true;
  return (enable !== undefined && typeof enable !== 'boolean') || (disabled !== undefined && !Array.isArray(disabled));
}

function fieldOf(value: unknown, key: string): unknown {
  return isPlainObject(value) ? value[key] : undefined;
}
