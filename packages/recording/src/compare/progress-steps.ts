import { isPlainObject } from '@tenterhook/runtime/json';
import type { RecordedExchange } from '../format/recording.js';

/**
 * Returns the steps of each hook, in their order. The order between hooks is left out, because the hooks of a stage end in any order.
 */
export function progressSteps({ progress, late }: RecordedExchange): Record<string, string[]> {
  const steps = new Map<string, string[]>();
  for (const { payload } of [...progress, ...late]) {
    if (!isPlainObject(payload)) continue;
    if (payload['kind'] === 'planned') {
      const stages = Array.isArray(payload['stages']) ? payload['stages'] : [];
      for (const [index, stage] of stages.entries()) {
        for (const hook of Array.isArray(stage) ? stage : []) add(steps, hook, `planned: stage ${index + 1}`);
      }
      // What a hook reads is there only if the agent allows it, and has the time in it.
    } else if (payload['kind'] !== 'hook-input') add(steps, payload, stepOf(payload));
  }
  return Object.fromEntries(steps);
}

function add(steps: Map<string, string[]>, holder: unknown, step: string): void {
  const hookId = isPlainObject(holder) ? holder['hookId'] : undefined;
  if (typeof hookId !== 'string') return;
  steps.set(hookId, [...(steps.get(hookId) ?? []), step]);
}

function stepOf(payload: Readonly<Record<string, unknown>>): string {
  const { kind, outcome, state, skipReason, recheck, late } = payload;
  const about = isPlainObject(outcome) ? outcome['status'] : (state ?? skipReason);
  return [kind, about, recheck === true ? 'recheck' : undefined, late === true ? 'late' : undefined]
    .filter((part) => typeof part === 'string')
    .join(': ');
}
