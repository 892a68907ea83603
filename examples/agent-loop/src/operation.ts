import type { AggregatedHookResult, FinishedModelCall, FinishedToolCall, FinishedTurn } from 'tenterhook';
import { describeCall, type FunctionCall } from './gen-ai-shape.js';

/** An operation of the agent for which hooks run, and how it ended. */
export interface Operation {
  readonly kind: 'prompt' | 'model' | 'tool';
  readonly subject: string;
  readonly status: (FinishedTurn | FinishedModelCall<unknown, unknown> | FinishedToolCall)['status'];
  /** Why the operation did not run, or the objection of a hook. */
  readonly reason?: string;
  readonly before?: AggregatedHookResult;
}

export function toolOperation(call: FunctionCall, outcome: FinishedToolCall): Operation {
  return operation('tool', describeCall(call), outcome);
}

export function modelOperation(model: string, outcome: FinishedModelCall<unknown, unknown>): Operation {
  return operation('model', model, outcome);
}

/** Returns the operation for a prompt of the user. Each call of the model for the answer is a separate operation. */
export function promptOperation(prompt: string, outcome: FinishedTurn): Operation {
  const continued = outcome.turns > 1 ? { reason: `A hook made the agent continue ${outcome.turns - 1} ×.` } : {};
  return { ...continued, ...operation('prompt', prompt, outcome) };
}

function operation(
  kind: Operation['kind'],
  subject: string,
  outcome: FinishedTurn | FinishedModelCall<unknown, unknown> | FinishedToolCall,
): Operation {
  const reason = ('stopReason' in outcome ? outcome.stopReason : undefined) ?? outcome.reason;
  const before = 'before' in outcome ? outcome.before : undefined;
  return {
    kind,
    subject,
    status: outcome.status,
    ...(reason === undefined ? {} : { reason }),
    ...(before === undefined ? {} : { before }),
  };
}
