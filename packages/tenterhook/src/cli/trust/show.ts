import { type HookDefinition, hookEventNames } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { PinsDocument } from '@tenterhook/trust';
import { joinParagraphs } from '../../output/terminal/text-layout.js';
import { renderTrustList, type TrustListEntry } from '../../output/trust/trust-list.js';
import { type CommandContext, printError, printJson, styleOf } from '../context.js';
import { ExitStatus } from '../errors/exit-status.js';
import { timeoutUnitOf } from '../hooks/load-hooks.js';
import { findHook } from './find-hook.js';
import type { TrustForm } from './forms.js';
import { type Decisions, hasUntrusted, isOpen, openDecisions, printProblems } from './open-decisions.js';

/** Shows the hooks and the decisions about them. Writes nothing and asks nothing. Resolves to the exit status. */
export async function show(hook: string | undefined, flags: TrustForm, context: CommandContext): Promise<number> {
  const decisions = await openDecisions(flags, context);
  try {
    const asked = hook === undefined ? undefined : findHook(hook, decisions.named());
    const listed = listHooks(decisions).filter(({ hookIds }) => asked === undefined || hookIds.includes(asked));
    printProblems(decisions, context);
    if (flags.json) {
      const { project, store, hooks } = decisions;
      printJson(context, { project, store: store.directory ?? null, hooks: listed, diagnostics: hooks.diagnostics });
    } else
      context.stdout.write(
        joinParagraphs(renderTrustList(listed, decisions.project, { ...styleOf(context), timeoutUnitOf }, asked !== undefined)),
      );
    return flags.exitCode && hasUntrusted(decisions) ? ExitStatus.denied : ExitStatus.ok;
  } finally {
    await decisions.hooks.dispose();
  }
}

/** Prints the pins of the project, for `--trust-pins` and the policy. Resolves to the exit status. */
export async function showPins(given: string | undefined, flags: TrustForm, context: CommandContext): Promise<number> {
  const decisions = await openDecisions(flags, context);
  try {
    const asked = given === undefined ? undefined : findHook(given, decisions.named());
    const entries = decisions
      .entries()
      .filter(({ state, hookIds }) => state !== 'denied' && state !== 'refused' && (asked === undefined || hookIds.includes(asked)));
    printProblems(decisions, context);
    const open = entries.filter(isOpen).length;
    if (open > 0)
      printError(
        context,
        `note: ${open} of these ${entries.length} hooks ${open === 1 ? 'is' : 'are'} not trusted here. Read what they do before you use the pins: tenterhook trust --show.`,
      );
    const document: PinsDocument = { v: 1, project: decisions.project, pins: entries.map(({ pin, hook }) => ({ pin, hook })) };
    printJson(context, document);
    return ExitStatus.ok;
  } finally {
    await decisions.hooks.dispose();
  }
}

/** Returns all hooks. Hooks that have or need a decision come first. */
function listHooks({ hooks, entries }: Decisions): TrustListEntry[] {
  const decided = entries();
  const known = new Set(decided.flatMap(({ hookIds }) => hookIds));
  const needless = 'the hook needs no decision: it does not come with the project and runs no files of the project.';
  const others = hookEventNames.flatMap((event) => [
    ...hooks.hooks[event].filter(({ id }) => !known.has(id)).map((hook) => undecided(hook, 'trusted', needless)),
    ...hooks.off[event].map(({ hook, reason }) => undecided(hook, 'off', reason)),
  ]);
  return [...decided, ...others];
}

function undecided({ id, dialect, file, line }: HookDefinition, state: 'trusted' | 'off', reason: string): TrustListEntry {
  return { hookIds: [id], dialect, ...omitUndefined({ file, line }), state, reason };
}
