import { formatDiagnostic } from '@tenterhook/protocol';
import type { TrustEntry } from '@tenterhook/trust';
import { paragraph, shortenPaths } from '../../output/reports/report-style.js';
import type { Style } from '../../output/terminal/palette.js';
import { type CommandContext, maxMessage, printError } from '../context.js';
import { ExitStatus } from '../errors/exit-status.js';
import { Answers } from './answers.js';
import { findHook } from './find-hook.js';
import type { TrustForm } from './forms.js';
import { type Decisions, hasUntrusted, isOpen, openDecisions, printProblems } from './open-decisions.js';
import { type Answered, Questions } from './questions.js';
import { createScreen, type Screen } from './screen.js';

/** Asks about hooks that are new or have changed. Then prints which hooks run and which do not. Resolves to the exit status. */
export async function ask(hook: string | undefined, flags: TrustForm, context: CommandContext): Promise<number> {
  const decisions = await openDecisions(flags, context);
  const answers = new Answers(context.stdin);
  try {
    const [unusable] = decisions.store.problems;
    if (unusable !== undefined) {
      // Printed without asking, because no answer could be stored.
      printError(context, `trust_store: ${formatDiagnostic(unusable)}`);
      return ExitStatus.expectedFailure;
    }
    printProblems(decisions, context);
    const screen = createScreen(context, answers);
    const asked = hook === undefined ? undefined : findHook(hook, decisions.named());
    const isMeant = ({ hookIds }: TrustEntry) => asked === undefined || hookIds.includes(asked);
    const requests = decisions.entries().filter((entry) => isOpen(entry) && isMeant(entry));
    if (requests.length === 0) sayNothingToDecide(decisions, asked, screen);
    else {
      const isOne = requests.length === 1;
      screen.print(
        paragraph(
          `${isOne ? '1 hook' : `${requests.length} hooks`} of ${decisions.project} ${isOne ? 'is' : 'are'} not trusted. Read what ${isOne ? 'it runs' : 'they run'}, and decide.`,
          { indent: 0 },
          screen.style,
        ),
      );
      const questions = new Questions(decisions, isMeant, screen);
      try {
        await questions.ask();
      } finally {
        // The summary is printed after an error too, because the decisions before the error are stored.
        screen.print(summaryOf(questions.answered, decisions, screen.style));
      }
    }
    return flags.exitCode && hasUntrusted(decisions) ? ExitStatus.denied : ExitStatus.ok;
  } finally {
    answers.close();
    await decisions.hooks.dispose();
  }
}

function sayNothingToDecide(decisions: Decisions, asked: string | undefined, { print, style }: Screen): void {
  const { project } = decisions;
  const all = decisions.entries();
  const say = (text: string) => print(paragraph(text, { indent: 0, max: maxMessage }, style));
  if (asked !== undefined) {
    say(`There is nothing to decide. ${asked} ${stateInWords(all.find(({ hookIds }) => hookIds.includes(asked)))}`);
    return;
  }
  const trusted = all.filter(({ state }) => state === 'trusted').length;
  if (all.length > 0)
    say(`There is nothing to decide. ${trusted} of ${all.length} hooks of ${project} ${all.length === 1 ? 'is' : 'are'} trusted.`);
  // Nothing more is printed here, because the problem was printed with its remedy.
  else if (hasUntrusted(decisions))
    say(`There is nothing to decide: a settings file of ${project} is not read, so its hooks are not known.`);
  else say(`No hook of ${project} needs a decision.`);
  print(notRunning(all, style));
}

function stateInWords(entry: TrustEntry | undefined): string {
  if (entry === undefined) return 'needs no decision: it does not come with the project and runs no files of the project.';
  return entry.state === 'trusted' ? 'is trusted.' : `is ${entry.state}: ${entry.reason}`;
}

/** Formats the decisions that were made, and the hooks that do not run. */
function summaryOf({ accepted, denied }: Answered, { entries }: Decisions, style: Screen['style']): string[] {
  const now = entries();
  const left = now.filter(isOpen);
  return [
    '',
    style.paint('bold', `${accepted.size} trusted, ${denied.size} denied, ${left.length} not decided`),
    ...named('trusted', 'green', [...accepted.values()], style),
    ...named('denied', 'yellow', [...denied.values()], style),
    ...notRunning(now, style),
    ...(accepted.size === 0
      ? []
      : paragraph(
          `Running agents use ${accepted.size === 1 ? 'it' : 'them'} as soon as they reload their settings.`,
          { indent: 2, look: 'dim' },
          style,
        )),
  ];
}

/** Returns the hooks that do not run: those without a decision, and those that cannot be trusted, with the reasons. */
function notRunning(entries: readonly TrustEntry[], style: Screen['style']): string[] {
  const refused = entries.filter(({ state }) => state === 'refused');
  return [
    ...named('not decided', 'yellow', entries.filter(isOpen), style),
    ...refused.flatMap(({ hookIds, reason }) => rowOf('refused', 'red', `${hookIds.join(', ')}: ${shortenPaths(reason, style)}`, style)),
  ];
}

function named(word: string, look: Style, hooks: readonly Pick<TrustEntry, 'hookIds'>[], style: Screen['style']): string[] {
  return hooks.flatMap(({ hookIds }, index) => rowOf(index === 0 ? word : '', look, hookIds.join(', '), style));
}

function rowOf(word: string, look: Style, text: string, style: Screen['style']): string[] {
  const [first = '', ...more] = paragraph(text, { indent: 0, hanging: 15, max: maxMessage }, style);
  return [`  ${style.paint(look, word.padEnd(11))}  ${first}`, ...more];
}
