import type { ShownAction } from '@tenterhook/protocol';

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
export function describeAction({ command, url, type }: ShownAction): string[] {
  if (command !== undefined) return [`$ ${command}`];
  if (url !== undefined) return [`POST ${url}`];
  return type === undefined ? [] : [`${type}, run by the host`];
}
