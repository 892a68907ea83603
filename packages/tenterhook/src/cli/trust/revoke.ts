import { suggestName } from '@tenterhook/runtime/text';
import type { TrustRecord, TrustStore } from '@tenterhook/trust';
import { paragraph } from '../../output/reports/report-style.js';
import { dialectContext } from '../../settings/discover/dialect-context.js';
import { openProjectStore } from '../../trust/project-store.js';
import { type CommandContext, maxMessage, resolvePath, styleOf } from '../context.js';
import { ExitStatus, UsageError } from '../errors/exit-status.js';
import { readOwner } from './allow-owner.js';
import type { TrustForm } from './forms.js';
import { type Decisions, openDecisions, printProblems } from './open-decisions.js';

/** Removes decisions about one hook or about all hooks of a project, or the permission of `--allow-owner`. Resolves to the exit status. */
export async function revoke(hook: string | undefined, flags: TrustForm, context: CommandContext): Promise<number> {
  const say = (text: string) => context.stdout.write(`${paragraph(text, { indent: 0, max: maxMessage }, styleOf(context)).join('\n')}\n`);
  if (flags.project !== undefined || flags.all || flags.allowOwner !== undefined) {
    const store = openProjectStore(dialectContext(resolvePath(context, flags.project ?? flags.cwd ?? '.'), context.env));
    say(flags.allowOwner === undefined ? revokeAll(store) : revokeOwner(store, readOwner(flags.allowOwner)));
    return ExitStatus.ok;
  }
  const decisions = await openDecisions(flags, context);
  try {
    printProblems(decisions, context);
    const records = recordsIn(decisions.store);
    const meant = findRecords(hook, decisions, records);
    for (const { pin } of meant) decisions.store.revoke(pin);
    say(
      `Removed the decision about ${meant.map(({ hook: { label } }) => label).join(', ')}. From the next event on, the hook does not run. To decide again: tenterhook trust.`,
    );
    return ExitStatus.ok;
  } finally {
    await decisions.hooks.dispose();
  }
}

function revokeAll(store: TrustStore): string {
  const count = recordsIn(store).length;
  const owners = store.owners();
  store.revokeAll();
  if (count + owners.length === 0) return `There are no decisions about ${store.project}.`;
  return `${count} decision${count === 1 ? '' : 's'} about ${store.project} ${count === 1 ? 'was' : 'were'} removed. From the next event on, no hook of the project runs.`;
}

function revokeOwner(store: TrustStore, uid: number): string {
  return store.revokeOwner(uid)
    ? `Files of the user ${uid} are no longer accepted in ${store.project}.`
    : `Files of the user ${uid} were not accepted in ${store.project}, so nothing was removed.`;
}

function recordsIn(store: TrustStore): readonly TrustRecord[] {
  const { trusted, denied } = store.read();
  return [...trusted.values(), ...denied.values()];
}

/**
 * Returns the decisions that the argument means: the id or name of a hook, or the beginning of a pin. The hook may have changed, or may
 * no longer exist.
 */
function findRecords(given: string | undefined, decisions: Decisions, records: readonly TrustRecord[]): readonly TrustRecord[] {
  const known = records.map(({ hook: { label }, pin }) => `${label} (${pin.slice(0, 12)})`);
  if (given === undefined)
    throw new UsageError(
      `Which decision? ${known.length === 0 ? 'There are none about this project.' : `Write the hook, or --all: ${known.join(', ')}.`}`,
    );
  const ids = new Set(
    decisions
      .named()
      .filter(({ id, name }) => id === given || name === given)
      .map(({ id }) => id),
  );
  const pins = new Set(
    decisions
      .entries()
      .filter(({ hookIds }) => hookIds.some((id) => ids.has(id)))
      .flatMap(({ pin, before }) => [pin, before?.pin]),
  );
  const byHook = records.filter(({ pin }) => pins.has(pin));
  const byLabel = records.filter(({ hook: { label }, pin }) => label === given || (given.length >= 8 && pin.startsWith(given)));
  const [found, ...others] = byHook.length > 0 ? byHook : byLabel;
  if (found === undefined) {
    const names = [...records.map(({ hook: { label } }) => label), ...decisions.named().map(({ id }) => id)];
    throw new UsageError(
      `Nothing was decided about ${JSON.stringify(given)}. ${suggestName(given, names, known.length === 0 ? 'There are no decisions about this project.' : `There are decisions about ${known.join(', ')}.`)}`,
    );
  }
  // All versions of one hook are removed together. Decisions about several hooks need several commands.
  if (ids.size > 1 || (byHook.length === 0 && others.length > 0))
    throw new UsageError(
      `${JSON.stringify(given)} means several decisions. Write the id of a hook, or the beginning of a pin: ${[found, ...others].map(({ pin }) => pin.slice(0, 12)).join(', ')}.`,
    );
  return [found, ...others];
}
