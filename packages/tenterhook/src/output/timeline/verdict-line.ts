import type { ResponseError, Verdict, VerdictKind } from '@tenterhook/protocol';
import { escapeForTerminal } from '../terminal/escape.js';
import type { Paint, Style } from '../terminal/palette.js';
import { wrapTo } from '../terminal/text-layout.js';
import { formatDuration } from './duration.js';

export interface VerdictContext {
  readonly width: number;
  readonly paint: Paint;
  readonly labelOf: (hookId: string) => string;
  readonly hasRun: boolean;
}

const styles: Readonly<Record<VerdictKind, Style>> = { deny: 'red', ask: 'yellow', allow: 'green', none: 'dim' };

/** The decision, who made it and why; a stop beside it, since it is a flag of its own (design §5). */
export function renderVerdict(verdict: Verdict, { width, paint, labelOf, hasRun }: VerdictContext): string[] {
  const lines: string[] = [];
  if (!verdict.stop || verdict.kind !== 'none') {
    const retry = verdict.retryAfterMs === undefined ? '' : ` (may be tried again in ${formatDuration(verdict.retryAfterMs)})`;
    const rest = `${by(verdict.by, labelOf)}${because(verdict.reason)}${retry}`;
    lines.push(
      ...renderConclusion(verdict.kind, rest || (hasRun ? ': no hook decided' : ': no hook ran'), styles[verdict.kind], width, paint),
    );
  }
  if (verdict.stop) {
    lines.push(...renderConclusion('stop', `${by(verdict.stoppedBy, labelOf)}${because(verdict.stopReason)}`, 'red', width, paint));
  }
  return lines;
}

/** The request was not carried out: there is no verdict, only what stands in its place. */
export function renderFailure(error: ResponseError, width: number, paint: Paint): string[] {
  return renderConclusion(`not carried out, ${error.code}`, because(error.message), 'red', width, paint);
}

function renderConclusion(word: string, rest: string, style: Style, width: number, paint: Paint): string[] {
  const [first = '', ...more] = wrapTo(`${word}${rest}`, Math.max(width - 4, 10), 4);
  const head = style === 'dim' ? paint('dim', `→ ${first}`) : `${paint('dim', '→')} ${paint(style, word)}${first.slice(word.length)}`;
  return [`  ${head}`, ...more.map((line) => `    ${line}`)];
}

function by(hookIds: readonly string[], labelOf: (hookId: string) => string): string {
  return hookIds.length === 0 ? '' : ` by ${hookIds.map(labelOf).join(', ')}`;
}

/** Several hooks give a line each; the line ends are ours and not to be shown as escapes. */
function because(reason: string | undefined): string {
  const lines = (reason ?? '').slice(0, 2_000).split(/\r?\n/);
  const shown = lines.map((line) => escapeForTerminal(line.trim(), 240)).filter((line) => line !== '');
  return shown.length === 0 ? '' : `: ${shown.join(' · ')}`;
}
