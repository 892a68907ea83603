import { type AggregatedHookResult, type VerdictKind, verdictKinds } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { isText } from '../text.js';

type Fields = Readonly<Record<string, unknown>>;

/** What all hooks of an event said, as one value that each format writes in its own words. */
export interface RelayIntent {
  readonly kind: VerdictKind;
  readonly reason: string;
  readonly stop: boolean;
  readonly stopReason: string;
  /** The new arguments of each input of the event, whole and in canonical keys. Undefined for an input that no hook rewrote. */
  readonly inputs: readonly (Fields | undefined)[];
  /** The new result of the tool: a text, or a canonical `tool_response`. */
  readonly result?: unknown;
  readonly prompt?: string;
  /** `llm_request` and `llm_response`, as hooks wrote them. */
  readonly model?: Fields;
  /** `toolConfig`, as hooks wrote it. */
  readonly tools?: Fields;
  readonly context: string;
  /** Text for the user. */
  readonly user: string;
  /** Text for the user and the model. */
  readonly everyone: string;
}

/** An intent that says nothing. */
export const noIntent: RelayIntent = {
  kind: 'none',
  reason: '',
  stop: false,
  stopReason: '',
  inputs: [],
  context: '',
  user: '',
  everyone: '',
};

/**
 * Joins the results of all parts of one event. The strictest decision counts. An allow of one part does not allow the others. `parts` is the
 * number of parts: their results are the first ones.
 */
export function intentOf(results: readonly AggregatedHookResult[], parts: number): RelayIntent {
  const outputs = results.map(({ finalOutput }) => finalOutput);
  const specific = outputs.map((output) => output?.hookSpecificOutput ?? {});
  const opinions = results.map(opinionOf);
  const strictest = verdictKinds[Math.max(0, ...opinions.map((opinion) => verdictKinds.indexOf(opinion.kind)))] as VerdictKind;
  const isAllowed = opinions.slice(0, parts).every((opinion) => opinion.kind === 'allow');
  const kind = strictest === 'allow' && !isAllowed ? 'none' : strictest;
  const stopped = results.filter(({ verdict }) => verdict.stop);
  const written = (field: string) => specific.find((fields) => fields[field] !== undefined)?.[field];
  const [result, prompt, tools] = [written('updatedToolOutput'), written('replacedPrompt'), written('toolConfig')];
  const model = Object.fromEntries(
    ['llm_request', 'llm_response'].flatMap((field) => (written(field) === undefined ? [] : [[field, written(field)]])),
  );
  return {
    kind,
    reason: joined(opinions.filter((opinion) => opinion.kind === kind).map(({ reason }) => reason)),
    stop: stopped.length > 0,
    stopReason: joined(stopped.map(({ verdict }) => verdict.stopReason ?? verdict.reason)),
    inputs: specific.map(({ tool_input: input }) => (isPlainObject(input) ? input : undefined)),
    ...(result === undefined ? {} : { result }),
    ...(isText(prompt) ? { prompt } : {}),
    ...(Object.keys(model).length === 0 ? {} : { model }),
    ...(isPlainObject(tools) ? { tools } : {}),
    context: joined(specific.map(({ additionalContext }) => additionalContext)),
    user: joined([...specific.map(({ userMessage }) => userMessage), ...results.flatMap(failuresOf)]),
    everyone: joined(outputs.map((output) => output?.systemMessage)),
  };
}

/**
 * Returns the decision of a result. A hook that replaced the result of a tool has denied only in the words of its format: no reason is left
 * besides the new result.
 */
function opinionOf({ verdict, outcomes }: AggregatedHookResult): { readonly kind: VerdictKind; readonly reason: string | undefined } {
  const { kind, reason, by } = verdict;
  if (kind !== 'deny') return { kind, reason };
  const deciders = outcomes.filter(
    ({ hookId, status, failedClosed }) => by.includes(hookId) && (status === 'blocked' || failedClosed === true),
  );
  const objecting = deciders.filter(({ output }) => output?.hookSpecificOutput?.['updatedToolOutput'] === undefined);
  if (objecting.length === deciders.length) return { kind, reason };
  if (objecting.length === 0) return { kind: 'none', reason: undefined };
  return { kind, reason: joined(objecting.map(({ output }) => output?.reason)) || reason };
}

/** Returns one sentence for each hook that failed without denying. */
function failuresOf({ errors, outcomes }: AggregatedHookResult): string[] {
  const closed = new Set(outcomes.filter(({ failedClosed }) => failedClosed).map(({ hookId }) => hookId));
  return errors.filter(({ hookId }) => hookId !== undefined && !closed.has(hookId)).map(({ message }) => message);
}

/** Joins texts by line breaks. Empty and repeated texts are left out. */
export function joined(texts: readonly unknown[]): string {
  return [...new Set(texts.filter(isText))].join('\n');
}
