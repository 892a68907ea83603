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

/** A value ends at white space. In JSON it also ends at a line break before a further word of the format, or before the end of the text. */
const value = /(?:[^\s"'\\]|\\(?![nrt](?:\s|\\{1,31}[nrt]){0,40}(?:(?:machine|login|account|default|macdef)(?![\w-])|#|\\{0,31}["']|$)))+/y;

/** Masks passwords in the format of `.netrc`: `machine example.org login me password …`. Takes linear time. */
export function maskNetrc(text: string): string {
  let masked = '';
  let from = 0;
  name.lastIndex = 0;
  for (let found = name.exec(text); found !== null; found = name.exec(text)) {
    const begin = name.lastIndex;
    const lead = text.slice(Math.max(from, found.index - longestLead), found.index);
    if (!/machine|login/.test(lead) || !leads.some((pattern) => pattern.test(lead))) continue;
    value.lastIndex = begin;
    const { shown, end } = value.test(text) ? { shown: mask, end: value.lastIndex } : maskedValue(text, begin);
    masked += text.slice(from, begin) + shown;
    from = end;
    name.lastIndex = end;
  }
  return masked + text.slice(from);
}
