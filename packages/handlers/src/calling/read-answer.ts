import { type HookWarning, isPlainObject } from '@tenterhook/protocol';
import type { HookEventType } from '../definition/hook-event-type.js';
import type { ReadAnswer } from './answer.js';
import { describeThrown } from './describe-thrown.js';
import { readModified } from './read-modified.js';

export const defaultDelayMs = 1000;
export const maxDelayMs = 60_000;

const none: readonly HookWarning[] = Object.freeze([]);
const goOn: ReadAnswer = Object.freeze({ answer: Object.freeze({ kind: 'continue' as const }), warnings: none });

/** Never throws: what a handler returned may be anything, a getter that throws included. */
export function readAnswer(value: unknown, eventType: HookEventType): ReadAnswer {
  if (value === undefined || value === null) return goOn;
  try {
    return readAction(value, eventType);
  } catch (error) {
    return { failure: `its answer could not be read: ${describeThrown(error)}` };
  }
}

function readAction(value: unknown, eventType: HookEventType): ReadAnswer {
  if (!isPlainObject(value)) return { failure: `it answered ${shown(value)}; an object with an action was due` };
  const { action, reason, modified } = value;
  switch (typeof action === 'string' ? action.toLowerCase() : action) {
    case 'continue':
      return modified === undefined || modified === null ? goOn : readModified(modified, eventType);
    case 'block':
      return {
        answer: { kind: 'block', reason: typeof reason === 'string' && reason !== '' ? reason : 'Blocked' },
        warnings: unused(value),
      };
    case 'skip':
      return { answer: { kind: 'skip' }, warnings: unused(value) };
    case 'retry':
      return readRetry(value);
    default:
      return { failure: `its action is ${shown(action)}; Continue, Block, Retry or Skip was due` };
  }
}

function readRetry(value: Record<string, unknown>): ReadAnswer {
  const given = value['retry_delay_ms'] ?? value['delayMs'];
  const isDelay = typeof given === 'number' && given >= 0;
  const delayMs = isDelay ? Math.min(given, maxDelayMs) : defaultDelayMs;
  const warnings = [...unused(value)];
  if (given !== undefined && given !== null && !isDelay) {
    warnings.push({
      code: 'wrong_type',
      message: `retry_delay_ms is ${shown(given)} and no number of milliseconds; ${defaultDelayMs} is used.`,
    });
  } else if (isDelay && given > maxDelayMs) {
    warnings.push({ code: 'no_effect', message: `A retry waits ${maxDelayMs} ms at most; ${given} ms were asked for.` });
  }
  return { answer: { kind: 'retry', delayMs }, warnings };
}

/** Only Continue modifies: what was written beside another action is not lost without a word. */
function unused({ action, modified }: Record<string, unknown>): readonly HookWarning[] {
  if (modified === undefined || modified === null) return none;
  return [{ code: 'rewrite_ignored', message: `"modified" counts with Continue alone; beside ${String(action)} it is not applied.` }];
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
