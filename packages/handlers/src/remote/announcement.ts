import { describeThrown } from '@tenterhook/runtime/text';
import type { HookHandler } from '../calling/handler.js';
import type { Hook } from '../definition/hook.js';
import { compileMatcher } from '../matching/compile-matcher.js';
import { matcherSettings } from '../matching/matcher-settings.js';
import type { RegisteredHook } from '../registered-hook.js';
import { type Announcement, readAnnouncedHook } from './announced-hook.js';

/** Bounds of what others may announce. */
const maxHooks = 1000;
const maxLength = 500_000;
const maxName = 256;

/** A hook of an announcement with the text that it was made of. */
export interface KnownHook {
  readonly text: string;
  readonly registered: RegisteredHook;
}

/** The hooks that an announcement describes, not compiled yet; a bad one is a problem, and its siblings stay. */
export function readHooks({ hooks }: Announcement): { described: { hook: Hook; hasHandler: boolean }[]; problems: string[] } {
  const problems: string[] = [];
  const described = hooks.slice(0, maxHooks).flatMap((fields) => {
    try {
      return [readAnnouncedHook(fields)];
    } catch (error) {
      problems.push(describeThrown(error));
      return [];
    }
  });
  if (hooks.length > maxHooks) problems.push(`Of ${hooks.length} announced hooks the first ${maxHooks} count.`);
  return { described, problems };
}

/**
 * Compiled, in the order in which they run. Only for who was accepted: a pattern may take a second. A hook that says what it said before is the
 * one it was, so that what is remembered of it, such as its circuit, stays.
 */
export function compileHooks(
  { pathFields, shellTools }: Announcement,
  described: readonly { readonly hook: Hook; readonly hasHandler: boolean }[],
  before: readonly KnownHook[],
  place: { handlerOf(hook: Hook): HookHandler; standing(): string },
): { hooks: KnownHook[]; problems: string[] } {
  const problems: string[] = [];
  const known = new Map(before.map((hook) => [hook.text, hook]));
  const hooks = described.flatMap(({ hook, hasHandler }): KnownHook[] => {
    const text = JSON.stringify([hook, hasHandler, pathFields, shellTools]);
    const same = known.get(text);
    if (same !== undefined) return [same];
    try {
      const matcher = compileMatcher(hook.id, hook.event_type, hook.matcher, matcherSettings(pathFields, shellTools));
      return [
        { text, registered: { hook, matcher, handler: hasHandler ? place.handlerOf(hook) : undefined, standing: () => place.standing() } },
      ];
    } catch (error) {
      problems.push(describeThrown(error));
      return [];
    }
  });
  return { hooks: hooks.sort((a, b) => a.registered.hook.config.priority - b.registered.hook.config.priority), problems };
}

/** An announcement as a text, to see whether the next one says the same; undefined for one that is too long to be taken. */
export function textOfAnnouncement(announcement: Announcement): string | undefined {
  if (announcement.engineId.length > maxName || (announcement.name ?? '').length > maxName) return undefined;
  const text = JSON.stringify(announcement);
  return text.length > maxLength ? undefined : text;
}

/** One that is too long is still too long, and no more of it is kept: it may be as long as a message. */
export function withBoundedId(announcement: Announcement): Announcement {
  const { engineId } = announcement;
  return engineId.length <= maxName ? announcement : { ...announcement, engineId: engineId.slice(0, maxName + 1) };
}
