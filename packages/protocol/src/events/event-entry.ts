import * as z from '@tenterhook/runtime/schema';
import { specific } from './event-fields.js';

/**
 * How the outputs of several hooks are merged. All strategies compute the verdict in the same way.
 * - `or-decision`: any deny wins, and messages are joined. Without a deny or ask, the decision is `allow` (decision 9).
 * - `field-replacement`: if several hooks write a field, the last value is used (decision 12).
 * - `tool-selection`: lists of names from hooks of one level are united. If hooks of several levels return lists, only names that
 *   every level allows remain. The most restrictive mode wins (decision 21).
 * - `observe`: the same as `field-replacement`, except that hooks cannot decide anything.
 */
export type MergeStrategy = 'or-decision' | 'field-replacement' | 'tool-selection' | 'observe';

/**
 * How an output field is applied to the value that it rewrites. `merge` replaces the fields that the hook returned. `replace`
 * replaces the whole value. The other rules are for model and tool data. For example, `llm-request` replaces fields and merges
 * `config` key by key (decision 12).
 */
export type RewriteRule = 'merge' | 'replace' | 'llm-request' | 'llm-response' | 'tool-config' | 'tool-output';

/** A value that hooks of an event may rewrite, and the output field with which they do it. */
export interface Rewrite {
  /** Path of the value in the event's input. */
  readonly target: readonly string[];
  /** The name of the value in `changes` of the result. */
  readonly path: string;
  /** The field of `hookSpecificOutput` that a hook writes. */
  readonly field: string;
  /** The field of the merged `hookSpecificOutput` with the value after all rewrites. */
  readonly finalField: string;
  readonly rule: RewriteRule;
}

/** Creates the entry of a rewrite in the catalogue. The defaults are `target = [path]` and `finalField = field`. */
export function rewrite(path: string, field: string, rule: RewriteRule, target = [path], finalField = field): Rewrite {
  return { target, path, field, finalField, rule };
}

/** What hooks of an event may do (decisions 13 and 19 to 21). */
export interface EventPowers {
  /**
   * With `true`, a deny prevents the operation. With `feedback`, a deny cannot undo what has happened, but its reason goes to the
   * model.
   */
  readonly block: boolean | 'feedback';
  readonly stop: boolean;
  readonly inject: boolean;
}

/** What a deny and a stop do, in words for the pages of the events. */
export interface EventEffects {
  readonly deny: string;
  readonly stop: string;
}

/** What the catalogue says about one event. */
export interface EventEntry {
  /** When the agent fires the event. */
  readonly when: string;
  /**
   * `host` means that Tenterhook never fires the event itself. Its hooks run when the agent publishes an event of this name.
   * @default fired by `@tenterhook/agent`, or by the host as `docs/events` describes
   */
  readonly firedBy?: 'host';
  readonly input: z.ZodObject;
  /** An example of a valid input. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** Schema of `hookSpecificOutput`. */
  readonly specificOutput: z.ZodObject;
  /** The input field that a matcher is compared with. Missing if the event has no such field (decision 2). */
  readonly matcherField?: string;
  /** An example value of `matcherField` that can be copied. Present whenever `matcherField` is present. */
  readonly matcherExample?: string;
  /** Every value that `matcherField` can have. @default any string */
  readonly matcherValues?: readonly string[];
  readonly strategy: MergeStrategy;
  readonly may: EventPowers;
  readonly effects: EventEffects;
  readonly rewrites: readonly Rewrite[];
  /**
   * Set if the answer of a hook is valid only for the input that the hook received. If another hook rewrites the input later, the
   * first hook is asked again, and its earlier allow has no effect.
   * @default the answer stays valid
   */
  readonly rechecks?: true;
  /**
   * Set if hooks may remove secrets from data that the model or the user sees. Hooks of a higher level then also receive what hooks
   * of a lower level wrote. If hooks of one level write different values, they are run one after another.
   * @default the value of the hook that is later in the plan is used
   */
  readonly redacts?: true;
}

export const noEffects = { deny: 'no effect; the hook gets a warning', stop: 'no effect; the hook gets a warning' };

/** The fields of an event that hooks can watch but not influence. */
export const observed = {
  specificOutput: z.looseObject(specific),
  strategy: 'observe',
  may: { block: false, stop: false, inject: false },
  effects: noEffects,
  rewrites: [],
} as const;
