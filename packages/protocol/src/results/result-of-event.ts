import type * as z from '@tenterhook/runtime/schema';
import type { eventCatalogue, HookEventName } from '../events/event-catalogue.js';
import type { AggregatedHookResult } from './aggregated-result.js';
import type { DefaultHookOutput, HookOutputClassOf } from './hook-output-classes.js';

/** Fields that each hook writes for itself: the verdict has what they come to, and the merged output leaves them out. */
type PerHookField = 'permissionDecision' | 'permissionDecisionReason';

/** Effective values that the merged output has under another name than those that hooks print. */
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
 * The `hookSpecificOutput` of a merged output: texts joined, rewrites as whole effective values, and of every other field the last value.
 * Fields that are not named here are those that hooks added; they are `unknown`.
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

/** What the merged output of an event may hold, as an instance of its class. For any `HookEventName`: `DefaultHookOutput`. */
export type HookOutputOf<Name extends HookEventName> = HookEventName extends Name
  ? DefaultHookOutput
  : { [Each in Name]: HookOutputClassOf<Each> & { hookSpecificOutput?: MergedSpecificOf<Each> } }[Name];

/** The aggregated result of an event whose name is known: `finalOutput` has the methods and the fields of this event. */
export type AggregatedHookResultOf<Name extends HookEventName> = Omit<AggregatedHookResult, 'finalOutput'> & {
  /** The merged output. Absent when no hook ran and nothing was decided. */
  finalOutput?: HookOutputOf<Name>;
};
