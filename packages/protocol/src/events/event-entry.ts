import * as z from '@tenterhook/runtime/schema';
import { specific } from './event-fields.js';

/**
 * How the outputs of several hooks are merged (seed 000 "Aggregation Strategies"). The verdict is computed in the same way in all of them.
 * - `or-decision`: any deny wins, messages are joined, `allow` is the decision if no hook objects (decision 9);
 * - `field-replacement`: the last write wins per field (decision 12);
 * - `tool-selection`: within a level the lists of names are united; of several levels, only names that all of them allow remain. The most
 *   restrictive mode wins (decision 21);
 * - `observe`: the last write wins, and hooks cannot decide anything.
 */
export type MergeStrategy = 'or-decision' | 'field-replacement' | 'tool-selection' | 'observe';

/**
 * How an output field is applied to the value that it rewrites. `merge` replaces the fields that the hook returned. `replace` replaces the
 * whole value. The others are special rules for the data of models and tools: `llm-request`, for example, replaces fields and merges
 * `config` key by key (decision 12).
 */
export type RewriteRule = 'merge' | 'replace' | 'llm-request' | 'llm-response' | 'tool-config' | 'tool-output';

/** A value that hooks of an event may rewrite, and the output field that does it. */
export interface Rewrite {
  /** Path of the value in the input. */
  readonly target: readonly string[];
  /** The name of the value in `changes`. */
  readonly path: string;
  /** The field of `hookSpecificOutput` that a hook writes. */
  readonly field: string;
  /** The field of the final `hookSpecificOutput` that carries the effective value. */
  readonly finalField: string;
  readonly rule: RewriteRule;
}

/** Creates the entry of a rewrite in the catalogue. By default `target` is `path`, and `finalField` is `field`. */
export function rewrite(path: string, field: string, rule: RewriteRule, target = [path], finalField = field): Rewrite {
  return { target, path, field, finalField, rule };
}

/** What hooks of an event may do (seed 001 §8, with decisions 13 and 19 to 21). */
export interface EventPowers {
  /** `feedback`: a deny cannot undo what has happened. Its reason goes to the model. */
  readonly block: boolean | 'feedback';
  readonly stop: boolean;
  readonly inject: boolean;
}

/** What a deny and a stop do, in words for the pages of the events. */
export interface EventEffects {
  readonly deny: string;
  readonly stop: string;
}

/** Everything that differs between events. */
export interface EventEntry {
  /** When the agent fires it. */
  readonly when: string;
  /**
   * With `host`, Tenterhook never fires the event itself; its hooks run when the agent publishes the event under this name. @default the
   * functions of `@tenterhook/agent` fire it, or the host at the points that its page names
   */
  readonly firedBy?: 'host';
  readonly input: z.ZodObject;
  /** An input that can be fired as it is. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** Schema of `hookSpecificOutput`. */
  readonly specificOutput: z.ZodObject;
  /** The input field that a matcher is compared with. Absent if there is nothing to match (decision 2). */
  readonly matcherField?: string;
  /** An example value of `matcherField` that can be copied. Present if and only if `matcherField` is. */
  readonly matcherExample?: string;
  /** Every value that `matcherField` can have. @default any string */
  readonly matcherValues?: readonly string[];
  readonly strategy: MergeStrategy;
  readonly may: EventPowers;
  readonly effects: EventEffects;
  readonly rewrites: readonly Rewrite[];
  /**
   * Set if the answer of a hook is valid only for the input that the hook received. If the input is rewritten afterwards, the hook is asked
   * again, and its earlier allow loses its effect. @default the answer of a hook stays valid after later rewrites
   */
  readonly rechecks?: true;
  /**
   * Set if hooks may remove parts of data that the model or the user sees. Each hook of a higher level than one that rewrote these data
   * must then see what this one wrote, and the hook of the highest level sees the data last. If hooks of one level write different values,
   * they are run one after another. @default the later value in plan order counts
   */
  readonly redacts?: true;
}

export const noEffects = { deny: 'nothing, with a warning', stop: 'nothing, with a warning' };

/** The fields of an event that hooks can watch but not influence. */
export const observed = {
  specificOutput: z.looseObject(specific),
  strategy: 'observe',
  may: { block: false, stop: false, inject: false },
  effects: noEffects,
  rewrites: [],
} as const;
