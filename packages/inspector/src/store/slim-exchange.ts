import type { RecordedExchange, RecordedMessage } from '@tenterhook/recording';
import { type Fields, fieldsOf, listOf, resultOfResponse } from './fields.js';

/** The messages of an event without their texts: what its figures need. An index keeps it until the event has ended. */
export type SlimExchange = { -readonly [Field in keyof RecordedExchange]: RecordedExchange[Field] } & {
  readonly progress: RecordedMessage[];
  readonly late: RecordedMessage[];
};

/** Progress of one event beyond this number does not count. */
const mostProgress = 1_000;

export function beginExchange(payload: Fields, hasRequest: boolean): SlimExchange {
  const { correlationId, eventName } = payload;
  const input = { session_id: fieldsOf(payload['input'])['session_id'] };
  return {
    ordinal: 0,
    correlationId: typeof correlationId === 'string' ? correlationId : undefined,
    eventName: typeof eventName === 'string' ? eventName : undefined,
    state: hasRequest ? 'unanswered' : 'orphan',
    ...(hasRequest ? { request: messageOf({ input }) } : {}),
    progress: [],
    cancels: [],
    late: [],
  };
}

/** Keeps the plan, changes of circuits and late ends. */
export function addProgress(exchange: SlimExchange, payload: Fields): void {
  const { kind, late } = payload;
  if (exchange.progress.length + exchange.late.length >= mostProgress) return;
  if (kind === 'planned') {
    const stages = Array.isArray(payload['stages']) ? payload['stages'] : [];
    const base = { session_id: fieldsOf(payload['base'])['session_id'] };
    exchange.progress.push(messageOf({ kind, base, stages: stages.map((stage) => listOf(stage).map(({ hookId }) => ({ hookId }))) }));
  } else if (kind === 'circuit-changed') {
    exchange.progress.push(messageOf({ kind, hookId: payload['hookId'], state: payload['state'] }));
  } else if (late === true) {
    exchange.late.push(messageOf({ kind, late, hookId: payload['hookId'], outcome: slimOutcome(fieldsOf(payload['outcome'])) }));
  }
}

/** Sets the response. Returns the ids of the hooks that run on after it, and whose end was not reported before it. */
export function setResponse(exchange: SlimExchange, payload: Fields): Set<unknown> {
  const result = resultOfResponse(payload);
  const outcomes = listOf(result['outcomes']).map(slimOutcome);
  const output = {
    ...(Array.isArray(result['outcomes']) ? { outcomes } : {}),
    changes: listOf(result['changes']).map(({ hookId }) => ({ hookId })),
    errors: listOf(result['errors']).map(({ hookId, code }) => ({ hookId, code })),
  };
  exchange.response = messageOf({ output });
  if (exchange.state === 'unanswered') exchange.state = 'answered';
  const ended = new Set(exchange.late.map(({ payload: end }) => fieldsOf(end)['hookId']));
  return new Set(outcomes.flatMap(({ status, hookId }) => (status === 'detached' && !ended.has(hookId) ? [hookId] : [])));
}

function slimOutcome(outcome: Fields): Fields {
  const { hookId, name, status, skipReason, failedClosed, durationMs, recheck, engine } = outcome;
  const output = fieldsOf(outcome['output']);
  const { permissionDecision } = fieldsOf(output['hookSpecificOutput']);
  return {
    hookId,
    name,
    status,
    skipReason,
    failedClosed,
    durationMs,
    recheck,
    engine,
    output: { decision: output['decision'], continue: output['continue'], hookSpecificOutput: { permissionDecision } },
    warnings: listOf(outcome['warnings']).map(({ code }) => ({ code })),
  };
}

function messageOf(payload: Fields): RecordedMessage {
  return { line: 0, type: '', payload };
}
