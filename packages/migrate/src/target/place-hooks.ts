import type { Dialect, DialectContext, HookDefinition, SettingsDocument } from '@tenterhook/protocol';
import type { HookAddition, HookMigration } from '../formats/hook-migration.js';
import type { HookLoss, PortableAction, PortableHook } from '../portable/portable-hook.js';
import { SettingsToAdd } from './settings-to-add.js';

/** What becomes of a hook in one file. */
export type PlacedHook =
  | { readonly cannot: string }
  | {
      /** Where it will stand; empty where all of it is there already. */
      readonly paths: readonly string[];
      /** Hooks that are there and do the same. */
      readonly there: readonly HookDefinition[];
      /** In what those fall short of it. */
      readonly weaker: readonly HookLoss[];
      readonly losses: readonly HookLoss[];
    };

/** The settings that hooks go into, and how their dialect reads and writes them. */
export interface Target {
  readonly dialect: Dialect;
  readonly migration: HookMigration;
  readonly context: DialectContext;
  readonly source: string;
  readonly file: string;
  /** Absent where the file says nothing. */
  readonly document?: SettingsDocument;
}

/**
 * Writes hooks as they would be in a file, and leaves out those that are there already: what is written is read back as the dialect reads it, and
 * compared with what the file has. So a second migration finds every hook of the first.
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

/** Hooks of the file by what they do. One that is written twice may be found twice. */
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

/** Two that were found, one for each outcome of a tool, say, fall short in the same. */
function distinct(losses: readonly HookLoss[]): HookLoss[] {
  return [...new Map(losses.map((loss) => [loss.message, loss])).values()];
}

/** An addition as the dialect would read it, alone in a file. What it would not accept is not written. */
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
    return { cannot: `${migration.agent} would not accept it: ${problem ?? 'it would not be one hook'}` };
  }
  const [read] = migration.read([hook], context);
  return read ?? { cannot: `${migration.agent} would not accept it.` };
}

/**
 * What makes a hook the one that it is: when it runs and what it does. A timeout or a description that somebody changed leaves it the same hook,
 * and a name is not what it does; so a hook that is there already is found again, whatever it is called.
 */
export function identityOf({ eventName, outcome, matcher, condition, action, env }: PortableHook): string {
  const subjects = matcher.kind === 'everything' ? null : matcher.subjects.map((subject) => JSON.stringify(subject)).sort();
  return JSON.stringify([eventName, outcome ?? null, subjects, condition ?? null, unquoted(action), Object.entries(env).sort()]);
}

/** Some agents quote the directory of the project themselves, so a command with the quotes and one without them are the same command. */
function unquoted(action: PortableAction): PortableAction {
  return action.kind === 'command' ? { ...action, text: action.text.replace(/"(\$LLXPRT_PROJECT_DIR)"/g, '$1') } : action;
}

/** A hook of the target, and what it says. */
interface KnownHook {
  readonly hook: HookDefinition;
  readonly portable: PortableHook;
}

/** How a hook that is in the file already is weaker than the one to migrate: a guard that the agent does not wait for does not guard. */
function weakerThan(source: PortableHook, { hook, portable }: KnownHook): HookLoss[] {
  const { skip } = hook;
  const isOff = skip !== undefined;
  return [
    ...said('action', isOff, `it does not run there: ${skip?.reason}`),
    ...said(
      'async',
      hook.async === true && source.async === undefined,
      'nobody waits for it there, so that its answer counts for nothing.',
    ),
    ...said('once', hook.once === true && source.once === undefined, 'it runs once in a session there.'),
    ...said('onError', blocksOnError(source) && !blocksOnError(portable), 'a failure of it does not block there.'),
  ];
}

/** Of those that do the same, the one that guards best: another that is weaker does no harm beside it. */
function bestOf(source: PortableHook, known: readonly KnownHook[]): KnownHook | undefined {
  const counted = known.map((one) => ({ one, weaknesses: weakerThan(source, one).length }));
  return counted.sort((a, b) => a.weaknesses - b.weaknesses)[0]?.one;
}

/** An async hook ends too late to block. */
function blocksOnError({ onError, async }: PortableHook): boolean {
  return onError === 'block' && async === undefined;
}

function said(field: HookLoss['field'], isSo: boolean, message: string): HookLoss[] {
  return isSo ? [{ field, message }] : [];
}
