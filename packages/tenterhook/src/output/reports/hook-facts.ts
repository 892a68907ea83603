import type { ShownAction } from '@tenterhook/protocol';

/** What settings say of a hook, as `list` and `explain` show it. */
export interface HookFacts {
  readonly eventName?: string | undefined;
  /** The event as its settings name it. */
  readonly dialectEvent?: string | undefined;
  readonly matcher?: string | undefined;
  readonly condition?: string | undefined;
  readonly async?: true | undefined;
  readonly once?: true | undefined;
  readonly timeoutMs: number;
  readonly onError: string;
  readonly hidden?: true | undefined;
  readonly source: string;
  readonly dialect: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** The event in the words of its settings where they have others, matcher and what else decides, time with its unit, place: one line. */
export function formatHookFacts(facts: HookFacts): string {
  const { eventName, dialectEvent = eventName, matcher, condition, timeoutMs, onError, source, dialect, file, line } = facts;
  const place = file === undefined ? source : `${file}${line === undefined ? '' : `:${line}`}`;
  return [
    ...(dialectEvent === eventName ? [] : [eventName === undefined ? dialectEvent : `${eventName} (${dialectEvent})`]),
    // An empty one is shown, too: to some formats it is no matcher, to others one that matches no tool.
    matcher === undefined ? 'no matcher' : `matcher ${JSON.stringify(matcher)}`,
    ...(condition === undefined ? [] : [`if ${JSON.stringify(condition)}`]),
    `timeout ${timeoutMs} ms`,
    ...(onError === 'block' ? ['onError block'] : []),
    ...(['async', 'once', 'hidden'] as const).filter((field) => facts[field] === true),
    `${source}, ${dialect}`,
    place,
  ].join(' · ');
}

/** A hook that is in order and that only an agent can run: what it would run is not known of any other that is invalid. */
export function isOnlyInAgent({
  skipReason,
  type,
}: {
  readonly skipReason?: string | undefined;
  readonly type?: string | undefined;
}): boolean {
  return skipReason === 'invalid' && type !== undefined;
}

/** What a hook runs, in a line; none where nothing is known of it. */
export function formatAction({ command, url, type }: ShownAction): string[] {
  if (command !== undefined) return [`$ ${command}`];
  if (url !== undefined) return [`POST ${url}`];
  return type === undefined ? [] : [`${type}, run by the host`];
}
