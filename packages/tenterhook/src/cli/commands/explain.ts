import type { Explanation } from '@tenterhook/engine';
import { type HookEventName, hookEventNames } from '@tenterhook/protocol';
import { matcherSubject } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { OpenHooks } from '../../hooks.js';
import { explainMarks, renderDiagnostics, renderExplainedHooks, summarise } from '../../output/reports/explanation.js';
import { paragraph, type ReportStyle } from '../../output/reports/report-style.js';
import { renderSettingsFiles } from '../../output/reports/settings-files.js';
import { joinParagraphs } from '../../output/terminal/text-layout.js';
import { type CommandContext, printError, printJson, styleOf, toFailure } from '../context.js';
import { ExitStatus, UsageError } from '../errors/exit-status.js';
import { readEvent, readInput } from '../firing/event-input.js';
import { canBeFired, refuseEvent } from '../firing/refuse-event.js';
import { findUnusableSettings, firstSteps, loadHooks, type SettingsFlags, timeoutUnitOf } from '../hooks/load-hooks.js';
import { reportTrust } from '../hooks/trust-flags.js';

export interface ExplainFlags extends SettingsFlags {
  readonly input?: string;
  readonly json?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Explains for every hook of an event, or of all events, why it would or would not run. Runs no hook. Rejects the same events as `fire`,
 * with the same message. Resolves to the exit status.
 */
export async function explain(asked: string | undefined, flags: ExplainFlags, context: CommandContext): Promise<number> {
  const input = await readInput(flags.input, context);
  if (asked === undefined && !isPlainObject(input)) throw new UsageError('--input must be a JSON object.');
  const { hooks, wording, note } = await loadHooks(flags, context, { checksScripts: true });
  if (note !== undefined) printError(context, note);
  reportTrust(hooks, flags, context);
  try {
    const error = findUnusableSettings(hooks, flags);
    if (error !== undefined) {
      if (flags.json) printJson(context, toFailure(error));
      printError(context, `${error.code}: ${error.message}`);
      return ExitStatus.expectedFailure;
    }
    if (asked === undefined) {
      explainAll(hooks, (eventName) => readEvent(eventName, input, wording).input as Fields, flags, context);
      return ExitStatus.ok;
    }
    const { eventName, input: fields } = readEvent(asked, input, wording);
    if (!canBeFired(eventName, fields)) return await refuseEvent(hooks, eventName, { ...flags, input: fields }, context);
    explainOne(hooks, eventName as HookEventName, fields as Fields, flags, context);
    return ExitStatus.ok;
  } finally {
    await hooks.dispose();
  }
}

function explainOne(hooks: OpenHooks, eventName: HookEventName, input: Fields, flags: ExplainFlags, context: CommandContext): void {
  const explanation = hooks.explain(eventName, input);
  if (flags.json) {
    printJson(context, { ...explanation, files: hooks.files });
    return;
  }
  const style = { ...styleOf(context), timeoutUnitOf };
  context.stdout.write(
    joinParagraphs([
      hooksOf(explanation, input, style),
      legend([explanation], style),
      renderSettingsFiles(hooks, style, { eventName, dialect: flags.dialect }),
      renderDiagnostics(explanation.diagnostics, hooks.files, style),
      paragraph(`${summarise(explanation, countElsewhere(hooks, eventName))}${firstSteps(hooks)}`, { indent: 0 }, style),
    ]),
  );
}

function explainAll(hooks: OpenHooks, inputOf: (eventName: HookEventName) => Fields, flags: ExplainFlags, context: CommandContext): void {
  const inputs = hookEventNames
    .filter((eventName) => countHooks(hooks, eventName) > 0)
    .map((eventName) => [eventName, inputOf(eventName)] as const);
  const explained = inputs.map(([eventName, input]) => [hooks.explain(eventName, input), input] as const);
  const { diagnostics, files } = hooks;
  if (flags.json) {
    const events = explained.map(([{ eventName, hooks: own }]) => ({ eventName, hooks: own }));
    printJson(context, { events, files, diagnostics });
    return;
  }
  const style = { ...styleOf(context), timeoutUnitOf };
  const nothing = explained.length === 0 ? [`No hooks are configured.${firstSteps(hooks)}`] : [];
  context.stdout.write(
    joinParagraphs([
      ...explained.map(([explanation, input]) => [
        ...hooksOf(explanation, input, style),
        ...paragraph(summarise(explanation, new Map()), { indent: 2, look: 'dim' }, style),
      ]),
      legend(
        explained.map(([explanation]) => explanation),
        style,
      ),
      renderSettingsFiles(hooks, style, { dialect: flags.dialect }),
      renderDiagnostics(diagnostics, files, style),
      nothing,
    ]),
  );
}

function hooksOf(explanation: Explanation, input: Fields, style: ReportStyle): string[] {
  const { eventName } = explanation;
  const subject = matcherSubject(eventName, input);
  return renderExplainedHooks(explanation, subject === undefined ? eventName : `${eventName} ${subject}`, style);
}

function legend(explanations: readonly Explanation[], style: ReportStyle): string[] {
  const marks = explainMarks(explanations.flatMap(({ hooks }) => hooks));
  return marks === '' ? [] : [style.paint('dim', marks)];
}

function countHooks(hooks: OpenHooks, eventName: HookEventName): number {
  return hooks.hooks[eventName].length + hooks.off[eventName].length;
}

function countElsewhere(hooks: OpenHooks, eventName: HookEventName): ReadonlyMap<string, number> {
  return new Map(
    hookEventNames
      .filter((other) => other !== eventName)
      .flatMap((other): [string, number][] => {
        const count = countHooks(hooks, other);
        return count > 0 ? [[other, count]] : [];
      }),
  );
}
