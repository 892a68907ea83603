import type { ShownAction } from '@tenterhook/protocol';

/** What a hook runs, in a line; none where nothing is known of it. */
export function describeAction({ command, url, type }: ShownAction): string[] {
  if (command !== undefined) return [`$ ${command}`];
  if (url !== undefined) return [`POST ${url}`];
  return type === undefined ? [] : [`${type}, run by the host`];
}
