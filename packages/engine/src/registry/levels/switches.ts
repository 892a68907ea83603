import { type Diagnostic, type HookDefinition, hookLabel, isBelow } from '@tenterhook/protocol';
import { type LeveledHook, type LeveledSettings, placeOf, placeText, type Reaching } from './leveled-settings.js';

/** Why a hook does not run at all; undefined if it is on. */
export function findOffReason(hook: LeveledHook, { own }: Reaching, everything: readonly LeveledSettings[]): string | undefined {
  const managed = everything.find(({ level, switches }) => level === 'managed' && switches?.managedOnly !== undefined);
  if (managed !== undefined && hook.level !== 'managed') {
    const place = placeText(managed, managed.switches?.managedOnly);
    return `${managed.switches?.managedOnly?.key} is true in ${place}, and this hook is not in the administrator's settings.`;
  }
  // The document of the hook first, so that the reason names the nearest switch.
  const nearestFirst = [...own].sort((a, b) => (isBelow(a.level, b.level) ? -1 : isBelow(b.level, a.level) ? 1 : 0));
  const says = nearestFirst.find(({ switches }) => switches?.enabled?.value === false);
  if (says !== undefined) return `${formatSwitch(says)}.`;
  const home = own.find((document) => document.source === hook.source && document.file === hook.file);
  const byDefault = home?.switches?.offByDefault;
  if (home === undefined || byDefault === undefined || own.some(({ switches }) => switches?.enabled?.value === true)) return undefined;
  return `Hooks are off by default, and neither ${placeText(home)} nor a level above it sets ${byDefault.key} to true. ${byDefault.remedy}`;
}

/** `disableAllHooks is true in <file>:<line>`. */
function formatSwitch(document: LeveledSettings): string {
  const enabled = document.switches?.enabled;
  return `${enabled?.key} is ${JSON.stringify(enabled?.written ?? enabled?.value)} in ${placeText(document, enabled)}`;
}

/** The hook, marked as disabled if a list that reaches it names it. A list of a lower level that names it is reported. */
export function asListed(
  hook: LeveledHook,
  { own }: Reaching,
  documents: readonly LeveledSettings[],
  diagnostics: Diagnostic[],
): LeveledHook {
  if (hook.skip !== undefined || hook.action.kind !== 'command') return hook;
  for (const document of own) {
    const entry = entryFor(hook, document);
    if (entry === undefined) continue;
    const { switches } = document;
    const reason = `${JSON.stringify(entry)} is listed in ${switches?.disabled?.key} of ${placeText(document, switches?.disabled)}.`;
    return { ...hook, skip: { skipReason: 'disabled', reason } };
  }
  for (const document of documents) {
    const entry = isBelow(document.level, hook.level) ? entryFor(hook, document) : undefined;
    if (entry !== undefined) diagnostics.push(reportForeignEntry(entry, document, hook));
  }
  return hook;
}

const names = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The entry of a document's list that is the name or the command of the hook. */
function entryFor({ name, action }: HookDefinition, { switches }: LeveledSettings): string | undefined {
  const list = switches?.disabled?.value;
  if (list === undefined || list.length === 0 || action.kind !== 'command') return undefined;
  let known = names.get(list);
  if (known === undefined) {
    known = new Set(list);
    names.set(list, known);
  }
  if (name !== undefined && known.has(name)) return name;
  return known.has(action.command) ? action.command : undefined;
}

function reportForeignEntry(entry: string, document: LeveledSettings, hook: LeveledHook): Diagnostic {
  const { key = '' } = document.switches?.disabled ?? {};
  return {
    code: 'foreign_disable',
    severity: 'warning',
    message: `${key} of ${placeText(document, document.switches?.disabled)} names ${JSON.stringify(entry)}, a hook of the level "${hook.level}". The level "${document.level}" cannot disable it; the hook runs.`,
    remedy: `Disable it where it is configured${hook.file === undefined ? '' : `, in ${hook.file}`}.`,
    ...placeOf(document, document.switches?.disabled),
    dialect: hook.dialect,
    eventName: hook.eventName,
    hookId: hook.id,
  };
}

/** A warning for each document whose switch means hooks of a higher level too, in the product that it was written for or in the mind of its author. */
export function reportSwitchesThatReachTooHigh(
  documents: readonly LeveledSettings[],
  running: readonly LeveledHook[],
  dialect: string,
): Diagnostic[] {
  return documents.flatMap((document) => {
    const enabled = document.switches?.enabled;
    if (enabled === undefined || enabled.value) return [];
    const higher = running.filter((hook) => hook.skip === undefined && isBelow(document.level, hook.level));
    const [first] = higher;
    if (first === undefined) return [];
    const others = higher.length === 1 ? '' : `, and ${higher.length - 1} more`;
    const diagnostic: Diagnostic = {
      code: 'foreign_disable',
      severity: 'warning',
      message: `${formatSwitch(document)}. It switches off hooks of the level "${document.level}" and of those below. "${hookLabel(first)}" of the level "${first.level}"${others} runs.`,
      remedy: `To switch off hooks of a higher level, write it in their settings${first.file === undefined ? '' : `: ${first.file}`}.`,
      ...placeOf(document, enabled),
      dialect,
    };
    return [diagnostic];
  });
}
