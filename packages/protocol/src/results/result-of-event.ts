import type * as z from '@tenterhook/runtime/schema';
import type { eventCatalogue, HookEventName } from '../events/event-catalogue.js';
import type { AggregatedHookResult } from './aggregated-result.js';
import type { DefaultHookOutput, HookOutputClassOf } from './hook-output-classes.js';

/** Fields in the output of a single hook that are missing in the merged output, because the verdict combines them. */
type PerHookField = 'permissionDecision' | 'permissionDecisionReason';

/** Rewritten values whose field in the merged output has another name than in the output of a hook. */
interface EffectiveValues {
  AfterTool: {
    /** The whole `tool_response` after the hooks' rewrites. Missing if no hook rewrote it. */
    readonly updatedToolOutput?: Readonly<Record<string, unknown>> | undefined;
  };
  BeforeAgent: {
    /** The whole prompt after the hooks' rewrites. Missing if no hook rewrote it. */
    readonly replacedPrompt?: string | undefined;
  };
}

type SpecificOutputOf<Name extends HookEventName> = z.infer<(typeof eventCatalogue)[Name]['specificOutput']>;

/**
 * The `hookSpecificOutput` of a merged output. Texts are joined, a rewritten value is complete, and every other field has the last
 * value. Read further fields of hooks with `finalOutput.getField('hookSpecificOutput', name)`.
 */
type MergedSpecificOf<Name extends HookEventName> = {
  readonly [Field in keyof SpecificOutputOf<Name> as string extends Field
    ? never
    : Field extends PerHookField
      ? never
      : Field]: SpecificOutputOf<Name>[Field];
} & (Name extends keyof EffectiveValues ? EffectiveValues[Name] : unknown) & {
    /** Text that only the user reads. */
    readonly userMessage?: string | undefined;
  };

/**
 * The merged output of an event, as an instance of its class. If the event is known only at run time (`HookEventName`), it is a
 * `DefaultHookOutput`.
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
  /** The merged output. Missing if no hook ran and nothing was decided. */
  readonly finalOutput?: HookOutputOf<Name> | undefined;
};
