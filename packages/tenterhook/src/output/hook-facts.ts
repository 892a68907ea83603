/** What settings say of a hook, as `list` and `explain` show it. */
export interface HookFacts {
  readonly matcher?: string | undefined;
  readonly timeoutMs: number;
  readonly onError: string;
  readonly hidden?: true | undefined;
  readonly source: string;
  readonly dialect: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** Matcher, time with its unit, place: one line. */
export function describeHookFacts({ matcher, timeoutMs, onError, hidden, source, dialect, file, line }: HookFacts): string {
  const place = file === undefined ? source : `${file}${line === undefined ? '' : `:${line}`}`;
  return [
    // An empty one is shown, too: to some formats it is no matcher, to others one that matches no tool.
    matcher === undefined ? 'no matcher' : `matcher ${JSON.stringify(matcher)}`,
    `timeout ${timeoutMs} ms`,
    ...(onError === 'block' ? ['onError block'] : []),
    ...(hidden === true ? ['hidden'] : []),
    `${source}, ${dialect}`,
    place,
  ].join(' · ');
}
