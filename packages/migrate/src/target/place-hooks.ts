import type { Dialect, DialectContext, HookDefinition, SettingsDocument } from '@tenterhook/protocol';
import type { HookAddition, HookMigration } from '../formats/hook-migration.js';
import type { HookLoss, PortableAction, PortableHook } from '../portable/portable-hook.js';
import { SettingsToAdd } from './settings-to-add.js';

export type PlacedHook =
  | { readonly cannot: string }
  | {
      /** The paths that the hook will have. Empty if the hook already exists. */
      readonly paths: readonly string[];
      /** Existing hooks that do the same. */
      readonly there: readonly HookDefinition[];
      /** Why the existing hooks protect less than this hook. */
      readonly weaker: readonly HookLoss[];
      readonly losses: readonly HookLoss[];
    };

export interface Target {
  readonly dialect: Dialect;
  readonly migration: HookMigration;
  readonly context: DialectContext;
  readonly source: string;
  readonly file: string;
  /** The parsed file. Missing if the file has no content. */
  readonly document?: SettingsDocument;
}

/**
 * Writes hooks in the format of a file, except those that the file already contains. To find them, the dialect reads each written
 * hook, and the result is compared with the hooks of the file. So a second migration adds nothing.
 */
export function placeHooks(hooks: readonly PortableHook[], target: Target): { placed: readonly PlacedHook[]; toAdd: SettingsToAdd } {
  const { dialect, migration, context, document } = target;
  const there = document === undefined ? [] : dialect.parse(document, context).hooks;
  const known = knownHooks(there, target);
  const toAdd = new SettingsToAdd(document?.value);
  const placed = migration.write(hooks, there).map((written, index): PlacedHook => {
    if ('cannot' in written) return written;
    const source = hooks[index] as PortableHook;
    const copies = written.additions.map((addition) => ({ addition, read: readBack(addition, target) }));
    const lost = copies.find(({ read }) => 'cannot' in read)?.read;
    if (lost !== undefined && 'cannot' in lost) return lost;
    const found: KnownHook[] = [];
    const missing = copies.filter(({ read }) => {
      const same = 'cannot' in read ? [] : (known.get(identityOf(read)) ?? []);
      const best = bestOf(source, same);
      if (best === undefined) return true;
      same.splice(same.indexOf(best), 1);
      found.push(best);
      return false;
    });
    return {
      paths: missing.map(({ addition }) => toAdd.add(addition)),
      there: found.map(({ hook }) => hook),
      weaker: distinct(found.flatMap((one) => weakerThan(source, one))),
      losses: written.losses,
    };
  });
  return { placed, toAdd };
}

/** Returns the hooks of the file by identity. Several hooks may have the same identity. */
function knownHooks(there: readonly HookDefinition[], { migration, context }: Target): Map<string, KnownHook[]> {
  const known = new Map<string, KnownHook[]>();
  for (const [index, read] of migration.read(there, context).entries()) {
    const hook = there[index];
    if (hook === undefined || 'cannot' in read) continue;
    const identity = identityOf(read);
    known.set(identity, [...(known.get(identity) ?? []), { hook, portable: read }]);
  }
  return known;
}

/** Two existing hooks may be weaker in the same way, so repeated losses are removed. */
function distinct(losses: readonly HookLoss[]): HookLoss[] {
  return [...new Map(losses.map((loss) => [loss.message, loss])).values()];
}

/** Reads an addition as if it were the only content of a file. An addition that its own dialect does not accept is not written. */
function readBack(
  addition: HookAddition,
  { dialect, migration, context, source, file }: Target,
): PortableHook | { readonly cannot: string } {
  const alone = new SettingsToAdd({});
  alone.add(addition);
  const parsed = dialect.parse({ source, file, value: alone.value, locate: () => undefined }, context);
  const [hook, ...others] = parsed.hooks;
  const problem = parsed.diagnostics.find(({ severity }) => severity === 'error')?.message;
  if (hook === undefined || others.length > 0 || hook.skip !== undefined || problem !== undefined) {
    return {
      cannot: `${migration.agent} would not accept the converted hook: ${problem ?? 'its format finds no hook or several hooks in the written settings'}`,
    };
  }
  const [read] = migration.read([hook], context);
  return read ?? { cannot: `${migration.agent} would not accept the converted hook.` };
}

/**
 * Returns a key of what a hook does and when it runs. Two hooks that differ only in name, timeout or description have the same key.
 */
export function identityOf({ eventName, outcome, matcher, condition, action, env }: PortableHook): string {
  const subjects = matcher.kind === 'everything' ? null : matcher.subjects.map((subject) => JSON.stringify(subject)).sort();
  return JSON.stringify([eventName, outcome ?? null, subjects, condition ?? null, unquoted(action), Object.entries(env).sort()]);
}

/** Removes quotes around the project directory. Some agents add them, and they do not change what a command does. */
function unquoted(action: PortableAction): PortableAction {
  return action.kind === 'command' ? { ...action, text: action.text.replace(/"(\$LLXPRT_PROJECT_DIR)"/g, '$1') } : action;
}

interface KnownHook {
  readonly hook: HookDefinition;
  readonly portable: PortableHook;
}

/** Returns why an existing hook protects less than the hook to migrate. For example, a hook that is asynchronous cannot deny. */
function weakerThan(source: PortableHook, { hook, portable }: KnownHook): HookLoss[] {
  const { skip } = hook;
  const isOff = skip !== undefined;
  return [
    ...said('action', isOff, `it does not run in the target: ${skip?.reason}`),
    ...said('async', hook.async === true && source.async === undefined, 'it is asynchronous in the target, so its answer is ignored.'),
    ...said('once', hook.once === true && source.once === undefined, 'it runs only once per session in the target.'),
    ...said(
      'recheck',
      hook.recheck === false && source.recheck === undefined,
      'in the target it does not run again after its input was rewritten.',
    ),
    ...said('onError', blocksOnError(source) && !blocksOnError(portable), 'its failure does not block in the target.'),
  ];
}

/** Returns the strictest of the existing hooks that do the same. The weaker ones do no harm, because the strictest one runs too. */
function bestOf(source: PortableHook, known: readonly KnownHook[]): KnownHook | undefined {
  const counted = known.map((one) => ({ one, weaknesses: weakerThan(source, one).length }));
  return counted.sort((a, b) => a.weaknesses - b.weaknesses)[0]?.one;
}

function blocksOnError({ onError, async }: PortableHook): boolean {
  return onError === 'block' && async === undefined;
}

function said(field: HookLoss['field'], isSo: boolean, message: string): HookLoss[] {
  return isSo ? [{ field, message }] : [];
}
