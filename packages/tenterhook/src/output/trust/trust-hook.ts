import { eventEntry, type HookEventName, isHookEventName } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { riskyVariables, type TrustEntry } from '@tenterhook/trust';
import { formatPlace } from '../reports/hook-facts.js';
import { paragraph, type ReportStyle, shortenPath } from '../reports/report-style.js';
import type { Style } from '../terminal/palette.js';
import { describeHidden, type Hidden, nothingHidden, writeOut } from '../terminal/write-out.js';
import { filesLines } from './trust-files.js';

/** The width of the column with the names of facts. */
const nameColumns = 12;

/** One fact about a hook: its name, and its lines, which are never cut. */
type Fact = readonly [name: string, lines: readonly string[]];

/**
 * Formats everything that decides what a hook does: its event and matcher, the whole command, its variables, its files, and what the
 * command may run that cannot be listed. Shows every field of the definition. Fields without a label are shown as JSON.
 */
export function renderTrustHook(hook: TrustEntry, style: ReportStyle): string[] {
  const hidden = nothingHidden();
  const facts = factsOf(hook, hidden, style).filter(([, lines]) => lines.length > 0);
  const warnings = [...hook.risks, ...describeHidden(hidden).map((sentence) => `It contains ${sentence}`)];
  return [
    ...facts.flatMap(([name, lines]) => labelled(name, lines, style)),
    ...labelled(
      'take care',
      warnings.flatMap((sentence) => below(sentence, style, 'yellow')),
      style,
    ),
  ];
}

function factsOf(hook: TrustEntry, hidden: Hidden, style: ReportStyle): Fact[] {
  const { event, dialectEvent, matcher, condition, timeoutMs, onError, action, runs, env, ...others } = hook.definition;
  const code = (text: string, look: Style = 'plain') => writeOut(text, { width: widthOf(style), paint: style.paint, look, hidden });
  const settings = isPlainObject(env) ? env : {};
  return [
    ['when', below(whenOf(event, dialectEvent), style)],
    ['matcher', matcher === undefined ? below('none: every time', style, 'dim') : code(textOf(matcher) || '""')],
    ['condition', condition === undefined ? [] : code(textOf(condition))],
    ...actionFacts(runs ?? action, style, hidden),
    ...(runs === undefined || isSameCommand(runs, action) ? [] : actionFacts(action, style, hidden)),
    ['variables', variableLines({ ...hook.environment, ...(settings as Record<string, string>) }, style, hidden)],
    ['timeout', timeoutMs === null || timeoutMs === undefined ? [] : below(timeoutOf(hook.dialect, Number(timeoutMs), style), style)],
    ['if it fails', onError === 'block' ? below('the operation is denied', style) : []],
    ...Object.entries(others).flatMap(([name, value]): Fact[] => (isUnset(value) ? [] : [['also', code(`${name}: ${textOf(value)}`)]])),
    ['files', filesLines(hook, style, hidden)],
    ['not listed', hook.open.flatMap(({ text }) => below(text, style, 'yellow'))],
    [
      'settings',
      below(
        `${formatPlace(hook.file === undefined ? undefined : shortenPath(hook.file, style), hook.line) ?? 'in no file'}, in the format of ${hook.dialect}`,
        style,
      ),
    ],
    ['hooks', hook.hookIds.length < 2 ? [] : hook.hookIds.flatMap((id) => below(id, style))],
    ['since', sinceLines(hook, style)],
    ['elsewhere', hook.elsewhere.flatMap((project) => below(`the same hook is trusted in ${project}`, style, 'dim'))],
  ];
}

/** Returns what a hook runs, sends or asks. A command is never cut. */
function actionFacts(action: unknown, style: ReportStyle, hidden: Hidden): Fact[] {
  if (!isPlainObject(action)) return [];
  // The command of an action is a text, or an object with further fields.
  const { kind, ...rest } = isPlainObject(action['command']) ? { ...action, ...action['command'], command: undefined } : action;
  const plain = (text: string) => writeOut(text, { width: widthOf(style), paint: style.paint, hidden });
  const command = (text: string) => codeLines(text, style, hidden);
  const { text, command: written, file, args, url, headers, allowedEnvVars, type, data, ...others } = rest;
  const unknown = Object.entries(others).flatMap(([name, value]): Fact[] =>
    isUnset(value) ? [] : [['also', plain(`${name}: ${textOf(value)}`)]],
  );
  if (kind === 'http')
    return [
      ['sends to', command(textOf(url))],
      ['headers', isPlainObject(headers) ? Object.entries(headers).flatMap(([name, value]) => plain(`${name}: ${textOf(value)}`)) : []],
      ['with', Array.isArray(allowedEnvVars) ? allowedEnvVars.flatMap((name) => plain(`the value of ${textOf(name)}`)) : []],
      ...unknown,
    ];
  if (kind === 'host') {
    const parts = isPlainObject(data) ? Object.entries(data) : [];
    return [
      ['asks for', plain(`${textOf(type)}, which the agent runs`)],
      // The names come from the settings too, so they are escaped.
      ...parts.map(
        ([name, value]): Fact =>
          name === 'prompt' ? [name, command(textOf(value))] : ['with', [...plain(`${name}:`), ...command(textOf(value))]],
      ),
      ...unknown,
    ];
  }
  const words = Array.isArray(args) ? args.map(textOf) : [];
  const program = textOf(file ?? text ?? written ?? '');
  // The arguments of a program are not shell text. Each is on its own line in quotes, so that its ends can be seen.
  const runs = words.length === 0 ? command(program) : [...command(program), ...words.flatMap((word) => command(`  "${word}"`))];
  return [['runs', runs], ...unknown];
}

/**
 * Tests whether `runs`, the command as the dialect starts it, has the same text as `action`, the command in the settings. `action` is then
 * not shown.
 */
function isSameCommand(runs: unknown, action: unknown): boolean {
  if (!isPlainObject(runs) || !isPlainObject(action)) return false;
  return action['command'] === (runs['text'] ?? runs['file']) && action['kind'] === 'command' && Object.keys(action).length === 2;
}

/** Returns the lines of a command, each after a bar. Without the bar, a line of the command could imitate a line of this report. */
function codeLines(text: string, style: ReportStyle, hidden: Hidden): string[] {
  const lines = writeOut(text, { width: widthOf(style) - 2, paint: style.paint, look: 'bold', hidden });
  return lines.map((line) => `${style.paint('cyan', '│')} ${line}`);
}

function variableLines(variables: Readonly<Record<string, string>>, style: ReportStyle, hidden: Hidden): string[] {
  const risky = new Set(riskyVariables(variables));
  return Object.entries(variables).flatMap(([name, value]) => {
    const lines = writeOut(`${name}=${textOf(value)}`, {
      width: widthOf(style),
      paint: style.paint,
      look: risky.has(name) ? 'yellow' : 'plain',
      hidden,
    });
    return risky.has(name) ? [...lines, ...below('(risky)', style, 'yellow')] : lines;
  });
}

function sinceLines({ state, before, decided, reason }: TrustEntry, style: ReportStyle): string[] {
  if (state === 'new') return below('there is no decision about it yet', style, 'dim');
  const said = reason === '' ? [] : below(reason, style, state === 'trusted' ? 'dim' : 'yellow');
  const at = decided ?? before;
  if (said.length > 0 || at === undefined) return said;
  return below(`decided on ${at.at.slice(0, 10)}`, style, 'dim');
}

function whenOf(event: unknown, dialectEvent: unknown): string {
  const name = textOf(event);
  const words = isHookEventName(name) ? eventEntry(name as HookEventName).when : name;
  return `${words} (${textOf(dialectEvent ?? event)})`;
}

function timeoutOf(dialect: string, timeoutMs: number, { timeoutUnitOf = () => 'ms' }: ReportStyle): string {
  return timeoutUnitOf(dialect) === 's' ? `${timeoutMs / 1000} s` : `${timeoutMs} ms`;
}

/** Tests for a value that is the default in every format. It is not shown. */
function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function widthOf({ width }: ReportStyle): number {
  return Math.max(width - nameColumns - 2, 20);
}

function below(text: string, style: ReportStyle, look: Style = 'plain'): string[] {
  return paragraph(text, { indent: 0, look, max: 4_000 }, { ...style, width: widthOf(style) });
}

function labelled(name: string, lines: readonly string[], { paint }: ReportStyle): string[] {
  return lines.map((line, index) => `  ${paint('dim', (index === 0 ? name : '').padEnd(nameColumns))}${line}`);
}
