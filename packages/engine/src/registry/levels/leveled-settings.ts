import {
  type Diagnostic,
  type HookDefinition,
  type HookLevel,
  hookLevels,
  isBelow,
  levelOfSource,
  type ParsedSettings,
} from '@tenterhook/protocol';
import { omitUndefined, pathText } from '@tenterhook/runtime/json';

export type DocumentPath = readonly (string | number)[];

/** A document with its level. */
export interface LeveledSettings extends ParsedSettings {
  readonly level: HookLevel;
}

export type LeveledHook = HookDefinition & { readonly level: HookLevel };

/** The documents whose settings reach the hooks of one level: those of this level and of the levels above, in plan order. */
export interface Reaching {
  /** Of the dialect of the hook. */
  readonly own: readonly LeveledSettings[];
  /** Of every dialect. */
  readonly all: readonly LeveledSettings[];
}

/** One list for all hooks of a level, so that a dialect can remember what it computes for the list. */
export function reachingByLevel(own: readonly LeveledSettings[], all: readonly LeveledSettings[]): Readonly<Record<HookLevel, Reaching>> {
  const reaching = (level: HookLevel): Reaching => ({
    own: own.filter((document) => !isBelow(document.level, level)),
    all: all.filter((document) => !isBelow(document.level, level)),
  });
  return Object.fromEntries(hookLevels.map((level) => [level, reaching(level)])) as Record<HookLevel, Reaching>;
}

/** A source with a name of its own may be a file of a repository, and so it counts as one. */
export function levelOfDocument({ source }: { readonly source: string }): HookLevel {
  return levelOfSource(source) ?? 'project';
}

export function withLevel(hook: HookDefinition): LeveledHook {
  return { ...hook, level: hook.level ?? levelOfDocument(hook) };
}

/** `<file>:<line>` of a part of a document, for messages. */
export function placeText({ file, source, locate }: LeveledSettings, path?: DocumentPath): string {
  if (file === undefined) return `the settings "${source}"`;
  const place = path === undefined ? undefined : locate?.(path);
  return place === undefined ? file : `${file}:${place.line}`;
}

/** The fields of a diagnostic that name a part of a document. */
export function placeOf({ file, source, locate }: LeveledSettings, path: DocumentPath): Partial<Diagnostic> {
  return { ...omitUndefined({ file }), ...locate?.(path), path: pathText(path), source };
}

/** A text of settings in a message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
