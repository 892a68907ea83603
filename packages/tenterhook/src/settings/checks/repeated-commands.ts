import type { PortableHook } from '@tenterhook/migrate';
import type { Diagnostic, Dialect, HookDefinition } from '@tenterhook/protocol';
import { placeOfHook } from '@tenterhook/protocol/internal';

const shownNotes = 10;

/**
 * The maximum number of hooks with the same command and event that are compared with later ones. Comparing takes quadratic time, and real
 * settings do not have thousands of such hooks.
 */
const comparedHooks = 50;

/** A hook that runs a command. `portable` is the hook in a form that all dialects share, if it has one. */
interface Command {
  readonly hook: HookDefinition;
  readonly portable?: PortableHook;
}

/**
 * Reports commands that are configured for the same event in settings of two dialects, e.g. after a migration. Both hooks run, because each
 * reads and prints the format of its own agent, and users rarely find out why something happens twice. Within one dialect, duplicates run
 * only once, so they are not reported here.
 */
export async function repeatedCommands(
  hooks: readonly HookDefinition[],
  dialects: readonly Dialect[],
  places: { readonly projectDir: string; readonly home: string },
): Promise<Diagnostic[]> {
  const commands = withoutCopies(hooks.filter(({ skip, action }) => skip === undefined && action.kind === 'command'));
  const shared = dialects.map(({ name }) => new Set(commands.filter(({ dialect }) => dialect === name).map(({ eventName }) => eventName)));
  const seen = new Map<string, Command[]>();
  const found: [HookDefinition, HookDefinition][] = [];
  for (const [index, dialect] of dialects.entries()) {
    const isShared = ({ eventName }: HookDefinition) => shared.some((events, other) => other !== index && events.has(eventName));
    const own = commands.filter((hook) => hook.dialect === dialect.name && isShared(hook));
    for (const command of await portableCommands(own, dialect, places)) {
      const key = keyOf(command);
      const earlier = seen.get(key) ?? [];
      const other = earlier.find(({ hook, portable }) => hook.dialect !== dialect.name && mayMeet(portable, command.portable));
      if (other !== undefined) found.push([other.hook, command.hook]);
      if (earlier.length < comparedHooks) seen.set(key, [...earlier, command]);
    }
  }
  const notes = found.slice(0, shownNotes).map(([first, again]) => repeated(first, again));
  return found.length > shownNotes ? [...notes, more(found.length - shownNotes)] : notes;
}

/** Removes duplicates that the dialect drops too. A hook with a different matcher is not a duplicate. */
function withoutCopies(hooks: readonly HookDefinition[]): HookDefinition[] {
  const seen = new Set<string>();
  return hooks.filter(({ dialect, eventName, dedupeKey, matcher }) => {
    if (dedupeKey === undefined) return true;
    const key = JSON.stringify([dialect, eventName, dedupeKey, matcher ?? null]);
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the commands in portable form: variables and tools have the same names for all agents. */
async function portableCommands(
  hooks: readonly HookDefinition[],
  dialect: Dialect,
  places: { readonly projectDir: string; readonly home: string },
): Promise<Command[]> {
  if (hooks.length === 0) return [];
  try {
    // Imported here, because settings of a single agent do not need the package.
    const { findMigration } = await import('@tenterhook/migrate');
    const read = findMigration(dialect)?.read(hooks, places) ?? [];
    return hooks.map((hook, index) => {
      const portable = read[index];
      return portable === undefined || 'cannot' in portable ? { hook } : { hook, portable };
    });
  } catch {
    return hooks.map((hook) => ({ hook }));
  }
}

function keyOf({ hook: { eventName, action }, portable }: Command): string {
  const written = action.kind === 'command' ? [action.command, ...(action.args ?? [])].join(' ') : '';
  const text = portable?.action.kind === 'command' ? portable.action.text : written;
  return JSON.stringify([eventName, text, Object.entries(portable?.env ?? {}).sort()]);
}

/** Tests whether two hooks may run for the same call. Compares patterns for servers only as text, which is enough for a hint. */
function mayMeet(one: PortableHook | undefined, other: PortableHook | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  if (one.outcome !== undefined && other.outcome !== undefined && one.outcome !== other.outcome) return false;
  if (one.matcher.kind === 'everything' || other.matcher.kind === 'everything') return true;
  const [subjects, others] = [one.matcher.subjects, other.matcher.subjects];
  const isOfTools = (list: typeof subjects) => list.some(({ kind }) => kind === 'tool');
  const isOfAllTools = (list: typeof subjects) => list.some((subject) => subject.kind === 'tool' && subject.name === '*');
  if ((isOfAllTools(subjects) && isOfTools(others)) || (isOfAllTools(others) && isOfTools(subjects))) return true;
  const texts = new Set(subjects.map((subject) => JSON.stringify(subject)));
  return others.some((subject) => texts.has(JSON.stringify(subject)));
}

function repeated(first: HookDefinition, again: HookDefinition): Diagnostic {
  const { dialectEvent, file, line, source, dialect } = first;
  const place = file === undefined ? source : `${file}${line === undefined ? '' : `:${line}`}`;
  return {
    code: 'repeated_command',
    severity: 'note',
    message: `The same command is also configured for ${dialectEvent} in ${place} (${dialect}); both run.`,
    remedy: 'If both are the same hook, remove one of them, or let the agent read only one dialect.',
    ...placeOfHook(again),
  };
}

function more(count: number): Diagnostic {
  const commands = count === 1 ? '1 more command is configured' : `${count} more commands are configured`;
  return { code: 'repeated_command', severity: 'note', message: `${commands} in settings of two formats; both run.` };
}
