/**
 * What must and must not compile: reading results. The interfaces must have the fields of their schemas. `npm run typecheck` checks this
 * file; it never runs.
 */

import type {
  AggregatedHookResult,
  Change,
  Diagnostic,
  HookOutcome,
  HookOutput,
  HookWarning,
  Verdict,
  WarningCode,
} from '@tenterhook/protocol';
import type {
  aggregatedHookResultSchema,
  changeSchema,
  diagnosticSchema,
  hookOutcomeSchema,
  hookOutputSchema,
  verdictSchema,
  warningSchema,
} from '@tenterhook/protocol/internal';
import type { Hooks } from 'tenterhook';

/** The fields of a schema. */
type FieldOf<Schema> = Schema extends { readonly shape: infer Shape } ? keyof Shape : never;
/** The fields of the schema that the interface lacks: they would have no comment, and the compiler would not know them. */
type Missing<Schema, Interface> = Exclude<
  FieldOf<Schema>,
  keyof { [Field in keyof Interface as string extends Field ? never : Field]: true }
>;

export const missing: [
  Missing<typeof aggregatedHookResultSchema, AggregatedHookResult>,
  Missing<typeof changeSchema, Change>,
  Missing<typeof diagnosticSchema, Diagnostic>,
  Missing<typeof hookOutcomeSchema, HookOutcome>,
  Missing<typeof hookOutputSchema, HookOutput>,
  Missing<typeof verdictSchema, Verdict>,
  Missing<typeof warningSchema, HookWarning>,
][number][] = [];

declare function is<Expected>(value: Expected): void;

/** A result is deeply frozen, so nothing of it can be assigned. */
export async function frozen(hooks: Hooks) {
  const result = await hooks.fire('BeforeTool', { tool_name: 'ls', tool_input: {} });
  const { verdict, outcomes, errors, changes, allOutputs, finalOutput } = result;
  // @ts-expect-error The verdict is readonly.
  verdict.kind = 'allow';
  // @ts-expect-error The field is readonly.
  result.verdict = verdict;
  // @ts-expect-error The list is readonly.
  verdict.by.push('me');
  // @ts-expect-error The list is readonly.
  outcomes.push(...outcomes);
  // @ts-expect-error The list is readonly.
  outcomes[0]?.warnings.pop();
  // @ts-expect-error The length is readonly.
  errors.length = 0;
  // @ts-expect-error The list is readonly.
  changes.reverse();
  // @ts-expect-error The list is readonly.
  allOutputs.shift();
  if (finalOutput === undefined || outcomes[0] === undefined || errors[0] === undefined) return;
  // @ts-expect-error The output is readonly.
  finalOutput.reason = 'x';
  // @ts-expect-error The output is readonly.
  finalOutput.hookSpecificOutput = {};
  // @ts-expect-error The outcome is readonly.
  outcomes[0].status = 'succeeded';
  // @ts-expect-error The error is readonly.
  errors[0].code = 'timeout';
  hooks.onResult(({ output }) => {
    // @ts-expect-error Messages are frozen too.
    output?.outcomes.pop();
  });
}

/** The merged output has the fields and the methods of its event, and no others. */
export async function fieldsOfTheOutput(hooks: Hooks) {
  const { finalOutput: output } = await hooks.fire('BeforeTool', { tool_name: 'ls', tool_input: {} });
  is<string | undefined>(output?.reason);
  // @ts-expect-error A field is misspelt.
  is<unknown>(output?.resaon);
  // @ts-expect-error A method is misspelt. As a condition, it would never hold.
  if (output?.isBlockingDecison) return;
  // @ts-expect-error The verdict is a field of the result.
  if (output?.verdict === 'deny') return;
  // @ts-expect-error No hook can set this field.
  is<unknown>(output?.hookSpecificOutput?.modifiedInput);

  const { finalOutput: atStart, outcomes } = await hooks.fire('SessionStart', { source: 'startup' });
  is<string | undefined>(atStart?.hookSpecificOutput?.additionalContext);
  // @ts-expect-error This event has no tool.
  is<unknown>(atStart?.hookSpecificOutput?.tool_input);
  // @ts-expect-error This event has no tool.
  atStart?.getModifiedToolInput();

  // What a hook printed besides the fields of the event.
  is<unknown>(atStart?.getField('theirs'));
  is<unknown>(atStart?.getField('hookSpecificOutput', 'theirs'));
  // @ts-expect-error The value can be anything.
  is<string | undefined>(atStart?.getField('theirs'));
  // @ts-expect-error There must be a name.
  atStart?.getField();
  // @ts-expect-error A field of the answer of one hook is misspelt.
  is<unknown>(outcomes[0]?.output?.resaon);
}

/** Codes are literals, so that a misspelt one does not compile. */
export async function codes(hooks: Hooks, code: WarningCode) {
  const result = await hooks.fire('BeforeTool', { tool_name: 'ls', tool_input: {} });
  const [outcome] = result.outcomes;
  is<boolean>(result.errors[0]?.code === 'timeout' || result.errors[0]?.code === 'no_responders');
  // @ts-expect-error There is no such code.
  is<boolean>(result.errors[0]?.code === 'tiemout');
  is<boolean>(outcome?.skipReason === 'matcher');
  // @ts-expect-error There is no such reason.
  is<boolean>(outcome?.skipReason === 'matchr');
  is<boolean>(outcome?.warnings[0]?.code === 'wrong_type');
  // @ts-expect-error There is no such code.
  is<boolean>(outcome?.warnings[0]?.code === 'wrong-type');
  is<boolean>(hooks.diagnostics[0]?.code === 'unknown_event');
  // @ts-expect-error There is no such code.
  is<boolean>(hooks.diagnostics[0]?.code === 'unknown_evnt');
  const [listed] = hooks.list('BeforeTool');
  if (listed?.state === 'off') {
    is<boolean>(listed.skipReason === 'disabled');
    // @ts-expect-error There is no such reason.
    is<boolean>(listed.skipReason === 'off');
  }
  const [explained] = hooks.explain('BeforeTool').hooks;
  is<boolean>(explained?.skipReason === 'duplicate');
  // @ts-expect-error There is no such reason.
  is<boolean>(explained?.skipReason === 'duplicated');
  // @ts-expect-error The codes of requests are not codes of hooks.
  is<boolean>(code === 'no_responders');
}

export function isNothing(field: (typeof missing)[number]): never {
  return field;
}

// @ts-expect-error A field that an interface does not have.
export const found: Missing<typeof warningSchema, { code: string }> = 'other';
export const message: Missing<typeof warningSchema, { code: string }> = 'message';
