import { mask } from './masked-value.js';

/** In JSON, some programs write `\/` in place of a slash. */
const slashes = String.raw`:(?:\\{0,31}\/){2}`;

/**
 * Credentials end at the last @ before the host, because a password may contain an @. A password that is masked already stays, because a
 * recording has the mask in place of a known secret.
 */
const credentials = new RegExp(
  String.raw`(${slashes})(?![^\s/:@"'<>]{1,256}:\*\*\*@[^\s/@"'<>]{0,256}(?:[\s/"'<>]|$))[^\s/"'<>]{1,512}@`,
  'g',
);
/** A password with a slash. A port and the name of a variable are not passwords. */
const withSlash = new RegExp(String.raw`(${slashes})[^\s/:@"'<>[]{1,256}:(?!\d{1,5}(?:[/?#\\]|$)|[$\{<*])[^\s"'<>@]{1,256}@`, 'g');
/** A password at the end of a text, whose host was cut off. */
const cutOff = new RegExp(String.raw`(${slashes}(?!localhost:)[^\s/:@"'<>[]{1,256}:)(?!\d{1,5}$|[$\{<*])[^\s/@"'<>\\]{1,512}$`, 'g');

/** A host, perhaps with its port, before the `…` of a text such as `Cloning https://example.org…`. */
const host = String.raw`(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})(?::\d{1,5})?…`;
/** What else is before the `…` of a shortened text may be credentials whose `@` was cut off. */
const shortened = new RegExp(String.raw`(${slashes})(?!${host})[^\s/?#"'<>…]{1,512}…`, 'g');

/** Masks the credentials in addresses: `https://me:password@example.org`. Takes linear time. */
export function maskUrls(text: string): string {
  // Most texts have no address, and this is faster than the patterns.
  if (!text.includes('://') && !text.includes(':\\')) return text;
  const masked = text.includes('@') ? text.replace(credentials, `$1${mask}@`).replace(withSlash, `$1${mask}@`) : text;
  return masked.replace(shortened, `$1${mask}…`).replace(cutOff, `$1${mask}`);
}
