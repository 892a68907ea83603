import type { PayloadOf, RemoteEngineIdentity } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { describeThrown } from '@tenterhook/runtime/text';
import type { HookHandler, RegisteredHook } from '../calling/handler.js';
import { Hook } from '../definition/hook.js';
import { readHook } from '../definition/read-hook.js';
import { compileMatcher } from '../matching/compile-matcher.js';
import { readMatcherSettings } from '../matching/matcher-settings.js';

export type Announcement = PayloadOf<'HOOK_HANDLER_ANNOUNCE'>;

/** Returns the entry of a hook in an announcement: its definition, and whether it has a handler. */
export function toAnnouncedHook({ hook, handler }: RegisteredHook): Record<string, unknown> {
  const { id, event_type, matcher, config } = hook;
  return {
    id,
    event_type,
    ...omitUndefined({ matcher: matcher && { ...matcher } }),
    config: { ...config },
    hasHandler: handler !== undefined,
  };
}

/** Throws an InvalidHookError, like `register`. */
function readAnnouncedHook({ hasHandler, ...fields }: Record<string, unknown>): { hook: Hook; hasHandler: boolean } {
  return { hook: readHook(fields), hasHandler: hasHandler !== false };
}

/**
 * Limits for what another process may announce: the number of hooks, and the lengths in characters of the announcement and of
 * names.
 */
const maxHooks = 1000;
const maxLength = 500_000;
export const maxName = 256;

/** A hook of an announcement. `text` is its JSON in that announcement. */
export interface KnownHook {
  readonly text: string;
  readonly registered: RegisteredHook;
}

/** Reads the hooks of an announcement without compiling them. An invalid hook becomes a problem, and the others are kept. */
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
  if (hooks.length > maxHooks) problems.push(`${hooks.length} hooks were announced; only the first ${maxHooks} are used.`);
  return { described, problems };
}

/** Where the handlers of announced hooks are. */
export interface RemotePlace {
  readonly identity: RemoteEngineIdentity;
  /** What the user can do if a hook fails. Set if the agent requires the engine: then each failure of its hooks denies. */
  readonly remedy: string | undefined;
  createHandler(hook: Hook): HookHandler;
  standing(): string;
}

/** Async hooks stay async, because no event waits for their answers. */
function failClosed(hook: Hook): Hook {
  if (hook.config.async_execution || hook.config.onError === 'block') return hook;
  return new Hook({ ...hook, config: { ...hook.config, onError: 'block' } });
}

/**
 * Compiles the hooks, in the order in which they run. Called only for accepted engines, because compiling a pattern may take a
 * second. For an unchanged hook the result has the same object as before, because the state of a hook (e.g. its circuit) is stored
 * under this object.
 */
export function compileHooks(
  { version, pathFields, shellTools, ignoreCase }: Announcement,
  described: readonly { readonly hook: Hook; readonly hasHandler: boolean }[],
  before: readonly KnownHook[],
  place: RemotePlace,
): { hooks: KnownHook[]; problems: string[] } {
  const problems: string[] = [];
  const known = new Map(before.map((hook) => [hook.text, hook]));
  const hooks = described.flatMap(({ hook, hasHandler }): KnownHook[] => {
    const text = JSON.stringify([hook, hasHandler, version, pathFields, shellTools, ignoreCase]);
    const same = known.get(text);
    if (same !== undefined) return [same];
    try {
      const matcher = compileMatcher(hook.id, hook.event_type, hook.matcher, readMatcherSettings(pathFields, shellTools, ignoreCase));
      const used = place.remedy === undefined ? hook : failClosed(hook);
      const registered = {
        hook: used,
        matcher,
        handler: hasHandler ? place.createHandler(used) : undefined,
        standing: () => place.standing(),
        engine: place.identity,
        ...omitUndefined({ remedy: place.remedy }),
      };
      return [{ text, registered }];
    } catch (error) {
      problems.push(describeThrown(error));
      return [];
    }
  });
  return { hooks: hooks.sort((a, b) => a.registered.hook.config.priority - b.registered.hook.config.priority), problems };
}

/**
 * Returns an announcement as text, for the comparison with the next one. Returns undefined if the announcement is too long to be
 * accepted.
 */
export function formatAnnouncement(announcement: Announcement): string | undefined {
  const { engineId, name = '', version = '' } = announcement;
  if ([engineId, name, version].some(({ length }) => length > maxName)) return undefined;
  const text = JSON.stringify(announcement);
  return text.length > maxLength ? undefined : text;
}

/** Shortens an id that is too long, because ids are stored. The shortened id is still too long to be accepted. */
export function truncateId(announcement: Announcement): Announcement {
  const { engineId } = announcement;
  return engineId.length <= maxName ? announcement : { ...announcement, engineId: engineId.slice(0, maxName + 1) };
}
