import type { SampleAnswers } from './dialect-case.js';
import { type Printed, printedOf } from './printed.js';
import { wrongValues } from './wrong-fields.js';

const logLines = 'checking 3 files\n[info] {done}\n';

/** The sample answers, whole and in every way in which programs spoil them. */
export function printedAnswers({ deny, allow }: SampleAnswers): Printed[] {
  // Of a dialect without a word for it an empty answer is tried.
  const [denied, allowed] = [JSON.stringify(deny), JSON.stringify(allow ?? {})];
  return [
    ...printedOf({ 'an answer that allows': allowed }, allow === undefined ? 'nothing' : 'allow'),
    ...printedOf(
      { 'an answer that denies': denied, 'an answer that denies, on several lines': `\n${JSON.stringify(deny, null, 2)}\r\n` },
      'deny',
    ),
    ...printedOf(spoiltAllow(allowed), 'text'),
    ...printedOf(hiddenAllow(allowed), 'odd'),
    ...printedOf({ 'an answer that allows, in a text': JSON.stringify(allowed) }, 'unclear'),
    ...printedOf(spoiltDeny(denied, allowed), 'lost deny'),
    ...misspelt(deny).map((answer) => ({
      what: 'an answer that denies, with another type or word in it',
      stdout: JSON.stringify(answer),
      says: 'lost deny' as const,
    })),
  ];
}

/** An allow counts by itself or not at all: a hook may log what it read from a file. */
function spoiltAllow(allowed: string): Record<string, string> {
  return {
    'half an answer that allows': allowed.slice(0, -1),
    'half an answer that allows, behind log lines': `${logLines}${allowed.slice(0, -1)}`,
    'an answer that allows, behind log lines': `${logLines}${allowed}\n`,
    'an answer that allows, in front of log lines': `${allowed}\n${logLines}`,
    'an answer that allows, within a line': `the hook said ${allowed} and ended\n`,
    'an answer that allows, twice on a line': `${allowed}${allowed}`,
    'an answer that allows, in a list': `[${allowed}]`,
  };
}

function hiddenAllow(allowed: string): Record<string, string> {
  return {
    'an answer that allows, in another object': `{"result":${allowed},"output":${allowed},"data":[${allowed}]}`,
    'an answer that allows, as what an object inherits': `{"__proto__":${allowed},"constructor":{"prototype":${allowed}}}`,
  };
}

function spoiltDeny(denied: string, allowed: string): Record<string, string> {
  return {
    'half an answer that denies': denied.slice(0, -1),
    'half an answer that denies, behind log lines': `${logLines}${denied.slice(0, -1)}`,
    'an answer that denies, behind log lines': `${logLines}${denied}\n`,
    'an answer that denies, in front of log lines': `${denied}\n${logLines}`,
    'an answer that denies, in front of one that allows': `${denied}\n${allowed}\n`,
    'an answer that denies, behind one that allows': `${allowed}\n${denied}\n`,
    'an answer that denies, in a list': `[${denied}]`,
    'an answer that denies, in a text': JSON.stringify(denied),
    'an answer that denies, in a text in a text': JSON.stringify(JSON.stringify(denied)),
  };
}

/** A deny of which one leaf has another type, or its word in capitals. Not null: in some formats that is a way of saying nothing. */
function misspelt(deny: object): unknown[] {
  return Object.entries(deny).flatMap(([key, value]) => {
    const isObject = typeof value === 'object' && value !== null;
    const others = wrongValues.filter((other) => other !== null && (typeof other === 'string' || typeof other !== typeof value));
    const changed = isObject ? misspelt(value) : [...others, ...(typeof value === 'string' ? [value.toUpperCase()] : [])];
    return changed.map((other) => ({ ...deny, [key]: other }));
  });
}
