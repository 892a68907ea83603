import type * as z from '@tenterhook/runtime/schema';
import type { eventCatalogue, HookEventName } from '../events/event-catalogue.js';
import type { AggregatedHookResult } from './aggregated-result.js';
import type { DefaultHookOutput, HookOutputClassOf } from './hook-output-classes.js';

/** Fields in the output of a single hook that the merged output does not have: the verdict combines them. */
type PerHookField = 'permissionDecision' | 'permissionDecisionReason';

/** Effective values whose field in the merged output has another name than the one that hooks print. */
interface EffectiveValues {
  AfterTool: {
    /** The whole `tool_response`, as the hooks rewrote it. Absent when no hook rewrote it. */
    readonly updatedToolOutput?: Record<string, unknown> | undefined;
  };
  BeforeAgent: {
    /** The whole prompt, as the hooks rewrote it. Absent when no hook rewrote it. */
    readonly replacedPrompt?: string | undefined;
  };
}

type SpecificOutputOf<Name extends HookEventName> = z.infer<(typeof eventCatalogue)[Name]['specificOutput']>;

/**
 * The `hookSpecificOutput` of a merged output: texts are joined, rewrites are whole effective values, and every other field has the last
 * value. Fields that are not named here were added by hooks; they are `unknown`.
 */
type MergedSpecificOf<Name extends HookEventName> = {
  [Field in keyof SpecificOutputOf<Name> as string extends Field
    ? never
    : Field extends PerHookField
      ? never
      : Field]: SpecificOutputOf<Name>[Field];
} & (Name extends keyof EffectiveValues ? EffectiveValues[Name] : unknown) & {
    /** Text for the user alone. */
    readonly userMessage?: string | undefined;
  };

/**
 * The merged output of an event, as an instance of its class. If the event is known only at run time (`HookEventName`), it is
 * `DefaultHookOutput`.
 */
export type HookOutputOf<Name extends HookEventName> = HookEventName extends Name
  ? DefaultHookOutput
  : { [Each in Name]: HookOutputClassOf<Each> & { hookSpecificOutput?: MergedSpecificOf<Each> } }[Name];

/** The aggregated result of an event whose name is known: `finalOutput` has the methods and the fields of this event. */
export type AggregatedHookResultOf<Name extends HookEventName> = Omit<AggregatedHookResult, 'finalOutput'> & {
  /** The merged output. Absent when no hook ran and nothing was decided. */
  finalOutput?: HookOutputOf<Name>;
};
