import { type HookDefinition, verdictOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue } from '../text.js';
import type { AnswerFormat, ReadOutput } from './answer-format.js';

type Fields = Readonly<Record<string, unknown>>;

const decidingField = /^(?:action|approval|behavior|decision|outcome|permission|permission_?decision|result|verdict)$/i;
const objectingValue = /^(?:ask|block|blocked|deny|denied|refuse|reject|rejected)$/i;
const denyingIfTrue = /^(?:block|blocked|deny|denied|reject|rejected)$/i;
const denyingIfFalse = /^(?:allow|allowed|approve|approved|permit|permitted|proceed)$/i;

/** Tests whether a value is the word of any agent for a deny or an ask. */
export function isObjection(value: unknown): boolean {
  return typeof value === 'string' && objectingValue.test(value);
}

/** A field that contains an objection. */
export interface ForeignDecision {
  readonly path: string;
  readonly value: unknown;
}

/**
 * Finds an objection in an object that is written in another format, or in words that no format has. The author of such a hook believes
 * that it denies. Only the usual fields are searched, because deeper in the object there may be arguments of a tool with the same names.
 * `own` are the paths of the decisions that the format itself reads.
 */
export function findForeignDecision(object: Fields, own: readonly (readonly string[])[] = []): ForeignDecision | undefined {
  const specific = object['hookSpecificOutput'];
  const places: [path: readonly string[], fields: Fields][] = [[[], object]];
  if (isPlainObject(specific)) places.push([['hookSpecificOutput'], specific]);
  const isOwn = (path: readonly string[]) => own.some((one) => path.every((name, index) => one[index] === name));
  for (const [path, fields] of places) {
    for (const [field, value] of Object.entries(fields)) {
      if (objects(field, value) && !isOwn([...path, field])) return { path: [...path, field].join('.'), value };
    }
  }
  return undefined;
}

function objects(field: string, value: unknown): boolean {
  if (value === true) return denyingIfTrue.test(field);
  if (value === false) return denyingIfFalse.test(field);
  return decidingField.test(field) && isObjection(value);
}

/**
 * Handles an object with an objection that this format does not read, in the same way for all formats. Adds a warning, and removes an allow
 * from the output, because next to an objection the author did not mean it. An output that already objects, or has a warning about its
 * decision, is returned unchanged.
 */
export function withForeignDecision(read: ReadOutput, object: Fields, format: AnswerFormat, hook: HookDefinition): ReadOutput {
  const kind = verdictOf(read.output.decision);
  if (kind === 'deny' || kind === 'ask' || read.warnings.some(({ code }) => code === 'other_spelling')) return read;
  const found = findForeignDecision(object, format.words.decisions);
  if (found === undefined) return read;
  const { decision: _allow, ...output } = read.output;
  const example = format.denial?.(hook) ?? format.words.example;
  const message = `${found.path} is ${formatValue(found.value)}, which decides nothing in this format; it is ignored. To deny, print ${example}.`;
  return { output, warnings: [...read.warnings, { code: 'other_spelling', message }] };
}
