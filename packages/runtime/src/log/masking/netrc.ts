import { maskAfter } from './mask-after.js';
import { mask, maskedValue } from './masked-value.js';

/** White space between words. In JSON a line break is `\n`. */
const gap = String.raw`(?:\s|\\{1,31}[nrt]){1,40}`;
const word = String.raw`[^\s\\"']{1,256}`;
const names = `(?:login|account)${gap}${word}${gap}`;

const name = new RegExp(`password${gap}`, 'g');
/** The longest text before the name that is read. */
const longestLead = 1_024;

/** What is before the name. All words are lower case in this format, and in another case they are prose. */
const leads: readonly RegExp[] = [
  new RegExp(String.raw`(?:^|[^\w-]|\\[nrt])(?:machine${gap}${word}${gap}(?:${names}){0,2}|default${gap}(?:${names}){1,2})$`),
  // The last lines of an entry, as tools that show a part of a file print them.
  /(?:^|[\r\n]|\\[nr])[ \t]{0,20}login[ \t]{1,20}[^\s\\"']{1,256}[ \t]{0,20}(?:\\{1,31}r|\r)?(?:\\{1,31}n|\n)[ \t]{0,20}$/,
];

const quote = /\\{0,31}["']/y;
/**
 * What ends a value: white space, the quote around the text, and in JSON a line break before a further word of the format, or before the end of
 * the text.
 */
const end =
  /\s|\\{0,31}["'](?=$|[\s"'`\\,:;)}\]>|&])|\\[nrt](?=(?:\s|\\{1,31}[nrt]){0,40}(?:(?:machine|login|account|default|macdef)(?![\w-])|#|\\{0,31}["']|$))|$/g;

/** Masks passwords in the format of `.netrc`: `machine example.org login me password …`. Takes linear time. */
export function maskNetrc(text: string): string {
  return maskAfter(text, name, ({ index }, start, from) => {
    const lead = text.slice(Math.max(from, index - longestLead), index);
    if (!/machine|login/.test(lead) || !leads.some((pattern) => pattern.test(lead))) return undefined;
    quote.lastIndex = start;
    if (quote.test(text)) return maskedValue(text, start);
    end.lastIndex = start;
    const at = end.exec(text)?.index ?? text.length;
    return at === start ? undefined : { shown: mask, end: at };
  });
}
