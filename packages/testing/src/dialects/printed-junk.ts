import { type Printed, printedOf } from './printed.js';

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);
const noUtf8 = Uint8Array.of(0x6e, 0xe9, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x0a);
const manyFields = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, index]));

/** What says nothing, and is short enough to be tried on every event. */
export const usualJunk: readonly Printed[] = [
  ...printedOf({ nothing: '' }, 'silence'),
  ...printedOf(
    {
      'a text': 'checked 3 files\n',
      'bytes that are no text': everyByte,
      'half an object': '{"a":{"b":[1,',
      'a list': '[1,"x",null]',
    },
    'text',
  ),
  ...printedOf(
    { 'keys of every object': '{"__proto__":{"x":1},"constructor":7,"toString":"x","valueOf":null,"hookSpecificOutput":{"__proto__":7}}' },
    'odd',
  ),
];

/** What says nothing: no word of it is a decision, and some of it looks as if it were one. */
export const printedJunk: readonly Printed[] = [
  ...usualJunk,
  ...printedOf({ 'an empty object': '{}' }, 'nothing'),
  ...printedOf({ 'white space': ' \n\t\r\n  ', 'a mark of the byte order': '\ufeff' }, 'silence'),
  ...printedOf(
    {
      'words that mean yes': 'allow\napprove\nyes\ntrue\n0\n',
      'the word allow': 'allow',
      'the word deny': 'deny',
      'text with colours': '\u001b[31mno\u001b[0m \u001b]0;title\u0007\n',
      'text that is not UTF-8': noUtf8,
      'NUL bytes': '\0\0a\0b\n\0',
      'an empty list': '[]',
      'a number': '7',
      'a number that is too large': '1e999',
      'a JSON text': '"allow"',
      true: 'true',
      null: 'null',
      'brackets without end': '['.repeat(50_000),
      'objects without end': '{"a":'.repeat(10_000),
      'a thousand lines of opening brackets': '{\n'.repeat(1000),
    },
    'text',
  ),
  ...printedOf(
    {
      'unknown fields': '{"unheard":{"of":[1,{"x":null}]},"":0,"a b":"c"}',
      'a thousand unknown fields': JSON.stringify(manyFields),
      'a field that is nested deeply': `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      'a field of objects that are nested deeply': `{"x":${'{"x":'.repeat(5000)}7${'}'.repeat(5000)}}`,
    },
    'odd',
  ),
];
