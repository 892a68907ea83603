import type { Answer } from '@tenterhook/bus';
import type { HookSystem } from '@tenterhook/engine';
import { type HookServiceDescription, isHookEventName, type ResponseError } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { answerQuestion } from './answer-question.js';

/** A service that others may ask. */
export interface QueriedService {
  readonly system: Pick<HookSystem, 'explain' | 'preview' | 'checkInput'>;
  describe(): HookServiceDescription;
}

interface Query {
  readonly query: string;
  readonly eventName?: unknown;
  readonly input?: unknown;
}

const nothing = { events: [], hooks: [], files: [], diagnostics: [] };

/** Answers a query of another process. Runs no hook, and sends no value of a variable or a header. */
export function answerQuery({ query, eventName, input = {} }: Query, { system, describe }: QueriedService): Answer<'HOOK_SERVICE_QUERY'> {
  if (query === 'describe') return { success: true, output: describe() };
  if (query !== 'explain' && query !== 'preview') {
    return refused('invalid_request', `The query must be "describe", "explain" or "preview", and is ${JSON.stringify(query)}.`);
  }
  if (typeof eventName !== 'string' || !isPlainObject(input)) {
    return refused(
      'invalid_request',
      `The query "${query}" needs "eventName", the name of an event, and "input", an object with its fields.`,
    );
  }
  if (!isHookEventName(eventName)) {
    return refused('unsupported_event', `There is no event ${JSON.stringify(eventName)}. "tenterhook events" lists them.`);
  }
  const answer = answerQuestion(system, query, eventName, input);
  return { success: true, output: { ...nothing, [query === 'explain' ? 'explained' : 'preview']: answer } };
}

function refused(code: ResponseError['code'], message: string): Answer<'HOOK_SERVICE_QUERY'> {
  return { success: false, error: { code, message } };
}
