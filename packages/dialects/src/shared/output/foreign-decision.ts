import { type HookDefinition, verdictOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { nearestName } from '@tenterhook/runtime/text';
import { formatValue } from '../text.js';
import type { AnswerFormat, ReadOutput } from './answer-format.js';

type Fields = Readonly<Record<string, unknown>>;

const decidingField = /^(?:action|approval|behavior|decision|outcome|permission|permission_?decision|result|verdict)$/i;
/** The names that a misspelt field is compared with. They include `continue`, because `continue: false` stops the agent. */
const misspeltNames = ['decision', 'permission', 'permissionDecision', 'approval', 'behavior', 'verdict', 'continue'];
const objectingValue = /^(?:ask|block|blocked|deny|denied|refuse|reject|rejected)$/i;
const denyingIfTrue = /^(?:block|blocked|deny|denied|reject|rejected)$/i;
const denyingIfFalse = /^(?:allow|allowed|approve|approved|permit|permitted|proceed)$/i;

/** Tests whether a value means a deny or an ask in any agent. */
export function isObjection(value: unknown): boolean {
  return typeof value === 'string' && objectingValue.test(value);
}

/** A field that contains a deny or ask. */
export interface ForeignDecision {
  readonly path: string;
  readonly value: unknown;
}

/**
 * Finds a deny or ask in a field that this format does not read: a field of another format, an invented field, or a misspelt field
 * such as `desicion`. The hook's author believes that the field has an effect. Only the usual places are searched, because a tool's
 * arguments may have the same names. `own` are the paths of decisions that the format reads.
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

/** Returns the object itself and its `hookSpecificOutput`, even if that name is misspelt. */
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

/**
 * Tests whether the name of a field is the name of a decision, perhaps misspelt. Called only for fields with a value such as
 * `deny`.
 */
function isDeciding(field: string): boolean {
  return decidingField.test(field) || isNear(field, misspeltNames);
}

/** No known field is longer. */
const maxLength = 32;

function isNear(field: string, known: readonly string[]): boolean {
  return nearestOf(field, known) !== undefined;
}

/**
 * Returns the known name that was probably meant. Separators are ignored: `permision_decision` is similar to `permissionDecision`.
 */
function nearestOf(field: string, known: readonly string[] = misspeltNames): string | undefined {
  return field.length > maxLength ? undefined : nearestName(field.replace(/[_-]/g, ''), known);
}

/**
 * Handles an object with a deny or ask that this format does not read. Adds a warning, and removes an allow, because the author
 * also wrote a deny or ask. If the output already denies or asks, or has a warning about its decision, it is returned unchanged.
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
