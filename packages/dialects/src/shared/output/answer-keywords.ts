import { type HookDecision, verdictOf } from '@tenterhook/protocol';
import { valueAt } from '@tenterhook/runtime/json';

/** The fields of an agent's answers, from which its keywords are made. */
export interface AnswerFields {
  /** The paths of decisions in an object: `['hookSpecificOutput', 'permissionDecision']`. */
  readonly decisions: readonly (readonly string[])[];
  /** The values of such a field, in canonical words, `block` and `approve` included. */
  readonly values: readonly string[];
  /** Other fields that only an answer has. `continue` is one in every format and is included anyway. */
  readonly ownFields: readonly string[];
}

/** Distinguishes an agent's answers from other text. */
export interface AnswerKeywords {
  /** An answer for messages. */
  readonly example: string;
  /** The paths of the decisions. */
  readonly decisions: AnswerFields['decisions'];
  /** Finds the name of a field that can object to an operation. The name may be written with escapes. */
  readonly objecting: RegExp;
  /** Finds a field of an answer with quotes: as in JSON, in Python, or in JSON inside of a JSON text. */
  readonly quotedField: RegExp;
  /** Finds a field without quotes, as in JavaScript. It includes the value: otherwise any sentence about a decision would match. */
  readonly bareField: RegExp;
  /** The objections of an object, each named by its field: on an event without one of the fields, the other must still count. */
  objectionsOf(object: Readonly<Record<string, unknown>>): string[];
}

/** Call it once per format: it compiles patterns, which run on every text that a hook prints. Names go into the patterns unescaped. */
export function answerKeywords({ decisions, values, ownFields }: AnswerFields): AnswerKeywords {
  const names = decisions.map((path) => path.at(-1) as string);
  return {
    decisions,
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

function exampleOf(path: readonly string[], deny: string): string {
  return JSON.stringify(path.reduceRight<unknown>((value, key) => ({ [key]: value }), deny));
}

/** For no names, a pattern that never matches: an empty alternative would match everywhere. */
function oneOf(names: readonly string[]): string {
  return names.length === 0 ? '(?!)' : `(?:${names.join('|')})`;
}
