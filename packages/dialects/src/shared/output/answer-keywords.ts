import { type HookDecision, verdictOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** The fields of an agent's answers. */
export interface AnswerFields {
  /** Where an object holds a decision: `['hookSpecificOutput', 'permissionDecision']`. */
  readonly decisions: readonly (readonly string[])[];
  /** The values that such a field takes, in canonical words: `block` and `approve` are two. */
  readonly values: readonly string[];
  /** Other fields that only an answer has. `continue` is one in every format and need not be named. */
  readonly ownFields: readonly string[];
}

/** What tells an agent's answers from other text. */
export interface AnswerWords {
  /** An answer as a message shows one. */
  readonly example: string;
  /** Whether a text holds the name of a field that can object to an operation; a name may be written with escapes. */
  readonly objecting: RegExp;
  /** A field of an answer as it stands in a text: quoted as in JSON, in Python, or in a JSON text within another. */
  readonly quotedField: RegExp;
  /** The same as in JavaScript. Without quotes it takes the word behind it, or any sentence about a decision would do. */
  readonly bareField: RegExp;
  /**
   * What an object says against an operation, each named by its field: an event that does not know one of the fields must not lose what the
   * other says.
   */
  objectionsOf(object: Readonly<Record<string, unknown>>): string[];
}

/** Made once for a format: its patterns are tried on every text that a hook prints. The names go into patterns as they are. */
export function answerWords({ decisions, values, ownFields }: AnswerFields): AnswerWords {
  const names = decisions.map((path) => path.at(-1) as string);
  return {
    example: exampleOf(decisions[0] ?? [], values.find((value) => verdictOf(value as HookDecision) === 'deny') ?? 'deny'),
    objecting: new RegExp(`"(?:${[...names, 'continue'].join('|')})"|\\\\u`),
    quotedField: new RegExp(`${oneOf([...names, ...ownFields])}\\\\*["']\\s*:|continue\\\\*["']\\s*:\\s*["'\\\\]*false`, 'i'),
    bareField: new RegExp(`\\b${oneOf(names)}\\s*:\\s*["'\`]?${oneOf(values)}\\b|\\bcontinue\\s*:\\s*false\\b`, 'i'),
    objectionsOf(object) {
      const objections = decisions.flatMap((path) => {
        const kind = verdictOf(valueAt(object, path) as HookDecision);
        return kind === 'deny' || kind === 'ask' ? [`${path.join('.')} ${kind}`] : [];
      });
      return object['continue'] === false ? [...objections, 'stop'] : objections;
    },
  };
}

/** The fields and the values of a decision in any agent's words. */
const decidingField = /^(?:approval|decision|permission_?decision|permission)$/i;
const objectingValue = /^(?:deny|block|ask)$/i;

/** Whether a value is a word against an operation. */
export function isObjection(value: unknown): boolean {
  return typeof value === 'string' && objectingValue.test(value);
}

/**
 * Whether an object that is no answer here would be one elsewhere, or in other letters: a deny that its author believes to have said. Where
 * such an answer stands, and not all through the object, which may hold arguments of a tool that are called like it.
 */
export function decidesElsewhere(object: Readonly<Record<string, unknown>>): boolean {
  const specific = object['hookSpecificOutput'];
  return [object, isPlainObject(specific) ? specific : {}].some((place) =>
    Object.entries(place).some(([field, value]) => decidingField.test(field) && isObjection(value)),
  );
}

function exampleOf(path: readonly string[], deny: string): string {
  return JSON.stringify(path.reduceRight<unknown>((value, key) => ({ [key]: value }), deny));
}

/** Of no names nothing is one, where an empty alternative would fit everywhere. */
function oneOf(names: readonly string[]): string {
  return names.length === 0 ? '(?!)' : `(?:${names.join('|')})`;
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isPlainObject(value) ? value[key] : undefined), object);
}
