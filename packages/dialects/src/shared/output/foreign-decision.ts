import { type HookDefinition, verdictOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { nearestName } from '@tenterhook/runtime/text';
import { formatValue } from '../text.js';
import type { AnswerFormat, ReadOutput } from './answer-format.js';

type Fields = Readonly<Record<string, unknown>>;

const decidingField = /^(?:action|approval|behavior|decision|outcome|permission|permission_?decision|result|verdict)$/i;
/** The names that a misspelt field is compared with. `continue` objects with `false`. */
const misspeltNames = ['decision', 'permissionDecision', 'approval', 'behavior', 'verdict', 'continue'];
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
 * Finds an objection in an object that is written in another format, in words that no format has, or in a misspelt field, such as
 * `desicion`. Its author believes that it denies. Only the usual fields are searched, because elsewhere the object may contain a tool's
 * arguments with these names. `own`: the paths of the decisions that the format itself reads.
 */
export function findForeignDecision(object: Fields, own: readonly (readonly string[])[] = []): ForeignDecision | undefined {
  const isOwn = (path: readonly string[]) => own.some((one) => path.every((name, index) => one[index] === name));
  for (const [path, fields] of placesOfDecisions(object)) {
    for (const [field, value] of Object.entries(fields)) {
      const behavior = isPlainObject(value) && isDeciding(field) ? value['behavior'] : undefined;
      const inner = isObjection(behavior);
      if ((inner || objects(field, value)) && !isOwn([...path, field])) {
        return { path: [...path, field, ...(inner ? ['behavior'] : [])].join('.'), value: inner ? behavior : value };
      }
    }
  }
  return undefined;
}

/** Returns the object itself and its `hookSpecificOutput`, also a misspelt one. */
function placesOfDecisions(object: Fields): readonly (readonly [path: readonly string[], fields: Fields])[] {
  const inner = Object.entries(object).flatMap(([field, value]) =>
    isPlainObject(value) && isNear(field, ['hookSpecificOutput']) ? [[[field], value] as const] : [],
  );
  return [[[], object], ...inner];
}

function objects(field: string, value: unknown): boolean {
  if (value === true) return denyingIfTrue.test(field);
  if (value === false) return denyingIfFalse.test(field) || (field !== 'continue' && nearestOf(field) === 'continue');
  return isObjection(value) && isDeciding(field);
}

/** Tests whether a field is named like a decision, exactly or with a slip. A slip is searched only where the value objects. */
function isDeciding(field: string): boolean {
  return decidingField.test(field) || isNear(field, misspeltNames);
}

/** The maximum length of names that are compared. No known field is longer. */
const maxLength = 32;

function isNear(field: string, known: readonly string[]): boolean {
  return nearestOf(field, known) !== undefined;
}

/** Returns the known name that was probably meant. Separators do not count: `permision_decision` is near `permissionDecision`. */
function nearestOf(field: string, known: readonly string[] = misspeltNames): string | undefined {
  return field.length > maxLength ? undefined : nearestName(field.replace(/[_-]/g, ''), known);
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
