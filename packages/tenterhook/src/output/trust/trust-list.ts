import type { TrustEntry } from '@tenterhook/trust';
import { formatPlace } from '../reports/hook-facts.js';
import { paragraph, type ReportStyle, shortenPath, shortenPaths } from '../reports/report-style.js';
import { escapeForTerminal } from '../terminal/escape.js';
import type { Style } from '../terminal/palette.js';
import { renderTrustHook } from './trust-hook.js';

/** A hook as `tenterhook trust --show` prints it. A hook that needs no decision has no pin and no definition. */
export interface TrustListEntry
  extends Pick<TrustEntry, 'hookIds' | 'dialect' | 'file' | 'line' | 'reason'>,
    Partial<Omit<TrustEntry, 'state' | 'hookIds' | 'dialect' | 'file' | 'line' | 'reason'>> {
  readonly state: TrustEntry['state'] | 'off';
}

const looks: Readonly<Record<TrustListEntry['state'], Style>> = {
  trusted: 'green',
  new: 'cyan',
  changed: 'yellow',
  denied: 'yellow',
  refused: 'red',
  off: 'dim',
};

const how: Readonly<Record<string, string>> = { terminal: 'in a terminal', host: 'in the agent', pins: 'by a list of pins' };

/** Formats all hooks with their states. Hooks that come with the project or run its files are first. */
export function renderTrustList(hooks: readonly TrustListEntry[], project: string, style: ReportStyle, isOne: boolean): string[][] {
  const decided = hooks.filter(isDecided);
  const others = hooks.filter((hook) => !isDecided(hook));
  const counts = (Object.keys(looks) as TrustListEntry['state'][]).flatMap((state) => {
    const count = decided.filter((hook) => hook.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const isOpen = decided.some(({ state }) => state === 'new' || state === 'changed');
  return [
    [`${style.paint('bold', 'Hooks of')} ${escapeForTerminal(project, 4_000)}`],
    ...decided.map((hook) => [...headOf(hook, style), ...renderTrustHook(hook, style)]),
    others.length === 0
      ? []
      : [
          style.paint('bold', 'Other hooks'),
          ...others.flatMap((hook) => [
            ...headOf(hook, style),
            ...paragraph(`${shortenPaths(hook.reason, style)} ${placeOf(hook, style)}`, { indent: 4 }, style),
          ]),
        ],
    isOne
      ? []
      : paragraph(
          decided.length === 0
            ? 'No hook comes with this project or runs files of it.'
            : `${counts.join(', ')}.${isOpen ? ' To decide: tenterhook trust.' : ''}`,
          { indent: 0 },
          style,
        ),
  ];
}

function isDecided(hook: TrustListEntry): hook is TrustEntry {
  return hook.pin !== undefined;
}

function headOf({ hookIds, state, decided }: TrustListEntry, style: ReportStyle): string[] {
  const when = decided === undefined ? '' : ` on ${decided.at.slice(0, 10)} ${how[decided.by] ?? ''}`.trimEnd();
  const mark = state === 'trusted' ? '●' : '○';
  return [
    `${style.paint(looks[state], mark)} ${escapeForTerminal(hookIds[0] ?? '', 400)}  ${style.paint(looks[state], `${state}${when}`)}`,
  ];
}

function placeOf({ file, line }: TrustListEntry, style: ReportStyle): string {
  const place = formatPlace(file === undefined ? undefined : shortenPath(file, style), line);
  return place === undefined ? '' : `(${place})`;
}
