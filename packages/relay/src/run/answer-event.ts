import {
  type AggregatedHookResult,
  type HeardInput,
  isPlainObject,
  type RelayAnswer,
  type RelayFormat,
  type RelayPolicy,
} from '@tenterhook/protocol';
import { createFailedResult, isAfterwards, unusableValue } from '@tenterhook/protocol/internal';
import { describeThrown } from '@tenterhook/runtime/text';
import type { KeptResults } from './kept-results.js';

/** The number of agents that may be inside one another. Guards of a deeper agent do not run, and everything that can be denied is. */
const maxDepth = 3;

/** A patch of more files is denied. Without a limit, a long patch would spend the budget, and its last files would not be judged. */
const mostParts = 200;

/** What the guards said, one result for each input. With a problem, some or all of them could not be asked. */
export interface Asked {
  readonly results: readonly AggregatedHookResult[];
  /** A sentence for the user. */
  readonly problem?: string;
  /** A sentence for the user that does not mean a failure. */
  readonly notice?: string;
  /** True if the budget ended because a call has many parts. @default false */
  readonly isCut?: boolean;
}

/** Why the input of an agent could not be read, as a sentence. */
export interface UnreadInput {
  readonly problem: string;
}

/** One event of an agent. */
export interface RelayedEvent {
  readonly format: RelayFormat;
  /** The event in the agent's spelling. */
  readonly event: string;
  /** What the agent wrote to stdin. */
  readonly text: string | UnreadInput;
  readonly policy: RelayPolicy;
  /** How many agents with the relay are around this one. */
  readonly depth: number;
  /** Tests whether another agent wrote this input that has an entry of its own. @default it does not */
  readonly isAskedTwice?: (payload: Readonly<Record<string, unknown>>) => boolean;
  /** Results of earlier events, in a process that answers many. @default each event is answered on its own */
  readonly kept?: KeptResults;
  /** Asks the guards. `payload` is the parsed input. */
  ask(inputs: readonly HeardInput[], payload: Readonly<Record<string, unknown>>): Promise<Asked>;
}

/** Returns the answer for the agent. Never rejects: whatever fails, the agent receives an answer in its own format. */
export async function answerEvent(event: RelayedEvent): Promise<RelayAnswer> {
  const { format, event: name, policy } = event;
  try {
    return await answer(event);
  } catch (error) {
    // The stack overflows only because of a value that is nested deeply, which the model may have written.
    const onFailure = error instanceof RangeError ? 'closed' : policy.onFailure;
    return format.failed(name, { ...policy, onFailure }, `The relay failed: ${describeThrown(error)}. The guards were not asked.`);
  }
}

async function answer({ format, event, text, policy, depth, isAskedTwice, kept, ask }: RelayedEvent): Promise<RelayAnswer> {
  const failed = (message: string) => format.failed(event, policy, `${message} The guards were not asked.`);
  if (typeof text !== 'string') return failed(text.problem);
  let payload: unknown;
  try {
    payload = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return failed(`The input on stdin is not valid JSON: ${(error as Error).message.slice(0, 200)}.`);
  }
  if (isPlainObject(payload) && isAskedTwice?.(payload)) return format.say([], { kind: 'neutral', event }, policy);
  const heard = format.hear(payload, event);
  if (heard.kind === 'refused') return failed(heard.reason);
  if (heard.kind === 'neutral') return format.say([], heard, policy);
  if (depth >= maxDepth) {
    const message = `This agent runs inside ${depth} agents whose guards started one another. No guard runs here, and everything that can be denied is denied.`;
    return format.failed(event, { ...policy, onFailure: 'closed' }, message);
  }
  const known = kept?.take(format.sameCall?.answeredBy(heard));
  if (known !== undefined) return format.say(known, heard, policy);
  const isLate = heard.inputs.every(({ eventName }) => isAfterwards(eventName));
  const { length: parts } = heard.inputs;
  if (parts > mostParts && !isLate) {
    const message = `This call has ${parts} parts, and guards judge at most ${mostParts} of one call. Make several calls of it.`;
    return format.failed(event, { ...policy, onFailure: 'closed' }, message);
  }
  // All parts have the same result, so the first ones are enough to judge it.
  const { results: given, problem, notice, isCut } = await ask(heard.inputs.slice(0, mostParts), heard.payload);
  const results = notice === undefined ? given : [...given, toProblem(notice)];
  // The model writes the arguments. It must not get around the guards by arguments that no guard can read.
  if (problem !== undefined && !isLate && given.some(isUnjudged) && heard.inputs.some(hasUnusableArguments))
    return format.failed(event, { ...policy, onFailure: 'closed' }, problem);
  const isDenied = results.some(({ verdict }) => verdict.kind === 'deny' || verdict.stop);
  // The model writes the parts. It must not get around a guard by so many of them that there is no time for the last.
  if (isCut === true && !isLate && !isDenied) {
    const message = `There was not enough time to judge the ${parts} parts of this call. Make several calls of it.`;
    return format.failed(event, { ...policy, onFailure: 'closed' }, message);
  }
  if (problem === undefined) {
    const { said, kept: later } = (kept && format.sameCall?.keep(heard, results)) ?? { said: results, kept: [] };
    kept?.keep(later);
    return format.say([...said, ...(kept?.take(format.sameCall?.completedBy(heard)) ?? [])], heard, policy);
  }
  if (policy.onFailure === 'closed' && !isDenied && !isLate) return format.failed(event, policy, problem);
  return format.say([...results, toProblem(problem)], heard, policy);
}

/** Tests whether no guard was asked. A failure of one guard has its id. */
function isUnjudged({ errors }: AggregatedHookResult): boolean {
  return errors.some(({ hookId }) => hookId === undefined);
}

function hasUnusableArguments({ input }: HeardInput): boolean {
  const { tool_input: given } = input;
  return given !== undefined && (!isPlainObject(given) || unusableValue('tool_input', given) !== undefined);
}

/** A result that says nothing but the problem. */
function toProblem(message: string): AggregatedHookResult {
  return { ...createFailedResult({ code: 'internal_error', message }, 0), errors: [{ code: 'internal_error', message, hookId: 'relay' }] };
}
