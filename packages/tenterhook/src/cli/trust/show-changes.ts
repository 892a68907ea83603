import { paragraph } from '../../output/reports/report-style.js';
import { escapeForTerminal } from '../../output/terminal/escape.js';
import { joinParagraphs } from '../../output/terminal/text-layout.js';
import { type CommandContext, styleOf } from '../context.js';
import { ExitStatus } from '../errors/exit-status.js';
import { changesOf } from './changes.js';
import { findHook } from './find-hook.js';
import type { TrustForm } from './forms.js';
import { hasUntrusted, openDecisions, printProblems } from './open-decisions.js';

/** Shows what changed since hooks were trusted: of one hook, or of all changed hooks. Writes nothing. Resolves to the exit status. */
export async function showChanges(hook: string | undefined, flags: TrustForm, context: CommandContext): Promise<number> {
  const decisions = await openDecisions(flags, context);
  try {
    const style = styleOf(context);
    const asked = hook === undefined ? undefined : findHook(hook, decisions.named());
    printProblems(decisions, context);
    const entries = decisions.entries();
    const meant = entries.filter(({ hookIds, before }) => (asked === undefined ? before !== undefined : hookIds.includes(asked)));
    const shown: string[][] = [];
    for (const entry of meant) {
      const head = `${style.paint('bold', escapeForTerminal(entry.hookIds[0] ?? '', 400))}  ${entry.state}`;
      const lines =
        entry.state === 'trusted'
          ? paragraph('The hook has not changed since it was trusted.', { indent: 2 }, style)
          : await changesOf(entry, decisions, style);
      shown.push([head, ...lines]);
    }
    if (shown.length === 0)
      shown.push(
        paragraph(
          asked === undefined
            ? 'No hook has changed since it was trusted.'
            : `${asked} needs no decision: it does not come with the project and runs no files of the project.`,
          { indent: 0 },
          style,
        ),
      );
    context.stdout.write(joinParagraphs(shown));
    return flags.exitCode && hasUntrusted(decisions) ? ExitStatus.denied : ExitStatus.ok;
  } finally {
    await decisions.hooks.dispose();
  }
}
