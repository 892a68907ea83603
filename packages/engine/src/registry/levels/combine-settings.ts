import type { CombinedSettings, Diagnostic, Dialect, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { containDialect } from '../contain-dialect.js';
import { listedVariables, reportUrlPatterns, withinLimits } from './http-limits.js';
import { reportInlineCode } from './inline-code.js';
import { type LeveledHook, type LeveledSettings, levelOfDocument, reachingByLevel, withLevel } from './leveled-settings.js';
import { reportMisspelledEntries } from './misspelled-entries.js';
import { applyLists, findOffSwitch, reportSwitchesThatReachTooHigh, SwitchedOffHooks } from './switches.js';

/** The documents of one dialect, in plan order. */
export interface DialectSettings {
  readonly dialect: Dialect;
  readonly parsed: readonly ParsedSettings[];
}

/** Settings that are not part of one dialect. */
export interface GeneralSettings {
  /** The environment variables that `http` hooks of a repository may send, in addition to those that settings list. @default none */
  readonly headerVariables?: readonly string[];
  /**
   * A document that belongs to no dialect, such as the administrator's policy. Its switches apply in all dialects. Its hooks are ignored.
   * @default none
   */
  readonly policy?: ParsedSettings | undefined;
}

/**
 * Combines the settings of all dialects into one set of hooks. A switch, a list or a variable applies to the hooks of the level of its
 * document (for example user or project) and of lower levels. Only this function applies this rule; dialects only report what a document
 * contains. If each dialect applied the rule itself, a mistake in one could let a repository switch off guards of the user.
 */
export function combineSettings(settings: readonly DialectSettings[], general: GeneralSettings = {}): CombinedSettings {
  const hooks: HookDefinition[] = [];
  const off = new SwitchedOffHooks();
  const offByDialect: { hook: HookDefinition; reason: string }[] = [];
  const diagnostics: Diagnostic[] = [];
  const leveled = settings.map(({ dialect, parsed }) => ({
    dialect: containDialect(dialect),
    documents: parsed.map(toLeveled),
  }));
  const ofNoDialect = general.policy === undefined ? [] : [toLeveled(general.policy)];
  const everything = [...ofNoDialect, ...leveled.flatMap(({ documents }) => documents)];
  const listed = listedVariables(everything, general.headerVariables);
  for (const { dialect, documents } of leveled) {
    const combined = dialect.combine(documents);
    for (const diagnostic of combined.diagnostics) diagnostics.push(diagnostic);
    diagnostics.push(...documents.flatMap((document) => reportUrlPatterns(document, dialect.name)));
    for (const { hook, reason } of combined.off) offByDialect.push({ hook: withLevel(hook), reason });
    const byLevel = reachingByLevel(documents, everything);
    const running: LeveledHook[] = [];
    for (const hook of combined.hooks.map(withLevel)) {
      const reaching = byLevel[hook.level];
      const by = findOffSwitch(hook, reaching, everything);
      if (by !== undefined) {
        off.add(hook, by);
        continue;
      }
      const allowed = withinLimits(applyLists(hook, reaching, documents, diagnostics), reaching, listed, diagnostics);
      if (allowed.skip === undefined) running.push(allowed);
      diagnostics.push(...reportInlineCode(allowed));
      hooks.push(dialect.configure(allowed, reaching.own));
    }
    diagnostics.push(
      ...reportSwitchesThatReachTooHigh(documents, running, dialect.name),
      ...reportMisspelledEntries(documents, dialect.name),
    );
  }
  return { hooks, off: [...off.off, ...offByDialect], diagnostics: [...off.diagnostics, ...diagnostics] };
}

/**
 * Returns a document with its level. The switches of an extension are dropped. Otherwise an update of one extension could switch off the
 * guards of another.
 */
function toLeveled(document: ParsedSettings): LeveledSettings {
  const level = levelOfDocument(document);
  if (level !== 'extension') return { ...document, level };
  const { switches: _ignored, ...without } = document;
  return { ...without, level };
}
