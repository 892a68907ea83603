import type { ExplainedHook, Explanation } from '@tenterhook/engine';
import { type Diagnostic, eventEntry } from '@tenterhook/protocol';
import type { SettingsFile } from '../../settings/read/read-settings-file.js';
import { escapeForTerminal } from '../terminal/escape.js';
import type { Style } from '../terminal/palette.js';
import { renderDiagnosticLines } from './diagnostic-lines.js';
import { formatAction, formatHookFacts, isOnlyInAgent } from './hook-facts.js';
import { markedLine, paragraph, type ReportStyle, shortenPath, shortenPaths } from './report-style.js';

/** Formats the hooks of the event in plan order, each with the reason why it would or would not run. */
export function renderExplainedHooks({ eventName, hooks }: Explanation, title: string, style: ReportStyle): string[] {
  const stages = new Set(hooks.map((hook) => hook.stage).filter((stage) => stage !== undefined)).size;
  return [style.paint('bold', escapeForTerminal(title, 120)), ...hooks.flatMap((hook) => hookLines(hook, eventName, stages, style))];
}

export function renderDiagnostics(diagnostics: readonly Diagnostic[], files: readonly SettingsFile[], style: ReportStyle): string[] {
  if (diagnostics.length === 0) return [];
  return [style.paint('bold', 'Diagnostics'), ...renderDiagnosticLines(diagnostics, files, style, 2)];
}

/** Returns a legend of the marks that are printed before these hooks, e.g. `● would run`. */
export function explainMarks(hooks: readonly ExplainedHook[]): string {
  const used = new Set(hooks.map((hook) => fateOf(hook)[0]));
  const meanings = [
    ['●', 'would run'],
    ['○', 'would not run'],
    ['?', 'depends on the input'],
  ] as const;
  return meanings.flatMap(([mark, meaning]) => (used.has(mark) ? [`${mark} ${meaning}`] : [])).join('   ');
}

/**
 * Returns the summary for the last line, which is often the only line that people read. `elsewhere` contains the number of hooks of each
 * other event.
 */
export function summarise({ eventName, hooks }: Explanation, elsewhere: ReadonlyMap<string, number>): string {
  if (hooks.length === 0) {
    const others = [...elsewhere].map(([event, count]) => `${event} (${count})`).join(', ');
    return `No hook is configured for ${eventName}.${others === '' ? '' : ` Hooks are configured for ${others}.`}`;
  }
  const running = hooks.filter((hook) => hook.wouldRun);
  const undecided = hooks.filter((hook) => hook.missingField !== undefined);
  const counted = `${running.length} of ${hooks.length} hook${hooks.length === 1 ? '' : 's'} would run${together(running)}`;
  const field = undecided[0]?.missingField;
  if (field === undefined) return `${counted}.`;
  const depends = `depends on ${field}. Pass it, for example --input '{"${field}":"${eventEntry(eventName).matcherExample ?? '…'}"}'.`;
  if (undecided.length < hooks.length) return `${counted}; whether ${undecided.length} more would run ${depends}`;
  return hooks.length === 1 ? `Whether the hook would run ${depends}` : `Which of the ${hooks.length} hooks would run ${depends}`;
}

function hookLines(hook: ExplainedHook, eventName: string, stages: number, style: ReportStyle): string[] {
  const [mark, look, what] = fateOf(hook);
  const place = hook.stage === undefined || stages < 2 ? '' : `, stage ${hook.stage} of ${stages}`;
  const action = formatAction(hook);
  const details = (text: string, dim = false) => paragraph(text, { indent: 6, look: dim ? 'dim' : 'plain' }, style);
  return [
    ...markedLine({ mark, look, hookId: hook.hookId, said: `${what}${place}` }, style),
    ...details(shortenPaths(hook.reason, style)),
    ...action.flatMap((line) => details(line)),
    // An entry that could not be read as a hook has no facts to show. Only its position is known, and the reason already contains it.
    ...(action.length > 0 || hook.skipReason !== 'invalid'
      ? details(
          formatHookFacts({ ...hook, eventName, file: hook.file === undefined ? undefined : shortenPath(hook.file, style) }, style),
          true,
        )
      : []),
  ];
}

function fateOf({ wouldRun, missingField, skipReason, type }: ExplainedHook): readonly [mark: string, style: Style, what: string] {
  if (wouldRun) return ['●', 'green', 'would run'];
  if (missingField !== undefined) return ['?', 'yellow', `depends on ${missingField}`];
  if (isOnlyInAgent({ skipReason, type })) return ['○', 'yellow', 'would run only in an agent'];
  return ['○', skipReason === 'invalid' ? 'red' : 'yellow', `would not run: ${escapeForTerminal(skipReason ?? 'no reason given', 60)}`];
}

function together(running: readonly ExplainedHook[]): string {
  if (running.length < 2) return '';
  const stages = new Set(running.map((hook) => hook.stage)).size;
  if (stages === 1) return ', side by side';
  return stages === running.length ? ', one after another' : `, in ${stages} stages one after another`;
}
