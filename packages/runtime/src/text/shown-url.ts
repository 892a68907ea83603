/** The maximum number of characters of a URL that are looked at. */
const maxUrl = 2_000;

/**
 * A URL as messages, screens, logs and models may show it: without credentials, and without query and fragment, which may hold a token. Settings
 * may have a mistake in the very part that separates the password from the host. So everything before the last "@" of an invalid URL counts as
 * credentials, and so does what is in the place of its port.
 */
export function shownUrl(text: string): string {
  const url = text.slice(0, maxUrl);
  const shown = URL.canParse(text)
    ? url.replace(/^([a-z][\w+.-]*:[/\\]*)[^/\\?#]*@/i, '$1…@')
    : url
        .replace(/^([a-z][\w+.-]*:[/\\]*|[/\\]*)[\s\S]*@/i, '$1…@')
        .replace(/^([^@?#]*:[/\\]*[^/\\?#:@]*:)(?!\d{1,5}(?:[/\\?#]|$))[^/\\?#]+/, '$1…');
  return `${shown.replace(/[?#][\s\S]*$/, '?…')}${text.length > maxUrl ? '…' : ''}`;
}
