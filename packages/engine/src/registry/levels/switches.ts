import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { hookLabel, isBelow } from '@tenterhook/protocol/internal';
import { pathText } from '@tenterhook/runtime/json';
import { type DocumentPath, type LeveledHook, type LeveledSettings, placeOf, placeText, quote, type Reaching } from './leveled-settings.js';

/**
 * The setting that switches a hook off. If hooks are off by default, `document` is a document in which the setting could switch them on.
 */
export interface OffSwitch {
  readonly document: LeveledSettings;
  readonly path: DocumentPath;
  /** A sentence that says what is set, or is not set, and where. */
  readonly reason: string;
  /** How to switch the hooks on. */
  readonly remedy: string;
}

/** Finds the setting for all hooks that switches this hook off. Undefined if the hook is on. */
export function findOffSwitch(hook: LeveledHook, { own }: Reaching, everything: readonly LeveledSettings[]): OffSwitch | undefined {
  if (hook.level !== 'managed') {
    for (const document of everything) {
      const only = document.level === 'managed' ? document.switches?.managedOnly : undefined;
      if (only === undefined) continue;
      const reason = `${pathText(only.path)} is true in ${placeText(document, only.path)}, and this hook is not in the administrator's settings.`;
      return { document, path: only.path, reason, remedy: 'Only the administrator can change this setting.' };
    }
  }
  for (const document of own) {
    const { enabled } = document.switches ?? {};
    if (enabled === undefined || enabled.value) continue;
    const remedy = `${enabled.written === true ? 'Remove the setting' : 'Write true'} there. No setting of a lower level can switch the hooks on.`;
    return { document, path: enabled.path, reason: `${formatSwitch(document)}.`, remedy };
  }
  const home = own.find((document) => document.source === hook.source && document.file === hook.file);
  const { offByDefault } = home?.switches ?? {};
  if (home === undefined || offByDefault === undefined || own.some(({ switches }) => switches?.enabled?.value === true)) return undefined;
  const reason = `Hooks are off by default, and neither ${placeText(home)} nor a level above it sets ${pathText(offByDefault.path)} to true.`;
  return { document: home, path: ['hooks'], reason, remedy: offByDefault.remedy };
}

/** Returns a text such as `disableAllHooks is true in <file>:<line>`. */
function formatSwitch(document: LeveledSettings): string {
  const { path = [], written, value } = document.switches?.enabled ?? {};
  return `${pathText(path)} is ${JSON.stringify(written ?? value)} in ${placeText(document, path)}`;
}

/**
 * Marks the hook as disabled if a list of its level or of a higher level names it, and reports this. If a list of a lower level names the
 * hook, only a warning is reported, because a repository must not disable hooks of the user.
 */
export function applyLists(
  hook: LeveledHook,
  { own }: Reaching,
  documents: readonly LeveledSettings[],
  diagnostics: Diagnostic[],
): LeveledHook {
  // An invalid hook with `onError: 'block'` denies although it does not run, so a list can disable it too. All other hooks with `skip` are
  // off already.
  const isOff = hook.skip !== undefined && !(hook.skip.skipReason === 'invalid' && hook.onError === 'block');
  if (isOff || hook.action.kind !== 'command') return hook;
  for (const document of own) {
    const entry = findEntry(hook, document);
    if (entry === undefined) continue;
    const where = [hook.file, hook.line].filter((part) => part !== undefined).join(':');
    diagnostics.push({
      code: 'disabled_hook',
      severity: 'note',
      message: `The list names ${quote(entry.text)}. So the hook on ${hook.dialectEvent}${where === '' ? '' : `, configured in ${where},`} does not run.`,
      remedy: 'To run the hook, remove the entry.',
      ...aboutEntry(entry, document, hook),
    });
    const reason = `${quote(entry.text)} is listed in ${pathText(entry.list)} of ${placeText(document, entry.path)}.`;
    return { ...hook, skip: { skipReason: 'disabled', reason } };
  }
  for (const document of documents) {
    const entry = isBelow(document.level, hook.level) ? findEntry(hook, document) : undefined;
    if (entry === undefined) continue;
    diagnostics.push({
      code: 'foreign_disable',
      severity: 'warning',
      message: `${pathText(entry.list)} of ${placeText(document, entry.path)} names ${quote(entry.text)}, a hook of the level "${hook.level}". The level "${document.level}" cannot disable this hook, so the hook runs.`,
      remedy: `Disable the hook where it is configured${hook.file === undefined ? '' : `, in ${hook.file}`}.`,
      ...aboutEntry(entry, document, hook),
    });
  }
  return hook;
}

interface Entry {
  readonly text: string;
  readonly list: DocumentPath;
  readonly path: DocumentPath;
}

/** The index of each text in a list. It is computed once per list, because searching the list for each hook would take quadratic time. */
const placesInLists = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** Returns the entry of a document's list that equals the name or the command of the hook. */
function findEntry({ name, action }: HookDefinition, { switches }: LeveledSettings): Entry | undefined {
  const { disabled } = switches ?? {};
  if (disabled === undefined || action.kind !== 'command') return undefined;
  let places = placesInLists.get(disabled.value);
  if (places === undefined) {
    places = new Map(disabled.value.map((text, index) => [text, index]));
    placesInLists.set(disabled.value, places);
  }
  const text = [name, action.command].find((candidate) => candidate !== undefined && candidate !== '' && places.has(candidate));
  if (text === undefined) return undefined;
  return { text, list: disabled.path, path: [...disabled.path, places.get(text) as number] };
}

function aboutEntry({ path }: Entry, document: LeveledSettings, { dialect, eventName, id }: LeveledHook): Partial<Diagnostic> {
  return { ...placeOf(document, path), dialect, eventName, hookId: id };
}

/**
 * Collects the hooks that are switched off. Reports the settings that switch them off, because users forget these settings and then
 * expect their hooks to run.
 */
export class SwitchedOffHooks {
  readonly off: { hook: HookDefinition; reason: string }[] = [];
  readonly #bySwitch = new Map<string, { readonly by: OffSwitch; readonly dialect: string; count: number }>();

  add(hook: HookDefinition, by: OffSwitch): void {
    this.off.push({ hook, reason: `${by.reason} ${by.remedy}` });
    const key = JSON.stringify([by.document.source, by.document.file, by.path, by.reason, hook.dialect]);
    const known = this.#bySwitch.get(key);
    if (known === undefined) this.#bySwitch.set(key, { by, dialect: hook.dialect, count: 1 });
    else known.count += 1;
  }

  /** Returns a warning for each switch. Results of events do not mention hooks that are switched off, so this warning is the only sign. */
  get diagnostics(): Diagnostic[] {
    return [...this.#bySwitch.values()].map(({ by: { document, path, reason, remedy }, dialect, count }) => ({
      code: 'hooks_off',
      severity: 'warning',
      message: `${count === 1 ? '1 hook is' : `${count} hooks are`} switched off. ${reason}`,
      remedy,
      ...placeOf(document, path),
      dialect,
    }));
  }
}

/**
 * Returns a warning for each document that switches off all hooks although hooks of a higher level still run. The author of the document
 * may expect that those hooks are off too.
 */
export function reportSwitchesThatReachTooHigh(
  documents: readonly LeveledSettings[],
  running: readonly LeveledHook[],
  dialect: string,
): Diagnostic[] {
  return documents.flatMap((document) => {
    const enabled = document.switches?.enabled;
    const [first, ...others] = enabled?.value === false ? running.filter(({ level }) => isBelow(document.level, level)) : [];
    if (enabled === undefined || first === undefined) return [];
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    const diagnostic: Diagnostic = {
      code: 'foreign_disable',
      severity: 'warning',
      message: `${formatSwitch(document)}. This switches off hooks of the level "${document.level}" and of lower levels. Hooks of higher levels still run: "${hookLabel(first)}" of the level "${first.level}"${more}.`,
      remedy: `To switch off hooks of a higher level, write the setting in the settings of that level${first.file === undefined ? '' : `: ${first.file}`}.`,
      ...placeOf(document, enabled.path),
      dialect,
    };
    return [diagnostic];
  });
}
