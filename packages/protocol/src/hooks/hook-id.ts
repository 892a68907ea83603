/** `<dialect>/<source>/<event>/<name, else group.index>` (design §4.5); a `/` inside a part would make two ids one. */
export function hookIdOf(dialect: string, source: string, eventName: string, last: string): string {
  return [dialect, source, eventName, last].map((part) => part.replaceAll('/', '%2F')).join('/');
}
