import type { ShownAction, StartRoute } from '@tenterhook/protocol';
import type { ReportStyle } from './report-style.js';

/** The settings of a hook, as `list` and `explain` show them. */
export interface HookFacts {
  readonly eventName?: string | undefined;
  /** The name of the event in the settings. */
  readonly dialectEvent?: string | undefined;
  readonly matcher?: string | undefined;
  readonly condition?: string | undefined;
  readonly async?: true | undefined;
  readonly once?: true | undefined;
  readonly timeoutMs: number;
  readonly onError: string;
  readonly hidden?: true | undefined;
  readonly recheck?: false | undefined;
  /** Set if one process answers many events. */
  readonly mode?: 'resident' | undefined;
  readonly source: string;
  readonly dialect: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly route?: StartRoute | undefined;
}

/**
 * Formats the facts of a hook on one line. The name of the event in the settings is included only if it differs from the canonical name.
 * The timeout has the unit of the settings.
 */
export function formatHookFacts(facts: HookFacts, { timeoutUnitOf = () => 'ms' }: Pick<ReportStyle, 'timeoutUnitOf'>): string {
  const { eventName, dialectEvent = eventName, matcher, condition, timeoutMs, onError, source, dialect, file, line, route } = facts;
  return [
    ...(dialectEvent === eventName ? [] : [eventName === undefined ? dialectEvent : `${eventName} (${dialectEvent})`]),
    // An empty matcher is shown too: in some formats it matches everything, in others no tool.
    matcher === undefined ? 'no matcher' : `matcher ${JSON.stringify(matcher)}`,
    ...(condition === undefined ? [] : [`if ${JSON.stringify(condition)}`]),
    timeoutUnitOf(dialect) === 's' ? `timeout ${timeoutMs / 1000} s` : `timeout ${timeoutMs} ms`,
    ...(onError === 'block' ? ['onError block'] : []),
    ...(['async', 'once', 'hidden'] as const).filter((field) => facts[field] === true),
    ...(facts.recheck === false ? ['no recheck'] : []),
    // A lane is the rule, so only its exceptions are shown.
    ...(route === undefined ? (facts.mode === undefined ? [] : [facts.mode]) : route.kind === 'lane' ? [] : [formatRoute(route)]),
    `${source}, ${dialect}`,
    formatPlace(file, line) ?? source,
  ].join(' · ');
}

/** Returns how the command of a hook is run. */
function formatRoute(route: StartRoute): string {
  switch (route.kind) {
    case 'lane':
      return 'started by a lane';
    case 'direct':
      return `started directly: ${route.reason}`;
    case 'resident':
      return 'resident';
    case 'cold':
      return `resident, but with a process of its own: ${route.reason}`;
  }
}

/** Returns the file and line where a hook is configured, or undefined if the hook is not in a file. */
export function formatPlace(file: string | undefined, line: number | undefined): string | undefined {
  return file === undefined ? undefined : `${file}${line === undefined ? '' : `:${line}`}`;
}

/** Tests for a hook that is invalid only on the command line. An agent can run it. */
export function isOnlyInAgent({
  skipReason,
  type,
}: {
  readonly skipReason?: string | undefined;
  readonly type?: string | undefined;
}): boolean {
  return skipReason === 'invalid' && type !== undefined;
}

/** Returns what a hook runs, on one line, e.g. `$ ./guard.sh`. Returns an empty array if this is not known. */
export function formatAction({ command, url, type }: ShownAction): string[] {
  if (command !== undefined) return [`$ ${command}`];
  if (url !== undefined) return [`POST ${url}`];
  return type === undefined ? [] : [`${type}, run by the host`];
}
