import { type Diagnostic, type HookDefinition, type HookLevel, hookLevels, type ParsedSettings } from '@tenterhook/protocol';
import { isBelow, levelOfSource } from '@tenterhook/protocol/internal';
import { omitUndefined, pathText } from '@tenterhook/runtime/json';

export type DocumentPath = readonly (string | number)[];

/** A settings document with its level, e.g. `user` or `project`. */
export interface LeveledSettings extends ParsedSettings {
  readonly level: HookLevel;
}

export type LeveledHook = HookDefinition & { readonly level: HookLevel };

/**
 * The documents whose settings apply to the hooks of one level, in plan order. These are the documents of this level and of higher
 * levels. For the level `project` they include those of the user and the administrator.
 */
export interface Reaching {
  /** The documents of the hook's dialect. */
  readonly own: readonly LeveledSettings[];
  /** The documents of all dialects. */
  readonly all: readonly LeveledSettings[];
}

/** Returns the documents for each level. All hooks of a level get the same array, so that a dialect can use the array as a cache key. */
export function reachingByLevel(own: readonly LeveledSettings[], all: readonly LeveledSettings[]): Readonly<Record<HookLevel, Reaching>> {
  const reaching = (level: HookLevel): Reaching => ({
    own: own.filter((document) => !isBelow(document.level, level)),
    all: all.filter((document) => !isBelow(document.level, level)),
  });
  return Object.fromEntries(hookLevels.map((level) => [level, reaching(level)])) as Record<HookLevel, Reaching>;
}

/** Returns the level of a document. A document whose source has an unknown name is treated as a file of a repository. */
export function levelOfDocument({ source }: { readonly source: string }): HookLevel {
  return levelOfSource(source) ?? 'project';
}

export function withLevel(hook: HookDefinition): LeveledHook {
  return { ...hook, level: hook.level ?? levelOfDocument(hook) };
}

/** Returns `<file>:<line>` of a part of a document, for messages. */
export function placeText({ file, source, locate }: LeveledSettings, path?: DocumentPath): string {
  if (file === undefined) return `the settings "${source}"`;
  const place = path === undefined ? undefined : locate?.(path);
  return place === undefined ? file : `${file}:${place.line}`;
}

/** Returns the fields of a diagnostic that name a part of a document. */
export function placeOf({ file, source, locate }: LeveledSettings, path: DocumentPath): Partial<Diagnostic> {
  return { ...omitUndefined({ file }), ...locate?.(path), path: pathText(path), source };
}

/** Returns a text from the settings for a message, in quotes and shortened. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
