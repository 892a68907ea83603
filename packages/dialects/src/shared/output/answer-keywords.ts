import { type HookDecision, verdictOf } from '@tenterhook/protocol';
import { valueAt } from '@tenterhook/runtime/json';

/** The fields of an agent's answers, from which `answerKeywords` makes patterns. */
export interface AnswerFields {
  /** The paths of decisions in an object, e.g. `['hookSpecificOutput', 'permissionDecision']`. */
  readonly decisions: readonly (readonly string[])[];
  /** The values of decisions that this format reads. They are canonical names, including `block` and `approve`. */
  readonly values: readonly string[];
  /** Other fields that identify an answer. Leave out `continue`, because every format has this field. */
  readonly ownFields: readonly string[];
}

/** Patterns that distinguish an agent's answers from other text. */
export interface AnswerKeywords {
  /** An example of an answer, for messages. */
  readonly example: string;
  readonly decisions: AnswerFields['decisions'];
  /** Finds the name of a field that can deny, ask or stop, also if the name has JSON escapes. */
  readonly objecting: RegExp;
  /** Finds a field of an answer in quotes: in JSON, in Python, or in JSON inside a JSON string. */
  readonly quotedField: RegExp;
  /**
   * Finds a field without quotes, as in JavaScript, together with its value. The field alone is not enough, because any sentence
   * about a decision would match.
   */
  readonly bareField: RegExp;
  /** Returns every deny, ask and stop in an object, also those that have no effect on the event. */
  objectionsOf(object: Readonly<Record<string, unknown>>): string[];
}

/**
 * Compiles the keywords of a format. Call this function once per format, because the patterns are reused for every output. Names
 * are inserted into the patterns without escaping.
 */
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

/** Without names, the pattern never matches. An empty alternative would match everywhere. */
function oneOf(names: readonly string[]): string {
  return names.length === 0 ? '(?!)' : `(?:${names.join('|')})`;
}
