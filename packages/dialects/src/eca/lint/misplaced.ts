import type { HookDefinition } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { ParseContext } from '../settings/parse-context.js';
import { invalidHook } from '../settings/parse-hook.js';
import { readType } from '../type-field.js';

/** Names under which people put hooks instead of "hooks". */
const otherNames = ['Hooks', 'HOOKS', 'hook', 'Hook'];

/** A hook that stands where none is looked for. */
export interface Misplaced {
  readonly path: readonly string[];
  readonly hook: Readonly<Record<string, unknown>>;
}

/** Hooks at the top level, or under a name that is nearly "hooks". A list of places, and no search: most of the file is not about hooks. */
export function misplacedIn(settings: Readonly<Record<string, unknown>>): Misplaced[] {
  const sections = otherNames.map((name) => [[name], settings[name]] as const);
  return [[[], settings] as const, ...sections].flatMap(([place, section]) =>
    Object.entries(isPlainObject(section) ? section : {}).flatMap(([key, hook]) => (isHook(hook) ? [{ path: [...place, key], hook }] : [])),
  );
}

/** Nobody would look for them there, so each is said, and leaves an outcome of its event behind. */
export function misplacedHooks(settings: Readonly<Record<string, unknown>>, context: ParseContext): HookDefinition[] {
  return misplacedIn(settings).flatMap(({ path, hook }) => {
    const key = path.at(-1) as string;
    const where = path.length === 1 ? 'at the top level of the settings' : `under "${path[0]}"`;
    const message = `"${key}" is a hook ${where}, where none is looked for; it does not run.`;
    const remedy = `Move it: { "hooks": { "${key}": … } }.`;
    const problem = context.reporter.report('misplaced_hooks', 'error', path, message, { remedy });
    const { type, nearest = type } = readType(hook, path, context.reporter);
    return nearest === undefined ? [] : [invalidHook(key, nearest, path, problem, context)];
  });
}

function isHook(value: unknown): value is Readonly<Record<string, unknown>> {
  return isPlainObject(value) && typeof value['type'] === 'string' && Array.isArray(value['actions']);
}
