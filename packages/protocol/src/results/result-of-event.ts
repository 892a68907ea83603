import type * as z from '@tenterhook/runtime/schema';
import type { eventCatalogue, HookEventName } from '../events/event-catalogue.js';
import type { AggregatedHookResult } from './aggregated-result.js';
import type { DefaultHookOutput, HookOutputClassOf } from './hook-output-classes.js';

/** Fields in the output of a single hook that the merged output does not have, because the verdict combines them. */
type PerHookField = 'permissionDecision' | 'permissionDecisionReason';

/** Rewritten values that have another field name in the merged output than in the output of a hook. */
interface EffectiveValues {
  AfterTool: {
    /** The whole `tool_response` after the hooks' rewrites. Absent when no hook rewrote it. */
    readonly updatedToolOutput?: Readonly<Record<string, unknown>> | undefined;
  };
  BeforeAgent: {
    /** The whole prompt, as the hooks rewrote it. Absent when no hook rewrote it. */
    readonly replacedPrompt?: string | undefined;
  };
}

type SpecificOutputOf<Name extends HookEventName> = z.infer<(typeof eventCatalogue)[Name]['specificOutput']>;

/**
 * The `hookSpecificOutput` of a merged output. Texts are joined, a rewritten value is complete, and every other field has the last value.
 * Read further fields of hooks with `finalOutput.getField('hookSpecificOutput', name)`.
 */
type MergedSpecificOf<Name extends HookEventName> = {
  readonly [Field in keyof SpecificOutputOf<Name> as string extends Field
    ? never
    : Field extends PerHookField
      ? never
      : Field]: SpecificOutputOf<Name>[Field];
} & (Name extends keyof EffectiveValues ? EffectiveValues[Name] : unknown) & {
    /** Text for the user alone. */
    readonly userMessage?: string | undefined;
  };

/**
 * The merged output of an event, as an instance of its class. It is `DefaultHookOutput` if the event is known only at run time
 * (`HookEventName`).
 */
export type HookOutputOf<Name extends HookEventName> = HookEventName extends Name
  ? DefaultHookOutput
  : {
      [Each in Name]: Omit<HookOutputClassOf<Each>, 'hookSpecificOutput'> & {
        readonly hookSpecificOutput?: MergedSpecificOf<Each> | undefined;
      };
    }[Name];

/** The aggregated result of an event whose name is known. `finalOutput` has the methods and the fields of this event. */
export type AggregatedHookResultOf<Name extends HookEventName> = Omit<AggregatedHookResult, 'finalOutput'> & {
  /** The merged output. Absent when no hook ran and nothing was decided. */
  readonly finalOutput?: HookOutputOf<Name> | undefined;
};
