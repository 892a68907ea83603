import type { Dialect } from '@tenterhook/protocol';

/** The canonical name of an event that may be written as the dialect writes it; a name that nobody knows stays what it is. */
export function canonicalEventName(name: string, dialect: Dialect | undefined): string {
  const own = dialect?.events ?? {};
  return Object.hasOwn(own, name) ? (own[name] as string) : name;
}
